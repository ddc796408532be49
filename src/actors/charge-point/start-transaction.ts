// StartTransaction: a charge begins (OCPP 1.6, 4.8). It is on disk before it is answered, and a repeat of it finds the same transaction.

import {
  type AuthorizationStatus,
  type IdTagInfo,
  startTransaction as message,
  type StartTransactionRequest,
  type StartTransactionResponse,
  unknownMeterStart,
} from '../../ocpp16/index.js'
import { type ChargePoint, chargePointsTable } from '../../records/charge-point.js'
import { mayHaveConnector } from '../../records/connector-count.js'
import { foldIdTag } from '../../records/id-tag.js'
import { ocpiCommandTokensTable } from '../../records/ocpi-command-token.js'
import { ocpiAnswersTable } from '../../records/ocpi-token.js'
import { type Session, sessionsTable } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { askPartners } from './ask-partners.js'
import { assumeCharging } from './assumed-charging.js'
import { authMethodOf, forgetRemoteStart, isNewlyAuthorized } from './auth-method.js'
import { type Authorization, authorizeIdTag, authorizeOrAsk } from './authorization.js'
import { type JudgedTime, judgeTime } from './clock-skew.js'
import { concurrencyOf } from './concurrent-transaction.js'
import { noteFreeCharging } from './free-charging.js'
import { guestStarted, infoForStart } from './guests.js'
import { refuseTransaction } from './keep-within.js'
import { connectorCountOf, isPlausibleConnector, mostOpenSessions, noteConnector } from './named-connectors.js'
import { type Answer, defineHandler, type LaterAnswer } from './request-handler.js'
import { activeReservations, isReservedForAnother, useReservation } from './reservations.js'
import { commandTokenOf, permissionOf } from './roaming.js'
import { costAtStart } from './session-cost.js'
import { sessionAuthorized, sessionStarted } from './session-events.js'
import { statusesAtStart } from './session-statuses.js'
import { closeByEstimate, isOwnSession, openOnConnector } from './sessions.js'
import { watchSilence } from './silence.js'
import { replaceSession, type State } from './state.js'
import { type TariffAtStart, tariffAtStart } from './tariff-at-start.js'
import { newTransactionId } from './transaction-id.js'
import { noteUnknownTag } from './unknown-tags.js'

export const startTransaction = defineHandler({
  message,
  needs: 'Accepted',
  handle(state, request, context, receivedAt) {
    const connectorId = outletOf(state, request.connectorId)
    const found = authorizeOrAsk(state, request.idTag, context, connectorId)
    if (!('question' in found)) {
      const begun = beginTransaction(state, request, found, context, receivedAt)
      return 'later' in begun
        ? begun
        : { ...begun, effects: [...(begun.effects ?? []), ...usePermission(state, request, found, context)] }
    }
    // What has been answered once is answered again as it was.
    const startKey = startKeyOf(request, request.meterStart)
    const isRepeat = findRepeated(state, startKey, judgeTime(request.timestamp, receivedAt), receivedAt, context)
    if (isRepeat !== undefined) {
      const authorization = authorizeIdTag(state, request.idTag, context)
      return beginTransaction(state, request, authorization, context, receivedAt)
    }
    return askPartners(state, { by: 'start', request, connectorId }, receivedAt, found.question)
  },
})

