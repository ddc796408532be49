// What happened around a session, in the order of time: made of what is stored of the session, its statuses, commands, limits, alerts,
// disputes and payments; messages and events are read beside it. Each source says what it knows and is bounded; nothing is guessed.

import { guestOf } from '../../../actors/charge-point/guests.js'
import { startTransaction, stopTransaction } from '../../../ocpp16/index.js'
import { limitReasons } from '../../../power/reasons.js'
import { totalBeforeAgreement } from '../../../pricing/agreed-total.js'
import { amountOf, minorUnitsOf } from '../../../pricing/money.js'
import { alertsTable } from '../../../records/alert.js'
import { auditTable, timeOfEntry } from '../../../records/audit-entry.js'
import { commandsTable, parametersOf } from '../../../records/command.js'
import { disputesTable } from '../../../records/dispute.js'
import {
  bucketsBetween,
  type PowerBucket,
  powerRollUpsTable,
  rollUpStart,
  rollUps,
} from '../../../records/power-roll-up.js'
import type { Session } from '../../../records/session.js'
import { sessionCostsTable } from '../../../records/session-cost.js'
import { tariffSnapshotsTable } from '../../../records/tariff-snapshot.js'
import { lowestIdAt } from '../../../runtime/ids.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { actorName } from '../../surfaces/actor-name.js'
import { limits } from './limits.js'
import { isOwn, type StoryPeriod } from './story-period.js'

export const storySources = [
  'session',
  'status',
  'command',
  'limit',
  'alert',
  'event',
  'billing',
  'dispute',
  'payment',
  'audit',
  'message',
] as const
export type StorySource = (typeof storySources)[number]

export interface StoryEntry {
  /** ms. */
  readonly at: number
  readonly source: StorySource
  /** What it is called where it comes from: a status, a command, an event. */
  readonly name: string
  /** In words. */
  readonly title: string
  readonly detail: string | null
  /** The id of the command, alert, event, dispute or audit entry. */
  readonly reference: string | null
}

const minuteMs = 60_000
const lateMs = 60_000

const statusWords: Readonly<Record<string, string>> = {
  Available: 'The connector is available',
  Preparing: 'The vehicle is plugged in or a card was shown',
  Charging: 'The vehicle is charging',
  SuspendedEV: 'The vehicle takes no energy',
  SuspendedEVSE: 'The charge point delivers no energy',
  Finishing: 'The charge is over and the vehicle is still plugged in',
  Reserved: 'The connector is reserved',
  Unavailable: 'The connector is out of service',
  Faulted: 'The connector has a fault',
}

export const statusTitle = (status: string): string => statusWords[status] ?? `The connector reports ${status}`

const kwh = (wh: number): string => `${(wh / 1_000).toFixed(3)} kWh`
const kw = (watts: number): string => `${(watts / 1_000).toFixed(1)} kW`

const nothing = { detail: null, reference: null }

function ofSession(view: ReadView, session: Session): StoryEntry[] {
  const { started_at, received_at, ended_at, status, stop_reason, meter_stop, tariff_snapshot } = session
  const tariff = tariff_snapshot === undefined ? undefined : view.get(tariffSnapshotsTable, [tariff_snapshot])?.snapshot
  const band = tariff?.band === null || tariff === undefined ? '' : `, band ${tariff.band}`
  const meter = session.meter_start_unknown === true ? 'No meter reading' : `Meter reading ${kwh(session.meter_start)}`
  const startedAt = Date.parse(started_at)
  const entries: StoryEntry[] = [
    {
      at: startedAt,
      source: 'session',
      name: startTransaction.action,
      title: 'The session started',
      detail: `${meter}. ${tariff === undefined ? 'No tariff.' : `Tariff ${tariff.name}${band}, as it stood then.`}`,
      reference: null,
    },
  ]
  if (Date.parse(received_at) - startedAt > lateMs)
    entries.push({
      ...nothing,
      at: Date.parse(received_at),
      source: 'session',
      name: startTransaction.action,
      title: 'The charge point reported the start, late',
    })
  if (ended_at !== undefined)
    entries.push({
      at: Date.parse(ended_at),
      source: 'session',
      name: status === 'estimated' ? 'estimate' : stopTransaction.action,
      title: status === 'estimated' ? 'The session was closed by estimate' : 'The session ended',
      detail: [stop_reason, meter_stop === undefined ? undefined : `meter reading ${kwh(meter_stop)}`]
        .filter((part) => part !== undefined)
        .join(', '),
      reference: null,
    })
  for (const stop of session.other_stops ?? [])
    entries.push({
      at: Date.parse(stop.received_at),
      source: 'session',
      name: stopTransaction.action,
      title: `Another ${stopTransaction.action} arrived; the first one counts`,
      detail: `${stop.reason}${stop.meter_stop === null ? '' : `, meter reading ${kwh(stop.meter_stop)}`}`,
      reference: null,
    })
  return entries
}

