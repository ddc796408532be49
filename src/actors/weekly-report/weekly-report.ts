// Mails an organization what its last week was: sessions, energy, what they cost, and alerts. It reads in parts, so that a shard stays
// free; nothing of it is stored before the mail is, so one that was cut short begins again.

import { addAmounts, amountsOf, type CostSums, newSums, pricedAmounts } from '../../pricing/cost-sums.js'
import { minorUnitsOf } from '../../pricing/money.js'
import { alertsTable } from '../../records/alert.js'
import { chargePointsTable } from '../../records/charge-point.js'
import { defaultTimeZone, type Organization, organizationsTable } from '../../records/organization.js'
import { sessionsTable } from '../../records/session.js'
import { sessionCostsTable } from '../../records/session-cost.js'
import { weeklyReportsTable } from '../../records/weekly-report.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { lowestIdAt } from '../../runtime/ids.js'
import { limits } from '../../runtime/limits.js'
import { after, type Key } from '../../runtime/store/table.js'
import { mailEffects } from '../mail/new-mail.js'
import { type WeeklyReportMessage, weeklyReportAddress, weeklyReportKind } from './messages.js'
import { dueWeek, type Week } from './weeks.js'

interface Summing {
  readonly organization: Organization
  readonly week: Week
  phase: 'sessions' | 'costs' | 'alerts'
  /** Where the list that is read goes on. */
  from: Key | undefined
  sessions: number
  /** Wh. */
  energy: number
  /** By currency. */
  readonly costs: Map<string, CostSums>
  /** By kind. */
  readonly alerts: Map<string, number>
}

export interface WeeklyReportState {
  summing: Summing | undefined
}

const none: readonly Effect[] = []
/** A session that took longer than this is not counted. */
const longestSessionMs = 7 * 24 * 3_600_000

export const weeklyReport: ActorDefinition<WeeklyReportState, WeeklyReportMessage> = {
  kind: weeklyReportKind,
  load: () => ({ summing: undefined }),
  idle: ({ summing }) => summing === undefined,
  handle(state, message, context) {
    if (message.type === 'step') return state.summing === undefined ? none : step(state, state.summing, context)
    return state.summing === undefined ? begin(state, context) : none
  },
}

function begin(state: WeeklyReportState, context: Context): readonly Effect[] {
  const organization = context.read().get(organizationsTable, [context.id])
  if (organization === undefined) return none
  const week = dueWeek(context.read(), organization, context.confirmed())
  if (week === undefined) return none
  state.summing = {
    organization,
    week,
    phase: 'sessions',
    from: undefined,
    sessions: 0,
    energy: 0,
    costs: new Map(),
    alerts: new Map(),
  }
  return [goOn(context)]
}

function goOn(context: Context): Effect {
  return effect.send(weeklyReportAddress(context.id), { type: 'step' } satisfies WeeklyReportMessage)
}

function step(state: WeeklyReportState, summing: Summing, context: Context): readonly Effect[] {
  switch (summing.phase) {
    case 'sessions':
      if (sumSessions(summing, context)) summing.phase = 'costs'
      return [goOn(context)]
    case 'costs':
      if (sumCosts(summing, context)) summing.phase = 'alerts'
      return [goOn(context)]
    case 'alerts':
      return countAlerts(summing, context) ? finish(state, summing, context) : [goOn(context)]
  }
}

/** Each of these reads one part of a list, and says whether it was the last. */
function sumSessions(summing: Summing, context: Context): boolean {
  const { from, to } = summing.week
  const rows = context.read().listBy(sessionsTable, 'byOrganization', [context.id], {
    from: summing.from ?? [lowestIdAt('ses', from - longestSessionMs)],
    to: [lowestIdAt('ses', to)],
    limit: limits.rowsPerWalkStep,
  })
  for (const { ended_at, energy_wh } of rows) {
    const endedAt = ended_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(ended_at)
    if (endedAt < from || endedAt >= to) continue
    summing.sessions++
    summing.energy += energy_wh ?? 0
  }
  return isLast(summing, rows, (row) => [row.session_id])
}

function sumCosts(summing: Summing, context: Context): boolean {
  const { from, to } = summing.week
  const rows = context.read().listBy(sessionCostsTable, 'byEnd', [context.id], {
    from: summing.from ?? [from],
    to: [to],
    limit: limits.rowsPerWalkStep,
  })
  for (const { priced } of rows) {
    const sums = summing.costs.get(priced.currency) ?? newSums()
    summing.costs.set(priced.currency, sums)
    addAmounts(sums, pricedAmounts(priced))
  }
  return isLast(summing, rows, (row) => [Date.parse(row.ended_at), row.session_id])
}

function countAlerts(summing: Summing, context: Context): boolean {
  const { from, to } = summing.week
  const rows = context.read().listBy(alertsTable, 'byOrganization', [context.id], {
    from: summing.from ?? [lowestIdAt('alr', from)],
    to: [lowestIdAt('alr', to)],
    limit: limits.rowsPerWalkStep,
  })
  for (const { kind } of rows) summing.alerts.set(kind, (summing.alerts.get(kind) ?? 0) + 1)
  return isLast(summing, rows, (row) => [row.alert_id])
}

function isLast<Row>(summing: Summing, rows: readonly Row[], placeOf: (row: Row) => Key): boolean {
  const last = rows.at(-1)
  const more = last !== undefined && rows.length === limits.rowsPerWalkStep
  summing.from = more ? after(placeOf(last)) : undefined
  return !more
}

function finish(state: WeeklyReportState, summing: Summing, context: Context): readonly Effect[] {
  const { organization, week, sessions, energy, costs, alerts } = summing
  const { name: organizationName, contact_email: to, time_zone: timeZone = defaultTimeZone } = organization
  state.summing = undefined
  const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1)
  return [
    ...mailEffects(
      {
        organizationId: context.id,
        to,
        content: {
          type: 'weekly-report',
          organizationName,
          from: new Date(week.from).toISOString(),
          to: new Date(week.to).toISOString(),
          timeZone,
          chargePoints: context.read().total(chargePointsTable, 'byOrganization', [context.id]),
          sessions,
          energy_kwh: Math.round(energy) / 1_000,
          costs: [...costs].map(([name, sums]) => costOf(name, sums)).sort(byName),
          alerts: [...alerts].map(([kind, raised]) => ({ name: kind.replaceAll('_', ' '), raised })).sort(byName),
          openAlerts: context.read().total(alertsTable, 'byStatus', [context.id, 'open']),
        },
      },
      context,
    ),
    effect.put(weeklyReportsTable, { organization_id: context.id, week: week.monday }),
  ]
}

function costOf(currency: string, sums: CostSums) {
  return { name: currency, total: amountsOf(sums).total, minorUnits: minorUnitsOf(currency) }
}