/** Stores the session, whatever is known of the driver: `authorization` is what the charge point is told of the tag. */
export function beginTransaction(
  state: State,
  request: StartTransactionRequest,
  { info: tagInfo, known, roaming }: Authorization,
  context: Context,
  receivedAt: number,
): Answer<StartTransactionResponse> | LaterAnswer {
  const organizationId = state.row.organization_id
  const time = judgeTime(request.timestamp, receivedAt)
  const startKey = startKeyOf(request, request.meterStart)
  const repeated = findRepeated(state, startKey, time, receivedAt, context)
  if (repeated !== undefined) {
    const idTagInfo = infoForRepeat(tagInfo, repeated)
    return { response: { transactionId: repeated.transaction_id, idTagInfo }, effects: noteRepeat(repeated) }
  }
  const refusal = refuseTransaction(state, context)
  if (refusal !== undefined) return refusal
  const guestOrTag = infoForStart(tagInfo, organizationId, request.idTag, context)
  const connectorId = outletOf(state, request.connectorId)
  const asked = { connectorId, idTag: request.idTag, at: time.at }
  const concurrency = guestOrTag.status === 'Accepted' ? concurrencyOf(state, asked, receivedAt, context) : undefined
  const parent = guestOrTag.parentIdTag
  const wanted = { connector_id: connectorId, id_tag: request.idTag, ...(parent && { parent_id_tag: parent }) }
  const reservations = activeReservations(state, context)
  const isReserved = guestOrTag.status === 'Accepted' && isReservedForAnother(state, wanted, time.at, reservations)
  const info: IdTagInfo = isReserved
    ? { ...guestOrTag, status: 'Invalid' }
    : concurrency?.charges === true
      ? { ...guestOrTag, status: 'ConcurrentTx' }
      : guestOrTag

  // As it is stored: word of a change may come after what was said under it.
  const registration = context.read().get(chargePointsTable, [context.id])
  const effects: Effect[] = [stillRegistered(registration, organizationId, context), ...(concurrency?.effects ?? [])]
  const previous = openOnConnector(state, connectorId)
  if (previous !== undefined)
    effects.push(...closeByEstimate(state, previous, { reason: 'PowerLoss' }, context).effects)
  // More than it has connectors: of a charge point that names new ones without end.
  const [oldest] = state.open
  if (oldest !== undefined && state.open.length >= mostOpenSessions(state))
    effects.push(...closeByEstimate(state, oldest, { reason: 'Other' }, context).effects)
  // Nearly a repeat: the same start with another reading. It counts as a session of its own, and says what is odd.
  const odd = previous !== undefined && previous.start_key === startKeyOf(request, previous.meter_start)
  const tariff = tariffAtStart(organizationId, time.at, context)
  const started = newSession(state, request, connectorId, { ...info }, time, startKey, receivedAt, context)
  const { session, effects: used } = useReservation(
    state,
    underTariff(
      {
        ...started,
        ...(registration?.site_id !== undefined && { site_id: registration.site_id }),
        auth_method: authMethodOf(state, request.idTag, context),
        ...(roaming !== undefined && { roaming }),
        flags: [
          ...started.flags,
          ...tariff.flags,
          ...(odd ? ['start_differs_in_meter'] : []),
          ...(isReserved ? ['reserved_for_another'] : []),
        ],
      },
      tariff,
      context,
    ),
    reservations,
    context,
  )
  effects.push(
    ...noteConnector(state, connectorId, context),
    ...assumeCharging(state, session, context),
    ...tariff.effects,
    ...used,
    replaceSession(state, session),
    ...watchSilence(state, context),
  )
  if (tariff.isFree) effects.push(...noteFreeCharging(state, connectorId, context))
  if (!known) effects.push(...noteUnknownTag(organizationId, request.idTag, context))
  if (info.status === 'Accepted' && isNewlyAuthorized(state, request.idTag, context)) {
    effects.push(sessionAuthorized(state, request.idTag, session.auth_method ?? 'remote', context))
  }
  forgetRemoteStart(state, request.idTag)
  if (roaming?.auth_method === 'COMMAND') effects.push(...useCommandToken(state, request.idTag, context))
  effects.push(sessionStarted(session), ...guestStarted(session, context))
  return { response: { transactionId: session.transaction_id, idTagInfo: info }, effects }
}

const neverStored = -1

/** A charge point that is removed at this moment, or is somebody else's by now, starts no session: it is told to try again. */
function stillRegistered(registration: ChargePoint | undefined, organizationId: string, context: Context): Effect {
  const key = [context.id]
  const isOwn = registration?.organization_id === organizationId
  const version = isOwn ? registration.version : neverStored
  return effect.require({ table: chargePointsTable.name, key, is: 'version', version })
}

/** A tag that was refused for what went on at the time was refused, whatever goes on now. */
function infoForRepeat(info: IdTagInfo, { authorization, flags, roaming, parent_id_tag: parent }: Session): IdTagInfo {
  // Its partner has been asked once, and is not asked again.
  if (roaming !== undefined)
    return { status: authorization as AuthorizationStatus, ...(parent !== undefined && { parentIdTag: parent }) }
  if (info.status === 'Accepted' && flags.includes('reserved_for_another')) return { ...info, status: 'Invalid' }
  const wasConcurrent = info.status === 'Accepted' && authorization === 'ConcurrentTx'
  return wasConcurrent ? { ...info, status: 'ConcurrentTx' } : info
}

/** A partner's word is good for one charge. */
function usePermission(
  state: State,
  { idTag }: StartTransactionRequest,
  { roaming }: Authorization,
  context: Context,
): readonly Effect[] {
  if (roaming?.auth_method !== 'AUTH_REQUEST') return []
  const answer = permissionOf(context.read(), state.row, idTag, roaming.partner_id)
  if (answer === undefined) return []
  const { name: table, key: keyOf } = ocpiAnswersTable
  return [
    effect.require({ table, key: keyOf(answer), is: 'version', version: answer.version }),
    effect.put(ocpiAnswersTable, { ...answer, version: answer.version + 1, is_used: true }),
  ]
}

