// How a charge point is connected, and why it is not, in plain words; of every surface.

import { Type } from 'typebox'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { ChargePointState } from '../../../records/charge-point-state.js'
import { isOnline, wasLost } from '../../../records/presence.js'
import { lastSeenAt } from '../../../records/sign-of-life.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { endpointOf, stateOf } from '../charge-points/charge-points.js'
import { type Absence, hasLeft, whatToCheck } from './absence-words.js'
import { attemptView, possibleAttempt } from './attempt-words.js'
import { closeView, isReplacement } from './close-words.js'
import { limits } from './limits.js'
import { possibleAttempts } from './possible-attempts.js'
import type { Words } from './refused-words.js'
import type { Asker } from './whose-attempt.js'

export const diagnosisFields = {
  explanation: Type.String({ description: 'What is wrong and what to do, or that nothing is wrong, in plain words.' }),
  last_close: nullable(
    Type.Object(
      {
        code: Type.Integer({ description: 'The close code of the WebSocket; 1006 if it was not closed properly.' }),
        reason: Type.String(),
        at: timestamp(),
        cause: Type.String({ description: 'Why the connection ended.' }),
        remedy: Type.String({ description: 'What to do about it.' }),
      },
      { description: 'How the last connection of the charge point ended; null if that is not known.' },
    ),
  ),
  attempts: Type.Array(possibleAttempt, {
    description:
      'The refused connections of the last 24 hours that could be of this charge point. Those from its last address come first, then the newest.',
  }),
}

export const websocketStates = ['open', 'closed', 'never_opened'] as const

export const connectionStatus = named('ConnectionStatus', {
  charge_point_id: Type.String(),
  connected: Type.Boolean(),
  last_heartbeat_at: nullable(
    timestamp(
      'When the charge point was last heard, to the minute: each message counts, and so does the opening of its connection.',
    ),
  ),
  websocket_state: Type.Enum([...websocketStates]),
  ip_address: nullable(Type.String({ description: 'From where the charge point is, or was, connected last.' })),
  connected_at: nullable(timestamp()),
  disconnected_at: nullable(timestamp()),
  registration: nullable(
    Type.Enum(['Accepted', 'Pending', 'Rejected'], {
      description: 'What its BootNotification was answered; null if it has sent none.',
    }),
  ),
  ocpp_endpoint: Type.String({ description: 'The address that has to be set in the charge point.' }),
  ...diagnosisFields,
})

export interface Asked {
  readonly chargePoint: ChargePoint
  readonly asker: Asker
  /** Whose long reads it takes part in. */
  readonly reader: string
}

/** What `diagnosisFields` declares. `isConnected`: as the caller has found it, so that an answer does not contradict itself. */
export async function diagnose({ chargePoint, asker, reader }: Asked, isConnected: boolean, services: Services) {
  const view = services.view()
  const state = stateOf(view, chargePoint)
  const found = await possibleAttempts(view, chargePoint, state, asker, services.longReads.of(reader))
  const endpoint = endpointOf(services.config, chargePoint.charge_point_id)
  const attempts = found.map((attempt) => attemptView(attempt, chargePoint, endpoint, asker))
  const lastClose = closeView(state, asker.isInstaller)
  const explanation = explain({ state, isConnected, attempts, lastClose, endpoint }, services)
  return { explanation, last_close: lastClose, attempts }
}

export interface Explained {
  readonly state: ChargePointState | undefined
  readonly isConnected: boolean
  readonly attempts: readonly Shown[]
  readonly lastClose: ShownClose
  readonly endpoint: string
}

/** What is wrong and what to do, or that nothing is wrong. */
export function explain({ state, isConnected, attempts, lastClose, endpoint }: Explained, services: Services): string {
  if (isConnected) return `${explainConnected(state)}${replacementWords(state, lastClose)}`
  return explainAbsence(state, absenceOf(state, lastClose, services), attempts, endpoint)
}

