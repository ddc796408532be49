// One session: its facts, power and energy over what they cost, what happened, the bill step by step, and what it would have cost otherwise.

import './session.css'
import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { PageProps } from '../../app/pages.js'
import { api, ask, type Schema } from '../../client/api.js'
import { durationText, momentText, numberText, powerText, timeText, zone } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Tag, type TagKind } from '../../parts/chip.js'
import { Icon } from '../../parts/icon.js'
import { Amount, amountOf } from '../../parts/money.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { SessionActions } from './actions.js'
import { Bill } from './bill.js'
import { Plot } from './plot.js'
import { StoryPanel } from './story.js'
import { WhatIf } from './what-if.js'

type Session = Schema<'Session'>

const kinds: Readonly<Record<Session['status'], TagKind>> = { active: 'info', completed: 'ok', estimated: 'warn' }
const shownStatus: Readonly<Record<Session['status'], string>> = {
  active: 'charging now',
  completed: 'completed',
  estimated: 'closed by estimate',
}

function titleOf({ energy_kwh, started_at }: Session): string {
  const at = new Date(started_at)
  const part = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone(), ...options }).format(at)
  const hour = Number(part({ hour: '2-digit', hourCycle: 'h23' }))
  const time = hour < 5 ? 'night' : hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
  return `${numberText(energy_kwh, 3)} kWh on ${part({ weekday: 'long' })} ${time}`
}

/** The highest power that was metered, W. */
function highestOf(values: Schema<'SessionMeterValues'> | undefined): number | undefined {
  const power = values?.series.find(({ quantity, phase }) => quantity === 'power' && phase === null)
  const metered = power?.max.filter((value) => value !== null) ?? []
  return metered.length === 0 ? undefined : Math.max(...metered)
}

export function Page({ params }: PageProps) {
  const { session_id = '' } = params
  const path = { params: { path: { session_id } } }
  const [isRunning, setRunning] = useState(false)
  const every = isRunning ? { everySeconds: 5 } : {}
  const session = useResource(
    (signal) => ask(api.GET('/api/v1/sessions/{session_id}', { ...path, signal })),
    [session_id],
    every,
  )
  const status = session.data?.status
  useEffect(() => setRunning(status === 'active'), [status])
  const depends = [session_id, status, session.data?.ended_at, session.data?.dispute?.status]
  const enabled = session.data !== undefined
  const seesMoney = may('read:billing')
  const isPriced = session.data?.currency !== null && session.data?.currency !== undefined
  const values = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/sessions/{session_id}/meter-values', {
          params: { path: { session_id }, query: { points: 600 } },
          signal,
        }),
      ),
    depends,
    { ...every, ...(isRunning && { everySeconds: 15 }), enabled },
  )
  const story = useResource(
    (signal) => ask(api.GET('/api/v1/sessions/{session_id}/story', { ...path, signal })),
    depends,
    { ...(isRunning && { everySeconds: 30 }), enabled },
  )
  const explanation = useResource(
    (signal) => ask(api.GET('/api/v1/sessions/{session_id}/cost-explanation', { ...path, signal })),
    depends,
    { ...every, enabled: enabled && seesMoney && isPriced },
  )
  return (
    <Loaded of={session}>
      {(row) => (
        <div class="session">
          <Head row={row} highest={highestOf(values.data)} reload={session.reload} />
          <div class="session-grid">
            <div class="stack">
              <Loaded of={values}>
                {(data) => (
                  <Plot
                    sessionId={session_id}
                    values={data}
                    startedAt={row.started_at}
                    endedAt={row.ended_at ?? data.to}
                    trace={explanation.data?.trace}
                    statuses={(story.data?.entries ?? []).filter(({ source }) => source === 'status')}
                  />
                )}
              </Loaded>
              <Loaded of={story}>{(data) => <StoryPanel of={data} />}</Loaded>
              {seesMoney && isPriced && (
                <WhatIf
                  session={row}
                  hasRules={explanation.data?.trace.rules.some(({ matched }) => matched) ?? false}
                />
              )}
            </div>
            <div class="stack">
              {!isPriced ? (
                <Panel title="What it costs, and why">
                  <EmptyState icon="coins" title="This session has no cost">
                    <span>No tariff applied when it began.</span>
                  </EmptyState>
                </Panel>
              ) : (
                seesMoney && <Loaded of={explanation}>{(data) => <Bill of={data} />}</Loaded>
              )}
              <MoneyBeside row={row} />
            </div>
          </div>
        </div>
      )}
    </Loaded>
  )
}