function ofStatuses(session: Session): StoryEntry[] {
  return (session.statuses ?? []).map(({ at, status }) => ({
    at,
    source: 'status',
    name: status,
    title: statusTitle(status),
    ...nothing,
  }))
}

/** Whether a command names the session's transaction, or its connector or none in its time. */
function isOfSession(session: Session, parameters: Readonly<Record<string, unknown>>, isInTime: boolean): boolean {
  const connector = parameters.connector_id ?? parameters.connectorId
  const transaction = parameters.transaction_id ?? parameters.transactionId
  if (typeof transaction === 'number') return transaction === session.transaction_id
  return isInTime && (typeof connector !== 'number' || connector === 0 || connector === session.connector_id)
}

function ofCommands(view: ReadView, session: Session, period: StoryPeriod): StoryEntry[] {
  const { from, to } = period
  const bounds = {
    from: [lowestIdAt('cmd', from)],
    to: [lowestIdAt('cmd', to)],
    limit: limits.storyEntriesOfSource,
    reverse: true,
  }
  const group = [session.organization_id, session.charge_point_id]
  return view
    .listBy(commandsTable, 'byChargePoint', group, bounds)
    .filter((command) =>
      isOfSession(session, parametersOf(command, view), isOwn(period, Date.parse(command.executed_at))),
    )
    .map(({ command_id, command, status, executed_at, executed_by, response_time_ms, error }) => {
      const after = response_time_ms === null ? '' : ` after ${response_time_ms} ms`
      return {
        at: Date.parse(executed_at),
        source: 'command',
        name: command,
        title: `Command ${command}: ${status}${after}`,
        detail: [`By ${actorName(view, session.organization_id, executed_by)}`, error]
          .filter((part) => part !== undefined)
          .join('; '),
        reference: command_id,
      }
    })
}

const storyRows = 50

/** The finest roll-up that is still kept, and is short enough. */
function rollUpFor({ from, to }: StoryPeriod, now: number) {
  return (
    rollUps.find(({ keptMs, rowMs }) => now - from < keptMs && (to - from) / rowMs < storyRows) ??
    rollUps[rollUps.length - 1]
  )
}

/** What the site allowed the charge point, wherever that stayed the same for two buckets and is not what it was before. */
function ofLimits(view: ReadView, session: Session, period: StoryPeriod, now: number): StoryEntry[] {
  const rollUp = rollUpFor(period, now)
  if (rollUp === undefined) return []
  const rows = view.list(powerRollUpsTable, [session.organization_id, session.charge_point_id, rollUp.minutes], {
    from: [rollUpStart(rollUp, period.from)],
    to: [period.to],
    limit: storyRows,
  })
  const start = Math.floor(Date.parse(session.started_at) / minuteMs) * minuteMs
  const end = session.ended_at === undefined ? now : Date.parse(session.ended_at)
  const buckets = bucketsBetween(rows, start, end)
  const entries: StoryEntry[] = []
  let told: number | undefined
  const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= Math.max(50, other * 0.01)
  buckets.forEach(({ at, allocatedWatts, reason }: PowerBucket, index) => {
    const next = buckets[index + 1]
    if (next === undefined || !isSame(next.allocatedWatts, allocatedWatts)) return
    if (told !== undefined && isSame(allocatedWatts, told)) return
    told = allocatedWatts
    entries.push({
      at: Math.max(at, Date.parse(session.started_at)),
      source: 'limit',
      name: 'site',
      title: `The site allowed the charge point ${kw(allocatedWatts)}`,
      detail: reason === undefined ? null : limitReasons[reason],
      reference: null,
    })
  })
  return entries.slice(0, limits.storyEntriesOfSource)
}

function ofAlerts(view: ReadView, session: Session, { ownFrom: from, ownTo: to }: StoryPeriod): StoryEntry[] {
  const group = [session.organization_id, session.charge_point_id]
  const bounds = { from: [lowestIdAt('alr', from)], to: [lowestIdAt('alr', to)], limit: limits.storyEntriesOfSource }
  return view
    .listBy(alertsTable, 'byChargePoint', group, bounds)
    .filter(({ connector_id }) => connector_id === undefined || connector_id === session.connector_id)
    .flatMap(({ alert_id, kind, message, triggered_at, resolved_at, resolution }) => {
      const about = { source: 'alert', name: kind, reference: alert_id } as const
      const entries: StoryEntry[] = [
        { ...about, at: Date.parse(triggered_at), title: `Alert: ${message}`, detail: null },
      ]
      if (resolved_at !== undefined && Date.parse(resolved_at) < to)
        entries.push({
          ...about,
          at: Date.parse(resolved_at),
          title: `The alert ${kind} is resolved`,
          detail: resolution ?? null,
        })
      return entries
    })
}

