// What the charge-point actor holds in memory: the registration, what the charge point told, its open sessions, and its calls.

import type { EventAbout } from '../../events/define-event.js'
import type { ExchangeLog } from '../../ocpi/exchange-log.js'
import type { Deviation, RawMessageId } from '../../ocpp16/index.js'
import { type ChargePoint, chargePointsTable } from '../../records/charge-point.js'
import type { ChargePointCounts } from '../../records/charge-point-day.js'
import { type ChargePointState, chargePointStatesTable } from '../../records/charge-point-state.js'
import type { ConfigurationStep } from '../../records/configuration.js'
import { undeclaredConnectors } from '../../records/connector-count.js'
import { knownConnection, type LiveNodes } from '../../records/presence.js'
import type { UpgradeCall } from '../../records/security-upgrade.js'
import { type Register, type Session, sessionsTable } from '../../records/session.js'
import { lastSeenAt, signsOfLifeTable } from '../../records/sign-of-life.js'
import type { Context, Effect, ReplyAddress } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { Draws } from '../messages/site.js'
import { type Allowance, allowanceFrom, storedAllowance } from './allowance.js'
import { awaitedStops } from './awaited-stops.js'
import { type CallQueue, emptyCallQueue } from './call-queue.js'
import { type ConformanceState, emptyConformance } from './conformance-state.js'
import { emptyMessageLog, type MessageLog } from './message-log-state.js'
import type { SocketDetails, TestNotice } from './messages.js'
import { runningCapture } from './running-capture.js'

/** What the actor is made with: the part of the service's settings that it needs, and which nodes live. */
export interface ChargePointSettings {
  readonly live: LiveNodes
  readonly heartbeatIntervalSeconds: number
  readonly bootRetrySeconds: number
  readonly provisionalCloseSeconds: number
  /** Whether there is an authority that can sign certificate requests. */
  readonly signsCertificates: boolean
  /** Whether what is said is kept, but for captures. */
  readonly logsMessages: boolean
  /** For secrets. */
  randomBytes(length: number): Buffer
}

/** Where an answer goes that does not leave at once. */
export interface AnswerTo {
  readonly connection: number
  /** As it stood in the frame. */
  readonly messageId: RawMessageId
}

/** A certificate request that is being checked. */
interface PendingSigning {
  readonly attempt: string
  /** For which registration, as `registrationMark` names it. */
  readonly registration: string
  readonly to: AnswerTo
}

/** Reservations that are being made, by number. */
type HeldReservations = Map<number, { readonly connectorId: number; readonly until: number }>

/** A remote start that the charge point has accepted. Memory alone has it: after a restart of its shard, it is taken for a card. */
export interface RemoteStart {
  /** Wall ms. */
  readonly at: number
  /** Whether session.authorized has been told for it. */
  readonly told: boolean
}

interface Configuring {
  /** The call that is waiting, or waits for its answer. */
  readonly call?: { readonly id: string; readonly step: ConfigurationStep }
  /** The keys that a look for drift still asks for; absent in an application, which is in the store. */
  readonly checking?: readonly string[]
}

export interface UpgradeCallUnderWay {
  readonly id: string
  readonly call: UpgradeCall
  /** Of the connection when it was sent. */
  readonly epoch: number
}

/** What the site was told last, by identity: it is told again when one of these is another. */
export interface Reported {
  readonly siteId: string
  readonly epoch: number
  readonly isReady: boolean
  readonly bootedAt: string | undefined
  readonly cleared: string | undefined
  readonly connectors: number | undefined
  readonly open: readonly Session[]
  readonly draws: Draws
  /** The sessions that were named. */
  readonly sessions: string
  /** Monotonic ms. */
  readonly at: number
}

