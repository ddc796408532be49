// The five commands of OCPI 2.2.1 (13): each says what is refused at once, what is stored with its acceptance, and what is then done with the
// charge point, which ends in a result for the partner.

import { chosenOf } from '../../../ocpi/authorize.js'
import { isSameParty } from '../../../ocpi/headers.js'
import { idTagOf, sessionIdOf } from '../../../ocpi/ids.js'
import type {
  CancelReservation,
  CommandResultType,
  CommandType,
  ReserveNow,
  StartSession,
  StopSession,
  UnlockConnector,
} from '../../../ocpi/schemas/command.js'
import { callOf, remoteStartTransaction, remoteStopTransaction, unlockConnector } from '../../../ocpp16/index.js'
import { mayHaveConnector } from '../../../records/connector-count.js'
import { foldIdTag, idTagsTable } from '../../../records/id-tag.js'
import { type OcpiReservation, ocpiReservationsTable, partnerReservationId } from '../../../records/ocpi-command.js'
import { ocpiCommandTokensTable } from '../../../records/ocpi-command-token.js'
import { ocpiPartnersTable } from '../../../records/ocpi-partner.js'
import type { OcpiPartyId } from '../../../records/ocpi-party.js'
import {
  type OcpiTokenIdentity,
  type OcpiTokenType,
  ocpiTokenKey,
  ocpiTokensTable,
  tokensOf,
} from '../../../records/ocpi-token.js'
import { isOnline } from '../../../records/presence.js'
import { type Reservation, reservationStatus, reservationsTable } from '../../../records/reservation.js'
import { sessionsTable } from '../../../records/session.js'
import { AmpshardError, conflict } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { callsFor, emspsOf, isOwnDriver, partiesOf } from '../../surfaces/ocpi-sender.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'
import { type Commander, runCommand } from '../commands/run-command.js'
import { askChargePoint, holdConnector, sendReserveNow } from '../reservations/reserve-now.js'
import { limits } from './limits.js'
import { reservationOf } from './own-reservations.js'
import { type Outlet, outletOf } from './places.js'
import {
  type Ended,
  type Response,
  reserveStatuses,
  resultOf,
  startStatuses,
  stopStatuses,
  unlockStatuses,
} from './results.js'

export interface Command<Body> {
  /**
   * Undefined where the command is accepted: then `carryOut` follows, as soon as what the draft has is on disk. Throws what is wrong with what the
   * partner has named.
   */
  begin(body: Body, draft: Draft, asked: Asked): Response | CarryOut
}

export type CarryOut = () => Promise<Ended>

export interface Asked {
  readonly principal: OcpiPrincipal
  readonly services: Services
}

export const isResponse = (begun: Response | CarryOut): begun is Response => typeof begun !== 'function'

const rejected = (message: string): Response => ({ result: 'REJECTED', message })

function commanderOf({ partner, organization }: OcpiPrincipal): Commander {
  return { organization, name: `ocpi_partner:${partner.partner_id}` }
}

/** The charge point cannot be asked. */
function hindrance({ chargePoint, state, connectorId }: Outlet, { services }: Asked): Response | undefined {
  if (!isOnline(state, services.presence.live))
    return rejected(`The charge point ${chargePoint.charge_point_id} is not connected.`)
  if (!mayHaveConnector(chargePoint, state, connectorId)) return rejected('The connector is not there.')
  return undefined
}

function statusOf({ state, connectorId }: Outlet): string | undefined {
  return state?.connectors.find((one) => one.connector_id === connectorId)?.status
}

const inUse = new Set(['Charging', 'SuspendedEV', 'SuspendedEVSE'])

/** It is in use, or out of order, by what is known here: the charge point need not be asked. */
function unfit(outlet: Outlet): Ended | undefined {
  const status = statusOf(outlet) ?? ''
  if (inUse.has(status)) return { result: 'EVSE_OCCUPIED', message: 'A session is running at the connector.' }
  if (status === 'Faulted' || status === 'Unavailable')
    return { result: 'EVSE_INOPERATIVE', message: `The connector is ${status.toLowerCase()}.` }
  return undefined
}