function ofBilling(view: ReadView, session: Session): StoryEntry[] {
  const cost = view.get(sessionCostsTable, [session.session_id])
  if (cost === undefined) return []
  const { priced, agreed, priced_at, ended_at, computed_at = agreed === undefined ? priced_at : ended_at } = cost
  const { total, currency, trace } = priced
  const money = (amount: number): string => `${amount.toFixed(trace.rounding.minor_units)} ${currency}`
  const computed = totalBeforeAgreement(priced)
  const about = { source: 'billing', ...nothing } as const
  const entries: StoryEntry[] = [
    { ...about, at: Date.parse(computed_at), name: 'priced', title: `The cost was calculated: ${money(computed)}` },
  ]
  if (computed !== total)
    entries.push({
      ...about,
      at: Date.parse(priced_at),
      name: 'agreed',
      title: `The cost was corrected to what was agreed: ${money(total)}`,
    })
  return entries
}

/** What somebody has written, and who: `The display showed less. (Back office)` */
function saidBy(view: ReadView, session: Session, text: string | undefined, by: string | undefined): string | null {
  const name = by === undefined ? undefined : actorName(view, session.organization_id, by)
  if (text === undefined) return name === undefined ? null : `By ${name}`
  return name === undefined ? text : `${text} (${name})`
}

function ofDisputes(view: ReadView, session: Session): StoryEntry[] {
  return view
    .list(disputesTable, [session.session_id], { limit: limits.storyEntriesOfSource })
    .flatMap(({ dispute_id, reason, status, created_at, opened_by, updated_at, updated_by, note }) => {
      const about = { source: 'dispute', reference: dispute_id } as const
      const entries: StoryEntry[] = [
        {
          ...about,
          at: Date.parse(created_at),
          name: 'opened',
          title: 'The cost was disputed',
          detail: saidBy(view, session, reason, opened_by),
        },
      ]
      if (updated_at !== undefined)
        entries.push({
          ...about,
          at: Date.parse(updated_at),
          name: status,
          title: `The dispute is ${status.replace('_', ' ')}`,
          detail: saidBy(view, session, note, updated_by),
        })
      return entries
    })
}

function ofPayment(view: ReadView, session: Session): StoryEntry[] {
  const guest = guestOf(view, session.organization_id, session.id_tag)
  if (guest?.session_id !== session.session_id) return []
  const { payment, created_at, guest_session_id: reference } = guest
  const minorUnits = minorUnitsOf(payment.currency)
  const money = (minor: number): string => `${amountOf(minor, minorUnits).toFixed(minorUnits)} ${payment.currency}`
  const about = { source: 'payment', reference, detail: null } as const
  const entries: StoryEntry[] = [
    {
      ...about,
      at: Date.parse(created_at),
      name: 'authorized',
      title: `A guest asked to charge: ${money(payment.authorized_minor)} to be set aside`,
    },
  ]
  if (payment.captured_at !== undefined && payment.capture_minor !== undefined)
    entries.push({
      ...about,
      at: Date.parse(payment.captured_at),
      name: 'captured',
      title: `${money(payment.capture_minor)} were captured`,
    })
  for (const { status, amount_minor, refunded_at, due_since, error } of payment.refunds ?? [])
    entries.push({
      ...about,
      at: Date.parse(refunded_at ?? due_since),
      name: `refund_${status}`,
      title: `Refund of ${money(amount_minor)}: ${status}`,
      detail: error ?? null,
    })
  return entries
}

/** Acts of people on the session itself. */
const actions: Readonly<Record<string, string>> = {
  closeSession: 'An operator closed the session',
  attachUnmatchedTransaction: `An operator attached a ${stopTransaction.action}`,
}

function ofAudit(view: ReadView, { organization_id, session_id }: Session): StoryEntry[] {
  const limit = limits.storyEntriesOfSource
  return Object.entries(actions).flatMap(([action, title]) =>
    view.listBy(auditTable, 'doneToSession', [organization_id, session_id, action], { limit }).map(
      ({ id, at, key_name, user_id }): StoryEntry => ({
        at: timeOfEntry({ at, id }),
        source: 'audit',
        name: action,
        title,
        detail:
          key_name === undefined && user_id === undefined
            ? null
            : `By ${key_name ?? actorName(view, organization_id, user_id ?? '')}`,
        reference: id,
      }),
    ),
  )
}

/** All but messages and events. */
export function storedStory(view: ReadView, session: Session, period: StoryPeriod, now: number): StoryEntry[] {
  return [
    ...ofSession(view, session),
    ...ofStatuses(session),
    ...ofCommands(view, session, period),
    ...ofLimits(view, session, period, now),
    ...ofAlerts(view, session, period),
    ...ofBilling(view, session),
    ...ofDisputes(view, session),
    ...ofPayment(view, session),
    ...ofAudit(view, session),
  ]
}