/** The partner may have another charge started with the token meanwhile: that is another permission. */
function useCommandToken(state: State, idTag: string, context: Context): readonly Effect[] {
  const row = commandTokenOf(context.read(), state.row, idTag)
  if (row === undefined) return []
  const { name: table, key: keyOf } = ocpiCommandTokensTable
  const key = keyOf(row)
  return [
    effect.require({ table, key, is: 'version', version: row.version }),
    effect.remove(ocpiCommandTokensTable, key),
  ]
}

function underTariff(session: Session, { kept, snapshot }: TariffAtStart, context: Context): Session {
  if (snapshot === undefined) return session
  const cost = costAtStart(context.read(), session, snapshot)
  return { ...session, ...kept, ...(cost !== undefined && { cost_so_far: cost }) }
}

function startKeyOf({ connectorId, idTag, timestamp }: StartTransactionRequest, meterStart: number): string {
  return [connectorId, foldIdTag(idTag), timestamp, meterStart].join('|')
}

/** A start that comes again after its stop changes nothing but leaves a trace; while the session runs, it is routine. */
function noteRepeat(session: Session): readonly Effect[] {
  if (session.status === 'active' || session.flags.includes('start_repeated')) return []
  return [effect.put(sessionsTable, { ...session, flags: [...session.flags, 'start_repeated'] })]
}

const repeatOfSuspectClockMs = 15 * 60_000
const repeatOfEndedMs = 24 * 3_600_000

/**
 * A charge point whose clock stands still, or starts at 1970, may say the same start of two charges. So a session that it
 * has ended itself answers for a day, and one of a suspect time for minutes: after that it is another charge, which must
 * not be lost. One that runs answers for as long as it does, and one that was closed by estimate for a day: its energy is
 * counted from the same register, so nothing is lost, and the server's clock may have been set meanwhile.
 */
function findRepeated(
  state: State,
  startKey: string,
  time: JudgedTime,
  receivedAt: number,
  context: Context,
): Session | undefined {
  const found =
    state.open.find((session) => session.start_key === startKey) ??
    context.read().listBy(sessionsTable, 'byStartKey', [context.id, startKey], { reverse: true, limit: 1 })[0]
  if (found === undefined || !isOwnSession(state, found)) return undefined
  if (found.status === 'active') return found
  const within = time.suspect && found.status === 'completed' ? repeatOfSuspectClockMs : repeatOfEndedMs
  return receivedAt - Date.parse(found.received_at) <= within ? found : undefined
}

/** Connector 0 cannot charge; on a charge point with one outlet it can only mean that one. */
function outletOf(state: State, connectorId: number): number {
  return connectorId === 0 && connectorCountOf(state) === 1 ? 1 : connectorId
}

/** One that a charge point of a known count has never named before, and one that none can have. */
function isUnknown(state: State, connectorId: number): boolean {
  const { registration, row } = state
  if (connectorId < 1 || !isPlausibleConnector(state, connectorId)) return true
  return registration?.connector_count !== undefined && !mayHaveConnector(registration, row, connectorId)
}

function newSession(
  state: State,
  request: StartTransactionRequest,
  connectorId: number,
  info: { readonly status: string; readonly parentIdTag?: string },
  time: JudgedTime,
  startKey: string,
  receivedAt: number,
  context: Context,
): Session {
  const isMetered = request.meterStart !== unknownMeterStart
  const flags = [
    ...(isMetered ? [] : ['meter_start_missing']),
    ...(time.suspect ? ['clock_suspect'] : []),
    ...(info.status === 'Accepted' ? [] : ['not_authorized']),
    ...(info.status === 'ConcurrentTx' ? ['concurrent_transaction'] : []),
    ...(isUnknown(state, connectorId) ? ['unknown_connector'] : []),
  ]
  return {
    session_id: context.newId('ses'),
    transaction_id: newTransactionId(context),
    organization_id: state.row.organization_id,
    charge_point_id: context.id,
    connector_id: connectorId,
    id_tag: request.idTag,
    authorization: info.status,
    ...(info.parentIdTag !== undefined && { parent_id_tag: info.parentIdTag }),
    status: 'active',
    started_at: new Date(time.at).toISOString(),
    ...(time.reported !== undefined && { started_at_reported: time.reported }),
    received_at: new Date(receivedAt).toISOString(),
    ...(isMetered ? { meter_start: request.meterStart } : { meter_start: 0, meter_start_unknown: true as const }),
    ...(request.reservationId !== undefined && { reservation_id: request.reservationId }),
    ...statusesAtStart(state, connectorId, time.at),
    flags,
    start_key: startKey,
  }
}