/** The caller's own, whether or not its party is named: the form of the interface leaves it out. Undefined for another eMSP's. */
function identityOf({ principal }: Asked, token: StartSession['token'], view: ReadView): OcpiTokenIdentity | undefined {
  const { uid, type, contract_id } = token
  const own = unnamedParty(principal, token, view)
  const { country_code = own?.country_code ?? '', party_id = own?.party_id ?? '' } = token
  const party = { country_code, party_id }
  if (!callsFor(principal, party)) return undefined
  return { ...party, uid, type: type as OcpiTokenIdentity['type'], contract_id }
}

/** The party that has sent the token, or else the first that may have. */
function unnamedParty(
  principal: OcpiPrincipal,
  { country_code, party_id, uid, type }: StartSession['token'],
  view: ReadView,
): OcpiPartyId | undefined {
  const { partner } = principal
  const own = emspsOf(principal)
  if ((country_code !== undefined && party_id !== undefined) || own.length === 1) return own[0]
  const name = { partner_id: partner.partner_id, uid, type: type as OcpiTokenType }
  const sender = own.find((party) => view.get(ocpiTokensTable, ocpiTokenKey({ ...name, ...partyOf(party) })))
  return sender ?? own[0] ?? partner.roles[0]
}

const partyOf = ({ country_code, party_id }: OcpiPartyId): OcpiPartyId => ({ country_code, party_id })

const foreignToken = rejected('The token is of a party that is not among the roles of your credentials.')
const takenUid = rejected('The uid of the token is that of a driver of another party.')

/**
 * Whether a card with this uid is the operator's own driver's, or another party's: a charge would be in the name of the one, or the driver of the
 * other would be taken away.
 */
function isOfAnother(view: ReadView, { partner }: OcpiPrincipal, token: OcpiTokenIdentity): boolean {
  const { organization_id } = partner
  const idTag = idTagOf(token.uid)
  if (view.get(idTagsTable, [organization_id, foldIdTag(idTag)]) !== undefined) return true
  const known = tokensOf(view, organization_id, idTag).flatMap((one) => {
    const sender = view.get(ocpiPartnersTable, [one.partner_id])
    return sender?.status === 'registered' ? [{ token: one, partner: sender, pulledAt: 0 }] : []
  })
  const counts = chosenOf(known)?.token
  return counts !== undefined && !isSameParty(counts, token)
}

interface Granted {
  readonly token: OcpiTokenIdentity
  readonly given: StartSession | ReserveNow
  /** Of a reservation: wall ms. */
  readonly reservedUntil?: number
}

/** A token that is let in at a charge point by a command. */
interface Grant {
  readonly idTag: string
  /** Where nothing came of the command: what was granted before holds again, and what another has granted since stays. */
  revoke(): Promise<void>
}

/** The partner has authorized the driver: nobody is asked about the token when the charge point shows it. */
function grant(
  { principal, services }: Asked,
  { chargePoint: { charge_point_id, organization_id } }: Outlet,
  { token, given, reservedUntil }: Granted,
  draft: Draft,
): Grant {
  const id_tag = idTagOf(token.uid)
  const { partner_id } = principal.partner
  const { authorization_reference } = given
  const { group_id } = given.token
  const key = [charge_point_id, foldIdTag(id_tag)]
  const before = draft.get(ocpiCommandTokensTable, key)
  const { version } = draft.put(ocpiCommandTokensTable, {
    charge_point_id,
    organization_id,
    id_tag,
    partner_id,
    token,
    group_id,
    authorization_reference,
    reserved_until: reservedUntil,
    at: services.clock.now(),
  })
  const drop = (later: Draft): void => {
    if (later.get(ocpiCommandTokensTable, key)?.version !== version) return
    if (before === undefined) later.remove(ocpiCommandTokensTable, key)
    else later.put(ocpiCommandTokensTable, before)
  }
  const otherwise = (): AmpshardError => conflict('the token is in use')
  return { idTag: id_tag, revoke: () => commitDraft({ attempts: 5, decide: drop, otherwise }, services) }
}