export interface State {
  readonly settings: ChargePointSettings
  /** Undefined once the registration is gone: such a charge point is told nothing more. */
  registration: ChargePoint | undefined
  row: ChargePointState
  /** The row in memory has changed in ways that may wait for the next write. */
  unsaved: boolean
  /** Wall ms of the last sign of life in the stored row. */
  savedSeenAt: number
  /** What the stored row says of the last sign of life. */
  rowSeenAt: string | undefined
  open: readonly Session[]
  /** Open sessions, by session id, whose connector is Available again: their StopTransaction is due. */
  readonly awaitingStop: Set<string>
  /** A wake-up to look for silence is stored, as far as this state knows. */
  watchesSilence: boolean
  /** The organization has been told that its charge point charges for nothing, as far as this state knows. */
  toldOfFreeCharging: boolean
  /** When somebody was last warned of implausible energy, wall ms, as far as this state knows. */
  warnedOfImplausibleAt: number
  connection: number | undefined
  /** How that was let in; as far as this state knows. */
  details: SocketDetails | undefined
  /** The last socket that is over: it may be announced again, with its end, when its shard has died. */
  endedConnection: number | undefined
  epoch: number
  readonly calls: CallQueue
  /** The newest stored instant of meter values, in ms, by owner. */
  readonly newestSamples: Map<string, number>
  /** What the register of a session has told, by session id. */
  readonly registers: Map<string, Register>
  malformedInARow: number
  /** What the thread knows of the logs of roaming partners. */
  readonly exchanges: ExchangeLog
  /** Questions to roaming partners that are under way, as far as this state knows. */
  asking: number
  /** The certificate request that is not answered yet. */
  signing: PendingSigning | undefined
  /** When the last one was taken, monotonic ms. */
  signingTakenAt: number
  askedToBoot: boolean
  readonly held: HeldReservations
  /** Reservations that the charge point is being told the end of, by command id. */
  readonly cancelling: Map<string, string>
  /** Of what it says, what may still be stored. */
  allowance: Allowance
  /** Who wait for the answer to a ping. */
  readonly testers: ReplyAddress[]
  /** The same of actors. */
  readonly testNotices: TestNotice[]
  /** What the frame in hand has broken. */
  readonly broken: Deviation[]
  /** What it has sent since that was noted last. */
  readonly counted: { messages: number; heartbeats: number }
  /** What was noted last of what it has sent on a day; as far as this state knows. */
  noted: ChargePointCounts | undefined
  readonly conformance: ConformanceState
  /** What the service itself is doing with the configuration. */
  configuring: Configuring | undefined
  /** An earlier owner of the charge point may have sent the next change of the application already. */
  mayHaveSentChange: boolean
  /** The call that is under way on the way to a higher security profile. */
  upgradeCall: UpgradeCallUnderWay | undefined
  /** Accepted lately and not begun yet, by folded tag. */
  readonly remoteStarts: Map<string, RemoteStart>
  /** What it was asked for by a TriggerMessage, and until when it is waited for, monotonic ms. */
  readonly triggered: Map<string, number>
  /** What each connector draws, where its site is to hear of it; another map with each change. */
  draws: Draws
  /** What its site was told last; as far as this state knows. */
  reported: Reported | undefined
  /** The calls that clear limits of a site which the charge point is in no more, as far as they are not answered. */
  readonly clearing: Set<string>
  /** Names the last time that they were cleared. */
  cleared: string | undefined
  messageLog: MessageLog
}

/** What becomes of a message, or of the actor's being loaded, beside what follows every one of them. */
export type Turn<Rest extends readonly unknown[]> = (
  state: State,
  ...rest: readonly [...Rest, Context]
) => readonly Effect[]