function Head({
  row,
  highest,
  reload,
}: {
  readonly row: Session
  readonly highest: number | undefined
  readonly reload: () => void
}) {
  const end = row.ended_at === null ? Date.now() : Date.parse(row.ended_at)
  const seconds = (end - Date.parse(row.started_at)) / 1_000
  const facts = [
    {
      value: `${timeText(row.started_at)} → ${row.ended_at === null ? 'now' : timeText(row.ended_at)}`,
      about: `${zone()}, ${durationText(seconds)}`,
    },
    {
      value: (
        <Link class="link mono" href={`/charge-points/${encodeURIComponent(row.charge_point_id)}`}>
          {row.charge_point_id}
        </Link>
      ),
      about: `connector ${row.connector_id}`,
    },
    {
      value: <span class="mono">{row.id_tag}</span>,
      about: [row.auth_method === null ? 'tag' : `by ${row.auth_method}`, row.roaming?.partner_name]
        .filter((part) => part !== null && part !== undefined)
        .join(', '),
    },
    {
      value: `${numberText(row.energy_kwh, 3)} kWh`,
      about:
        row.meter_start === null
          ? 'no reading at the start'
          : `${numberText(row.meter_start / 1_000, 3)} → ${row.meter_stop === null ? 'now' : numberText(row.meter_stop / 1_000, 3)}`,
    },
    ...(highest === undefined ? [] : [{ value: powerText(highest), about: 'highest' }]),
    { value: durationText(row.statuses.idle_seconds), about: 'idle after charging' },
    ...(row.stop_reason === null ? [] : [{ value: row.stop_reason, about: 'why it ended' }]),
  ]
  return (
    <>
      <PageHead
        title={titleOf(row)}
        about={
          <span class="row-of">
            <Tag kind={kinds[row.status]}>{shownStatus[row.status]}</Tag>
            {row.flags.map((flag) => (
              <Tag key={flag} kind="warn">
                {flag.replaceAll('_', ' ')}
              </Tag>
            ))}
            {row.dispute !== null && <Tag kind="warn">dispute {row.dispute.status.replace('_', ' ')}</Tag>}
            <span class="mono dim">{row.session_id}</span>
          </span>
        }
        actions={
          <>
            {row.ended_at !== null && row.cost !== null && (
              <a
                class="button plain"
                href={`/api/v1/portal/sessions/${row.session_id}/receipt`}
                target="_blank"
                rel="noreferrer"
              >
                <Icon name="receipt-text" />
                Receipt
              </a>
            )}
            <SessionActions session={row} reload={reload} />
          </>
        }
      />
      <ul class="session-facts">
        {facts.map(({ value, about }) => (
          <li key={about}>
            <b>{value}</b>
            {about}
          </li>
        ))}
      </ul>
    </>
  )
}

/** What belongs to the money and is not of the bill: what a guest has paid, what is disputed, later StopTransactions. */
function MoneyBeside({ row }: { readonly row: Session }) {
  const { payment, dispute, other_stops } = row
  const money = (value: number): string => amountOf(value, payment?.currency ?? row.currency ?? 'EUR')
  return (
    <>
      {payment !== null && (
        <Panel title="Payment of the guest" hint={payment.status.replaceAll('_', ' ')} padded>
          <dl class="facts">
            {(
              [
                ['Set aside', payment.authorized_amount],
                ['Captured', payment.captured_amount],
                ['Refunded', payment.refunded_amount],
                ['Refund under way', payment.refund_pending_amount],
                ['Owed to the guest', payment.owed_amount],
                ['Written off', payment.written_off_amount],
              ] as const
            ).map(
              ([name, value]) =>
                value !== null && (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>
                      <Amount of={money(value)} currency={payment.currency} />
                    </dd>
                  </div>
                ),
            )}
          </dl>
        </Panel>
      )}
      {dispute !== null && (
        <Panel
          title="Dispute"
          hint={dispute.status.replace('_', ' ')}
          padded
          actions={
            may('read:billing') && (
              <Link class="link" href={`/disputes?dispute=${dispute.dispute_id}`}>
                Open it
              </Link>
            )
          }
        >
          <p>
            Opened {momentText(dispute.created_at)}.{dispute.note !== null && ` ${dispute.note}`}
          </p>
        </Panel>
      )}
      {other_stops.length > 0 && (
        <Panel title="Later StopTransactions" hint="the first one counts" padded>
          <ul class="stack">
            {other_stops.map((stop) => (
              <li key={stop.received_at}>
                {momentText(stop.received_at)}: {stop.reason}
                {stop.meter_stop !== null && `, ${numberText(stop.meter_stop)} Wh`}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