/** After them no charge begins by the command; after all others one still may. */
const final: ReadonlySet<CommandResultType> = new Set([
  'REJECTED',
  'EVSE_OCCUPIED',
  'EVSE_INOPERATIVE',
  'NOT_SUPPORTED',
])

function withGrant({ revoke }: Grant, carryOut: CarryOut): CarryOut {
  return async () => {
    const ended = await carryOut()
    if (final.has(ended.result)) await revoke()
    return ended
  }
}

function call(
  asked: Asked,
  outlet: Outlet,
  ocppCall: Parameters<typeof runCommand>[1]['call'],
  statuses: Parameters<typeof resultOf>[1],
): CarryOut {
  return async () => {
    const command = {
      chargePointId: outlet.chargePoint.charge_point_id,
      command: ocppCall.action,
      parameters: ocppCall.payload,
      call: ocppCall,
      timeoutMs: limits.ocpiCallTimeoutMs,
    }
    const { outcome } = await runCommand(commanderOf(asked.principal), command, asked.services)
    return resultOf(outcome, statuses)
  }
}

const startSession: Command<StartSession> = {
  begin(body, draft, asked) {
    const { principal } = asked
    const token = identityOf(asked, body.token, draft.view)
    if (token === undefined) return foreignToken
    if (isOfAnother(draft.view, principal, token)) return takenUid
    const outlet = outletOf(principal, body, draft.view)
    const hindered = hindrance(outlet, asked)
    if (hindered !== undefined) return hindered
    const ended = unfit(outlet)
    if (ended !== undefined) return async () => ended
    const granted = grant(asked, outlet, { token, given: body }, draft)
    const { idTag } = granted
    const { connectorId } = outlet
    const ask = call(asked, outlet, callOf(remoteStartTransaction, { idTag, connectorId }), startStatuses)
    return withGrant(granted, ask)
  },
}

const stopSession: Command<StopSession> = {
  begin({ session_id }, draft, asked) {
    const { principal } = asked
    const session = draft.view.get(sessionsTable, [sessionIdOf(session_id)])
    if (session?.organization_id !== principal.organization.organization_id || session.roaming === undefined)
      return { result: 'UNKNOWN_SESSION', message: 'There is no such session.' }
    if (!isOwnDriver(principal, session.roaming)) return rejected('The session is of a driver of another party.')
    if (session.status !== 'active') return rejected('The session has ended.')
    const { charge_point_id: chargePointId, transaction_id: transactionId } = session
    return async () => {
      const ocppCall = callOf(remoteStopTransaction, { transactionId })
      const command = {
        chargePointId,
        command: ocppCall.action,
        parameters: ocppCall.payload,
        call: ocppCall,
        timeoutMs: limits.ocpiCallTimeoutMs,
      }
      const { outcome } = await runCommand(commanderOf(principal), command, asked.services)
      return resultOf(outcome, stopStatuses)
    }
  },
}