export function loadState(settings: ChargePointSettings, exchanges: ExchangeLog, context: Context): State {
  const view = context.read()
  const registration = view.get(chargePointsTable, [context.id])
  // It may be of who had the id before: `isForeign`.
  const row = storedRow(context) ?? freshRow(context.id, registration)
  // The socket that the store knows: its end, or a newer one, may be what is about to be told.
  const known = knownConnection(row, settings.live)
  const open = openSessions(row, context)
  return {
    settings,
    registration,
    row,
    unsaved: false,
    savedSeenAt: row.last_seen_at === undefined ? 0 : Date.parse(row.last_seen_at),
    rowSeenAt: view.get(chargePointStatesTable, [context.id])?.last_seen_at,
    open,
    awaitingStop: awaitedStops(open, view),
    watchesSilence: false,
    toldOfFreeCharging: false,
    warnedOfImplausibleAt: Number.NEGATIVE_INFINITY,
    connection: row.connected ? known : undefined,
    details: undefined,
    endedConnection: row.connected ? undefined : known,
    epoch: row.connection_epoch ?? 0,
    calls: emptyCallQueue(),
    newestSamples: new Map(),
    registers: new Map(),
    malformedInARow: 0,
    exchanges,
    asking: 0,
    signing: undefined,
    signingTakenAt: Number.NEGATIVE_INFINITY,
    askedToBoot: false,
    held: new Map(),
    cancelling: new Map(),
    allowance: allowanceFrom(row.allowance, registration, context),
    testers: [],
    testNotices: [],
    broken: [],
    counted: { messages: 0, heartbeats: 0 },
    noted: undefined,
    conformance: emptyConformance(),
    configuring: undefined,
    mayHaveSentChange: row.configuration?.state === 'applying',
    upgradeCall: undefined,
    remoteStarts: new Map(),
    triggered: new Map(),
    draws: new Map(),
    reported: undefined,
    clearing: new Set(),
    cleared: undefined,
    messageLog: emptyMessageLog(runningCapture(row.organization_id, context)),
  }
}

/** What a charge point told while it was another organization's is not this one's to see: to be left with `keepsRegistration`. */
export function isForeign({ row, registration }: Pick<State, 'row' | 'registration'>): boolean {
  return registration !== undefined && registration.organization_id !== row.organization_id
}

function openSessions(row: ChargePointState, context: Context): readonly Session[] {
  const group = [row.organization_id, row.charge_point_id]
  return context.read().listBy(sessionsTable, 'activeAtChargePoint', group)
}

/**
 * Reads the registration again; false when it is gone or another organization's. Nothing is left of the former one then,
 * so that who registers the id next begins anew.
 */
export function keepsRegistration(state: State, context: Context): boolean {
  const registration = context.read().get(chargePointsTable, [context.id])
  state.registration = registration
  if (registration !== undefined && !isForeign(state)) return true
  state.row = freshRow(context.id, registration)
  state.open = openSessions(state.row, context)
  state.awaitingStop.clear()
  state.watchesSilence = false
  state.toldOfFreeCharging = false
  state.warnedOfImplausibleAt = Number.NEGATIVE_INFINITY
  // Whoever has it now is not to pay for what it has said before.
  state.allowance = allowanceFrom(undefined, registration, context)
  state.remoteStarts.clear()
  state.triggered.clear()
  state.conformance.counted = undefined
  state.counted.messages = 0
  state.counted.heartbeats = 0
  state.noted = undefined
  state.held.clear()
  state.cancelling.clear()
  state.newestSamples.clear()
  state.registers.clear()
  state.signingTakenAt = Number.NEGATIVE_INFINITY
  // An answer that comes now is not for who asked then.
  state.calls.late = undefined
  // It was let in by the registration that is gone.
  endConnection(state)
  state.messageLog = emptyMessageLog(undefined)
  state.askedToBoot = false
  state.savedSeenAt = 0
  state.unsaved = false
  return false
}

/** Whether its registration allows what needs this status. */
export function registeredFor(state: State, needs: 'nothing' | 'Pending' | 'Accepted'): boolean {
  if (state.registration === undefined) return false
  const { registration } = state.row
  return needs === 'nothing' || registration === 'Accepted' || (needs === 'Pending' && registration === 'Pending')
}

