// What a change of prices would have made of past sessions: the totals by currency, and the sessions whose cost would have been another.

import { Link } from 'wouter-preact'
import type { Schema } from '../client/api.js'
import { momentText, numberText } from '../client/format.js'
import { Amount, amountOf } from './money.js'

export type Simulation = Schema<'TariffSimulation'> | Schema<'BillingRuleSimulation'>

/** How far back a preview looks. */
export const previewDays = 30

export function previewPeriod(): { readonly from: string; readonly to: string } {
  const now = Date.now()
  return { from: new Date(now - previewDays * 86_400_000).toISOString(), to: new Date(now).toISOString() }
}

/** Of two amounts of the API, without the noise of binary fractions. */
const differenceText = (difference: number, currency: string): string =>
  amountOf(Math.round(difference * 10_000) / 10_000, currency)

export function SimulationResult({ of }: { readonly of: Simulation }) {
  if (of.sessions_covered === 0)
    return (
      <p role="status">
        No session of the last {previewDays} days can be compared
        {of.sessions_skipped > 0 &&
          `; ${numberText(of.sessions_skipped)} are in another currency or lack what it takes`}
        .
      </p>
    )
  return (
    <div class="stack" role="status">
      {of.totals.map(({ currency, sessions, changed_sessions, cost, simulated_cost, difference }) => (
        <p key={currency}>
          {numberText(changed_sessions)} of {numberText(sessions)} sessions of the last {previewDays} days would have
          cost something else: <Amount of={amountOf(simulated_cost, currency)} currency={currency} /> instead of{' '}
          <Amount of={amountOf(cost, currency)} currency={currency} />,{' '}
          <Amount of={differenceText(difference, currency)} currency={currency} signed />.
        </p>
      ))}
      {of.sessions_skipped > 0 && <p class="dim">{numberText(of.sessions_skipped)} sessions cannot be compared.</p>}
      {of.cut && <p class="dim">The period has more sessions than one preview reads: the earliest are counted.</p>}
      <ul>
        {of.sessions.slice(0, 10).map(({ session_id, ended_at, currency, cost, simulated_cost, difference }) => (
          <li key={session_id}>
            <Link class="link" href={`/sessions/${session_id}`}>
              {momentText(ended_at)}
            </Link>{' '}
            <Amount of={amountOf(cost, currency)} /> →{' '}
            <Amount of={amountOf(simulated_cost, currency)} currency={currency} />{' '}
            <Amount of={differenceText(difference, currency)} signed />
          </li>
        ))}
      </ul>
    </div>
  )
}