const reserve: Command<ReserveNow> = {
  begin(body, draft, asked) {
    const { principal, services } = asked
    const { partner_id } = principal.partner
    const now = services.clock.now()
    const expires_at = parseTimestamp(body.expiry_date) ?? 0
    if (expires_at <= now) throw invalid([{ path: '/expiry_date', message: 'is in the past' }])
    const token = identityOf(asked, body.token, draft.view)
    if (token === undefined) return foreignToken
    if (isOfAnother(draft.view, principal, token)) return takenUid
    const outlet = outletOf(principal, body, draft.view)
    const hindered = hindrance(outlet, asked)
    if (hindered !== undefined) return hindered
    const partner_reservation_id = partnerReservationId(token, body.reservation_id)
    const before = reservationOf(principal, [token], body.reservation_id, draft, now)
    const { chargePoint, connectorId } = outlet
    const granted = grant(asked, outlet, { token, given: body, reservedUntil: expires_at }, draft)
    const reservation_id = services.newId('res')
    draft.put(ocpiReservationsTable, {
      partner_id,
      partner_reservation_id,
      reservation_id,
      charge_point_id: chargePoint.charge_point_id,
      location_id: outlet.locationId,
      response_url: body.response_url,
      expires_at,
    })
    return withGrant(granted, async () => {
      // A reservation of the same id takes the place of the one before.
      if (before !== undefined) await cancel(before, asked)
      let ocpp_reservation_id: number
      try {
        ocpp_reservation_id = await holdConnector(services, chargePoint, connectorId)
      } catch (error) {
        if (error instanceof AmpshardError && error.kind === conflict)
          return { result: 'EVSE_OCCUPIED', message: 'The connector is reserved already.' }
        throw error
      }
      const reservation: Reservation = {
        reservation_id,
        ocpp_reservation_id,
        organization_id: chargePoint.organization_id,
        charge_point_id: chargePoint.charge_point_id,
        connector_id: connectorId,
        id_tag: granted.idTag,
        status: 'active',
        expiry_date: formatTimestamp(expires_at),
        created_at: formatTimestamp(now),
        roaming: {
          ...token,
          partner_id,
          location_id: outlet.locationId,
          ...(body.authorization_reference !== undefined && { authorization_reference: body.authorization_reference }),
        },
      }
      const { outcome, record } = await sendReserveNow(commanderOf(principal), reservation, services)
      if (record.status === 'Accepted') await askChargePoint(services, chargePoint, { type: 'reserved', reservation })
      return resultOf(outcome, reserveStatuses)
    })
  },
}

/** Whether it was active. */
async function cancel(row: OcpiReservation, { principal, services }: Asked): Promise<boolean> {
  const { reservation_id: reservationId } = row
  const reservation = services.view().get(reservationsTable, [reservationId])
  if (reservation === undefined || reservationStatus(reservation, services.clock.now()) !== 'active') return false
  const by = `ocpi_partner:${principal.partner.partner_id}`
  await askChargePoint(services, row, { type: 'cancel-reservation', reservationId, by, reason: 'roaming_partner' })
  return true
}

const cancelReservation: Command<CancelReservation> = {
  begin({ reservation_id }, draft, asked) {
    const { principal, services } = asked
    const row = reservationOf(principal, partiesOf(principal), reservation_id, draft, services.clock.now())
    if (row === undefined) return rejected('There is no such reservation.')
    return async () =>
      (await cancel(row, asked))
        ? { result: 'ACCEPTED', message: 'The reservation is cancelled.' }
        : { result: 'UNKNOWN_RESERVATION', message: 'The reservation is over.' }
  },
}

/** A charge point ends a charge when its connector is unlocked. */
function isOfAnotherDriver(outlet: Outlet, caller: OcpiPrincipal, view: ReadView): boolean {
  if (statusOf(outlet) === 'Available') return false
  const { chargePoint, connectorId } = outlet
  const running = view
    .listBy(sessionsTable, 'activeAtChargePoint', [chargePoint.organization_id, chargePoint.charge_point_id])
    .filter((session) => session.connector_id === connectorId)
  return running.length > 0 && !running.some(({ roaming }) => isOwnDriver(caller, roaming))
}

const unlock: Command<UnlockConnector> = {
  begin(body, draft, asked) {
    const { principal } = asked
    const outlet = outletOf(principal, body, draft.view)
    const hindered = hindrance(outlet, asked)
    if (hindered !== undefined) return hindered
    if (isOfAnotherDriver(outlet, principal, draft.view))
      return rejected('The driver of another party is charging at the connector.')
    const { connectorId } = outlet
    return call(asked, outlet, callOf(unlockConnector, { connectorId }), unlockStatuses)
  },
}

export const commands: Readonly<Record<CommandType, Command<never>>> = {
  CANCEL_RESERVATION: cancelReservation,
  RESERVE_NOW: reserve,
  START_SESSION: startSession,
  STOP_SESSION: stopSession,
  UNLOCK_CONNECTOR: unlock,
}