export function endConnection(state: State): void {
  state.endedConnection = state.connection ?? state.endedConnection
  state.connection = undefined
}

function freshRow(chargePointId: string, registration: ChargePoint | undefined): ChargePointState {
  return {
    charge_point_id: chargePointId,
    organization_id: registration?.organization_id ?? '',
    run: 0,
    connected: false,
    registration: 'none',
    connectors: [],
    power_watts: 0,
  }
}

/** Changes the row and saves it, with everything that waited for a write. */
export function saveRow(state: State, change: Partial<ChargePointState>, context: Context): Effect {
  const now = context.now()
  const { allowance: _, ...row } = state.row
  const allowance = storedAllowance(state, context)
  state.row = { ...row, ...change, ...(allowance && { allowance }), last_seen_at: new Date(now).toISOString() }
  state.savedSeenAt = now
  return put(state)
}

/** The same where the charge point itself has said nothing. */
export function keepRow(state: State, change: Partial<ChargePointState>): Effect {
  state.row = { ...state.row, ...change }
  return put(state)
}

function put(state: State): Effect {
  countConnectors(state)
  state.unsaved = false
  state.rowSeenAt = state.row.last_seen_at
  return effect.put(chargePointStatesTable, state.row)
}

/** Whether what the row says of its connectors has changed with what the operator declares: it is to be saved then. */
export function countConnectors(state: State): boolean {
  const { registration, row } = state
  const count = registration === undefined ? 0 : undeclaredConnectors(registration, row)
  if (count === (row.undeclared_connectors ?? 0)) return false
  state.row = { ...row, undeclared_connectors: count }
  return true
}

/** What is stored, with the last sign of life that was noted since. */
function storedRow(context: Context): ChargePointState | undefined {
  const view = context.read()
  const row = view.get(chargePointStatesTable, [context.id])
  if (row === undefined) return undefined
  const last_seen_at = lastSeenAt(view, row)
  return last_seen_at === undefined ? row : { ...row, last_seen_at }
}

/** With the time until a note is written, the last sign of life is known to the minute. */
const seenEveryMs = 30_000
/** Of one that is heard more seldom, or by a clock that has been set, all is saved. */
const seldomMs = 15 * 60_000

/** A sign of life is noted by itself: a heartbeat costs no write of the whole row, and waits for none. */
export function noteSignOfLife(state: State, context: Context): readonly Effect[] {
  // A frame of a charge point that is registered no more must not bring its row back.
  // Either way: a clock that was set back must not leave the sign of life in the future.
  const since = Math.abs(context.now() - state.savedSeenAt)
  if (state.registration === undefined || since < seenEveryMs) return none
  if (state.unsaved || since >= seldomMs) return [saveRow(state, {}, context)]
  state.savedSeenAt = context.now()
  state.row = { ...state.row, last_seen_at: new Date(state.savedSeenAt).toISOString() }
  const sign = { charge_point_id: context.id, seen_at: state.savedSeenAt, after: state.rowSeenAt }
  return [effect.note(signsOfLifeTable, sign)]
}

const none: readonly Effect[] = []

export function replaceSession(state: State, session: Session): Effect {
  const others = state.open.filter((open) => open.session_id !== session.session_id)
  state.open = session.status === 'active' ? [...others, session] : others
  if (session.status !== 'active') {
    state.awaitingStop.delete(session.session_id)
    if (others.every(({ connector_id }) => connector_id !== session.connector_id))
      forgetDraw(state, session.connector_id)
  }
  return effect.put(sessionsTable, session)
}

/** Its session is over: what it drew says nothing of the next one. */
function forgetDraw(state: State, connectorId: number): void {
  if (!state.draws.has(connectorId)) return
  state.draws = new Map([...state.draws].filter(([id]) => id !== connectorId))
}

/** For events: whose charge point it is, and that they are about it. */
export function aboutChargePoint(state: State, context: Context): EventAbout {
  return { organizationId: state.row.organization_id, subject: context.id }
}
