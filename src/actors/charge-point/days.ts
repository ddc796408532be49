// What changes of a charge point in the course of a day: whether it is connected, what its connectors say, and sessions that end. It follows every
// message after which one of these is another, so that nothing that changes them needs to know of days. What is sent is counted in memory, and noted with
// the sign of life.

import type { ConnectorStatus } from '../../ocpp16/schemas/connector-status.js'
import { isUnclaimed } from '../../records/charge-point.js'
import {
  type ChargePointCounts,
  type ChargePointDay,
  type ConnectionChange,
  chargePointCountsTable,
  chargePointDaysTable,
  connectionsIn,
  dayMs,
  dayOf,
  mostChangesOfDay,
  placeOfStatus,
  type StatusChange,
  statusesIn,
  withConnectionChanges,
  withStatusChanges,
} from '../../records/charge-point-day.js'
import { type ChargePointState, outlets } from '../../records/charge-point-state.js'
import { type LiveNodes, wasLost } from '../../records/presence.js'
import { type Session, sessionsTable } from '../../records/session.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import type { ChargePointMessage } from './messages.js'
import type { State, Turn } from './state.js'

export function withDays<Rest extends readonly unknown[]>(turn: Turn<Rest>): Turn<Rest> {
  return (state, ...rest) => {
    const { row, open, savedSeenAt } = state
    const effects = turn(state, ...rest)
    const context = rest.at(-1) as Context
    if (state.registration === undefined || isUnclaimed(state.registration)) return effects
    const counted = countFrame(
      state,
      rest[0] as ChargePointMessage | Context,
      state.savedSeenAt !== savedSeenAt,
      context,
    )
    const isSame =
      row === state.row ||
      (row.connectors === state.row.connectors &&
        row.connected === state.row.connected &&
        row.connected_at === state.row.connected_at &&
        row.assumed_charging === state.row.assumed_charging)
    if (isSame && open === state.open) return counted === undefined ? effects : [...effects, counted]
    const changed = noteChanges({ row, open }, state, effects, context)
    if (changed.length === 0 && counted === undefined) return effects
    return counted === undefined ? [...effects, ...changed] : [...effects, ...changed, counted]
  }
}

/** Of a frame; a note, where its sign of life was noted or saved. */
function countFrame(
  state: State,
  message: ChargePointMessage | Context,
  isHeard: boolean,
  context: Context,
): Effect | undefined {
  if (!('type' in message) || message.type !== 'frame') return undefined
  const { counted } = state
  counted.messages++
  if (!isHeard) return undefined
  const key = { organization_id: state.row.organization_id, charge_point_id: context.id, day: dayOf(context.now()) }
  // What was noted last may not be in the store yet.
  const isNoted = state.noted?.day === key.day && state.noted.organization_id === key.organization_id
  const before = isNoted
    ? state.noted
    : context.read().get(chargePointCountsTable, chargePointCountsTable.key({ ...key, messages: 0, heartbeats: 0 }))
  const row: ChargePointCounts = {
    ...key,
    messages: (before?.messages ?? 0) + counted.messages,
    heartbeats: (before?.heartbeats ?? 0) + counted.heartbeats,
  }
  state.noted = row
  counted.messages = 0
  counted.heartbeats = 0
  return effect.note(chargePointCountsTable, row)
}

interface Before {
  readonly row: ChargePointState
  readonly open: readonly Session[]
}

interface OfDay {
  readonly connections: ConnectionChange[]
  readonly changes: StatusChange[]
  sessions: number
  energyWh: number
}

function noteChanges(before: Before, state: State, effects: readonly Effect[], context: Context): readonly Effect[] {
  const { row } = state
  const days = new Map<number, OfDay>()
  // What it was while it was another's is not told.
  const known = before.row.organization_id === row.organization_id ? before.row : undefined
  const dayAt = (at: number): OfDay => {
    const found = days.get(dayOf(at)) ?? { connections: [], changes: [], sessions: 0, energyWh: 0 }
    days.set(dayOf(at), found)
    return found
  }
  for (const [at, began] of connectionsOf(known, row, context.now(), state.settings.live))
    dayAt(at).connections.push([secondOf(at), began])
  const now = context.now()
  for (const [connectorId, status] of statusesOf(known, row))
    dayAt(now).changes.push([secondOf(now), connectorId, placeOfStatus(status)])
  for (const { ended_at, energy_wh = 0 } of endedOf(before.open, state.open, effects)) {
    const ofDay = dayAt(endedTime(ended_at, now))
    ofDay.sessions++
    ofDay.energyWh += Math.max(0, Math.round(energy_wh))
  }
  return [...days].flatMap(([day, ofDay]) => {
    const row = withDay(known, state, day, ofDay, context)
    return row === undefined ? [] : [effect.put(chargePointDaysTable, row)]
  })
}

const secondOf = (at: number): number => Math.floor((at % dayMs) / 1_000)

/** What two bytes hold. */
const highestConnector = 0xffff

