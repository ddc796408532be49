// The alerts of a charge point. Its actor notes what holds in its own row, and raises or resolves in its own commit; when a cause
// has held for long enough it is told. So nothing that comes often costs a read or a commit more than it did.

import { certificateExpiring } from '../../alert-kinds/certificate-expiring.js'
import { chargePointOffline } from '../../alert-kinds/charge-point-offline.js'
import { connectorFaulted } from '../../alert-kinds/connector-faulted.js'
import { type WatchOfKind, watchOf } from '../../alert-kinds/index.js'
import { type Finding, notWanted, raise, resolve } from '../../alerts/alert.js'
import { noteCause, raised, resolvedWatch, verdictOf } from '../../alerts/watch.js'
import {
  alertsTable,
  connectorOfWatch,
  kindOfWatch,
  phaseOf,
  type Watch,
  type Watches,
  watchKey,
} from '../../records/alert.js'
import type { ConnectorState } from '../../records/charge-point-state.js'
import { isOnline } from '../../records/presence.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { lostWithTheService } from './connection-events.js'
import { limits } from './limits.js'
import type { AlertMessage } from './messages.js'
import { noPower } from './power.js'
import { keepRow, type State } from './state.js'

const none: readonly Effect[] = []
const offline = chargePointOffline.name
const faulted = connectorFaulted.name
const certificate = certificateExpiring.name

export function handleAlert(state: State, message: AlertMessage, context: Context): readonly Effect[] {
  return message.type === 'alert-due' ? alertDue(state, message, context) : presenceLost(state, message.since, context)
}

function withWatch(watches: Watches | undefined, key: string, watch: Watch | undefined): Watches {
  const { [key]: _, ...others } = watches ?? {}
  return watch === undefined ? others : { ...others, [key]: watch }
}

/** The part of the row that changes with a cause; nothing where nothing does. */
export function noteWatch(
  row: { readonly watches?: Watches },
  key: string,
  holds: boolean,
  now: number,
): { readonly watches?: Watches } {
  const before = row.watches?.[key]
  const after = noteCause(before, holds, now)
  return after === before ? {} : { watches: withWatch(row.watches, key, after) }
}

export function noteOffline(state: State, isOffline: boolean, context: Context): { readonly watches?: Watches } {
  return noteWatch(state.row, offline, isOffline, context.now())
}

export function noteFault(state: State, connector: ConnectorState, context: Context): { readonly watches?: Watches } {
  const key = watchKey(faulted, connector.connector_id)
  // One that names connectors without end is not watched without end.
  const full = Object.keys(state.row.watches ?? {}).length >= limits.watchesPerChargePoint
  if (full && state.row.watches?.[key] === undefined) return {}
  return noteWatch(state.row, key, connector.status === 'Faulted', context.now())
}

/** Other hardware has taken the place of what the connectors belonged to: what is Faulted there it tells anew. */
export function endFaults(
  state: State,
  context: Context,
): { readonly change: { readonly watches?: Watches }; readonly effects: readonly Effect[] } {
  const watches = Object.entries(state.row.watches ?? {})
  const faults = watches.filter(([key]) => kindOfWatch(key) === faulted)
  if (faults.length === 0) return { change: {}, effects: none }
  return {
    change: { watches: Object.fromEntries(watches.filter(([key]) => kindOfWatch(key) !== faulted)) },
    effects: faults.flatMap(([, { alert_id }]) =>
      alert_id === undefined ? none : resolve(alert_id, context, 'the charge point has been replaced by another'),
    ),
  }
}

/** The certificate that it has connected with is watched by its end; another one takes the place of the last. */
export function noteCertificate(
  watches: Watches | undefined,
  expiresAt: number | undefined,
  context: Context,
): { readonly change: { readonly watches?: Watches }; readonly effects: readonly Effect[] } {
  const before = watches?.[certificate]
  if (expiresAt === undefined || before?.since === expiresAt) return { change: {}, effects: none }
  return {
    change: { watches: withWatch(watches, certificate, { since: expiresAt }) },
    effects: before?.alert_id === undefined ? none : resolve(before.alert_id, context),
  }
}

/** A watch that was due may not be the one that it was: what has come or gone meanwhile has another time. */
function alertDue(
  state: State,
  { watch: key, since, off }: Extract<AlertMessage, { type: 'alert-due' }>,
  context: Context,
): readonly Effect[] {
  const watch = state.row.watches?.[key]
  const watched = watchOf(kindOfWatch(key))
  if (watch === undefined || watch.since !== since || watched === undefined) return none
  const phase = phaseOf(watch)
  // The clock was set back since it was noted.
  if (since > context.now() && watched.time === 'beginning' && !off)
    return [save(state, key, { ...watch, since: context.now() })]
  const verdict = off ? (phase === 'begins' ? undefined : 'resolve') : verdictOf(phase)
  if (verdict === undefined) return none
  if (verdict === 'raise') {
    const { alert, effects } = raise(findingOf(state, key, watched, watch, context), context)
    return [...effects, save(state, key, raised(watch, alert.alert_id))]
  }
  const resolved = watch.alert_id === undefined ? none : resolve(watch.alert_id, context, off ? notWanted : undefined)
  return [...resolved, save(state, key, resolvedWatch(watch))]
}

function save(state: State, key: string, watch: Watch | undefined): Effect {
  return keepRow(state, { watches: withWatch(state.row.watches, key, watch) })
}

function findingOf({ row }: State, key: string, watch: WatchOfKind, { since }: Watch, context: Context): Finding {
  const connectorId = connectorOfWatch(key)
  return {
    kind: kindOfWatch(key),
    organizationId: row.organization_id,
    subject: connectorId === undefined ? context.id : `${context.id}/${connectorId}`,
    chargePointId: context.id,
    ...(connectorId !== undefined && { connectorId }),
    ...watch.find({ row, at: new Date(since).toISOString(), connectorId }),
  }
}

/** A process that was killed told of no end: it is told once it is clear that the charge point does not come back at once. */
function presenceLost(state: State, since: number, context: Context): readonly Effect[] {
  const { row, settings } = state
  if (isOnline(row, settings.live)) return none
  // What was found is a row of whose id this was before.
  if (!row.connected) return [keepRow(state, {})]
  const disconnected_at = row.last_seen_at ?? new Date(since).toISOString()
  const presence_lost_at = new Date(since).toISOString()
  const watched = noteWatch(row, offline, true, since)
  return [
    ...lostWithTheService(row, settings.live, context),
    keepRow(state, { connected: false, disconnected_at, presence_lost_at, ...noPower, ...watched }),
  ]
}

/**
 * Alerts of a charge point that is registered no more, or another organization's now: they are over, as many as were watched.
 * Those that the row names are its own; one read where a registration has changed hands, never otherwise.
 */
export function resolveForeign(
  state: State,
  context: Context,
  why = 'the charge point has been removed',
): readonly Effect[] {
  const own = new Set(Object.values(state.row.watches ?? {}).map(({ alert_id }) => alert_id))
  return context
    .read()
    .listBy(alertsTable, 'openOfChargePoint', [context.id])
    .filter(({ alert_id }) => !own.has(alert_id))
    .flatMap(({ alert_id }) => resolve(alert_id, context, why))
}