export async function connectionStatusOf(asked: Asked, services: Services) {
  const view = services.view()
  const { chargePoint } = asked
  const state = stateOf(view, chargePoint)
  const connected = isOnline(state, services.presence.live)
  const registration = state?.registration
  return {
    charge_point_id: chargePoint.charge_point_id,
    connected,
    last_heartbeat_at: (state && lastSeenAt(view, state)) ?? null,
    websocket_state: connected ? 'open' : state?.connected_at === undefined ? 'never_opened' : 'closed',
    ip_address: state?.remote_address ?? null,
    connected_at: state?.connected_at ?? null,
    disconnected_at: connected ? null : (state?.disconnected_at ?? null),
    registration: registration === undefined || registration === 'none' ? null : registration,
    ocpp_endpoint: endpointOf(services.config, chargePoint.charge_point_id),
    ...(await diagnose(asked, connected, services)),
  }
}

function explainConnected(state: ChargePointState | undefined): string {
  switch (state?.registration) {
    case 'Accepted':
      return 'The charge point is connected.'
    case 'Pending':
      return 'The charge point is connected, but its BootNotification was answered Pending: its registration has to be accepted.'
    case 'Rejected':
      return 'The charge point is connected, but its BootNotification was answered Rejected: its registration has to be accepted.'
    default:
      return 'The charge point is connected, but has not sent a BootNotification. Restart it.'
  }
}

type Shown = ReturnType<typeof attemptView>

/** Nobody else would come by it. */
export const isSure = ({ match }: Shown): boolean => match === 'id' || match === 'spelling' || match === 'serial_number'

type ShownClose = ReturnType<typeof closeView>

/** Said for as long as the connection lasts that has taken the place of another. */
function replacementWords(state: ChargePointState | undefined, close: ShownClose): string {
  if (close === null || !isReplacement(close) || close.at !== state?.connected_at) return ''
  return ` ${close.cause} ${close.remedy}`
}

const endedWithTheService: Words = {
  cause: 'The service was interrupted while it was connected.',
  remedy: 'It comes back by itself.',
}

/** What is stored of an earlier end says nothing of the last connection: one that ended together with the service told nobody. */
export function absenceOf(state: ChargePointState | undefined, close: ShownClose, { presence }: Services): Absence {
  const { connected_at, disconnected_at } = state ?? {}
  if (state !== undefined && wasLost(state, presence.live))
    return { ...(connected_at !== undefined && { since: connected_at }), end: endedWithTheService }
  if (disconnected_at === undefined) return connected_at === undefined ? {} : { since: connected_at }
  const end = close?.at === disconnected_at ? { end: close } : {}
  return { since: disconnected_at, endedAt: disconnected_at, ...end }
}

/**
 * Refusals of its own say why it is not there that came since then, wall ms: one that comes back at once is refused while the end of its last
 * connection is still being noted. `since`: as in an absence.
 */
export function refusedSinceMs(state: ChargePointState | undefined, since: string | undefined): number {
  if (since === undefined) return 0
  const connectedMs = Date.parse(state?.connected_at ?? since)
  return Math.max(connectedMs, Date.parse(since) - limits.endNoticedWithinMs) + 1
}

function explainAbsence(
  state: ChargePointState | undefined,
  absence: Absence,
  attempts: readonly Shown[],
  endpoint: string,
): string {
  const { since, endedAt, end } = absence
  const ownSinceMs = refusedSinceMs(state, since)
  const [likeliest] = attempts.filter((attempt) =>
    isSure(attempt)
      ? Date.parse(attempt.last_attempted_at) >= ownSinceMs
      : since === undefined || attempt.last_attempted_at > since,
  )
  const ended = end === undefined ? '' : ` ${end.cause} ${end.remedy}`
  const before =
    since === undefined
      ? 'The charge point has never been connected.'
      : endedAt === undefined
        ? `The charge point is not connected.${ended}`
        : `The charge point has not been connected since ${endedAt}.${ended}`
  if (likeliest !== undefined) {
    const tried = isSure(likeliest)
      ? `Its attempt at ${likeliest.last_attempted_at} was refused.`
      : `An attempt at ${likeliest.last_attempted_at} may have been of this charge point.`
    return `${before} ${tried} ${likeliest.cause} ${likeliest.remedy}`
  }
  const nothing = since === undefined ? 'in the last 24 hours' : 'since then'
  const tried = `${before} Nothing that could be this charge point has tried to connect ${nothing}.`
  // Its network and its address were good when it came.
  if (hasLeft(state, absence)) return tried
  return [tried, ...whatToCheck(endpoint)].join(' ')
}