/** A clock that is far off must not make rows of days that never were. */
function endedTime(endedAt: string | undefined, now: number): number {
  const at = endedAt === undefined ? now : Date.parse(endedAt)
  return now - at > 7 * dayMs || at > now ? now : at
}

function connectionsOf(
  before: ChargePointState | undefined,
  after: ChargePointState,
  now: number,
  live: LiveNodes,
): readonly (readonly [number, 0 | 1])[] {
  const wasConnected = before?.connected === true
  if (!after.connected) return wasConnected ? [[changeTime(after.disconnected_at, now), 0]] : []
  if (wasConnected && before.connected_at === after.connected_at) return []
  const began = [changeTime(after.connected_at, now), 1] as const
  const lost = wasConnected ? lostAt(before, now, live) : undefined
  return lost === undefined ? [began] : [[Math.min(lost, began[0]), 0], began]
}

function changeTime(text: string | undefined, now: number): number {
  const at = text === undefined ? now : Date.parse(text)
  return at > now || now - at > 7 * dayMs ? now : at
}

/** When its connection ended with the service, which could not tell of it. */
function lostAt(before: ChargePointState, now: number, live: LiveNodes): number | undefined {
  return wasLost(before, live) ? changeTime(before.last_seen_at, now) : undefined
}

function statusesOf(
  before: ChargePointState | undefined,
  after: ChargePointState,
): readonly (readonly [number, ConnectorStatus])[] {
  const known = new Map(
    (before === undefined ? [] : outlets(before)).map(({ connector_id, status }) => [connector_id, status]),
  )
  return outlets(after)
    .filter(({ connector_id, status }) => known.get(connector_id) !== status && connector_id <= highestConnector)
    .map(({ connector_id, status }) => [connector_id, status] as const)
}

/** The rows with which they ended are among what is stored now. */
function endedOf(
  before: readonly Session[],
  after: readonly Session[],
  effects: readonly Effect[],
): readonly Session[] {
  if (before === after) return []
  const ended = new Set(before.map(({ session_id }) => session_id))
  for (const { session_id } of after) ended.delete(session_id)
  if (ended.size === 0) return []
  const rows = new Map<string, Session>()
  for (const one of effects)
    if (one.type === 'put' && one.table === (sessionsTable as unknown)) {
      const session = one.row as Session
      if (ended.has(session.session_id) && session.status !== 'active') rows.set(session.session_id, session)
    }
  return [...rows.values()]
}

/**
 * What it was in when a day began that has no row yet. A session may end late, on a day long past: then it was in what it was in when the day of the
 * next row began, because nothing has changed between. Without such a row it was in what it was in before this turn.
 */
function beginningOf(
  before: ChargePointState | undefined,
  { row, settings }: State,
  day: number,
  context: Context,
): Pick<ChargePointDay, 'connected' | 'statuses'> {
  const later = { from: [day + 1], limit: 1 }
  const [next] = context.read().list(chargePointDaysTable, [row.organization_id, context.id], later)
  if (next !== undefined) return { connected: next.connected, statuses: next.statuses }
  if (before === undefined) return { connected: false, statuses: [] }
  const lost = lostAt(before, context.now(), settings.live)
  return {
    connected: before.connected && (lost === undefined || lost >= day * dayMs),
    statuses: outlets(before).map(({ connector_id, status }) => [connector_id, placeOfStatus(status)] as const),
  }
}

/** Undefined where the row of the day stays as it is. */
function withDay(
  before: ChargePointState | undefined,
  state: State,
  day: number,
  { connections, changes, sessions, energyWh }: OfDay,
  context: Context,
): ChargePointDay | undefined {
  const { organization_id } = state.row
  const key = [organization_id, context.id, day]
  const stored: ChargePointDay = context.read().get(chargePointDaysTable, key) ?? {
    organization_id,
    charge_point_id: context.id,
    day,
    ...beginningOf(before, state, day, context),
    sessions: 0,
    energy_wh: 0,
  }
  // No more of its changes are kept.
  if (stored.cut_at !== undefined && sessions === 0 && energyWh === 0) return undefined
  const { connection_changes, status_changes } = stored
  const isFull =
    connectionsIn(connection_changes) + connections.length > mostChangesOfDay ||
    statusesIn(status_changes) + changes.length > mostChangesOfDay
  const cutAt = stored.cut_at ?? (isFull ? (connections[0]?.[0] ?? changes[0]?.[0] ?? 0) : undefined)
  return {
    ...stored,
    ...(cutAt !== undefined && { cut_at: cutAt }),
    ...(cutAt === undefined &&
      connections.length > 0 && { connection_changes: withConnectionChanges(connection_changes, connections) }),
    ...(cutAt === undefined && changes.length > 0 && { status_changes: withStatusChanges(status_changes, changes) }),
    sessions: stored.sessions + sessions,
    energy_wh: stored.energy_wh + energyWh,
  }
}
