// What the charge-point actor is told: by its socket, by the command router, by the API, and by itself.

import type { IssuedCertificate } from '../../records/client-certificate.js'
import type { LetInBy } from '../../records/let-in-by.js'
import type { Session, SessionStatus, UnmatchedTransaction } from '../../records/session.js'
import type { Address, JobOutcome, SocketMessage } from '../../runtime/actor/actor.js'
import { type WakeUp, type WakeUpMessage, wakeUpAfter } from '../../runtime/actor/wake-ups.js'
import type { ErrorCode } from '../../runtime/errors.js'
import type { ServiceClock } from '../../runtime/steady-time.js'
import type { CommandEndedMessage } from '../messages/command.js'
import type { ConfigurationMessage, OwnCallMessage } from './configuration-messages.js'
import type { DecideDisputeMessage, OpenDisputeMessage } from './dispute-messages.js'
import type { ReservationMessage } from './reservation-messages.js'
import type { RoamingAnsweredMessage } from './roaming-messages.js'
import type { SecurityUpgradeMessage } from './security-upgrade-messages.js'

export type { CallOutcome } from '../messages/command.js'

export const chargePointKind = 'charge-point'

export function chargePointAddress(chargePointId: string): Address {
  return { kind: chargePointKind, id: chargePointId, key: `${chargePointKind}/${chargePointId}` }
}

/** What the edge knew when it accepted the socket. */
export interface SocketDetails {
  /** Which life of which node holds the socket. */
  readonly incarnation: number
  readonly remoteAddress: string
  /** `ocpp1.6`, or '' from a charge point that offers no subprotocol. */
  readonly subprotocol: string
  readonly securityProfile: 0 | 1 | 2 | 3
  readonly overTls: boolean
  readonly connectedAt: number
  readonly letInBy: LetInBy
  /** The listener asks for client certificates, so that this socket could have come with one. */
  readonly certificateAsked?: true
  /** Of the client certificate, wall ms. */
  readonly certificateExpiresAt?: number
  /** Of one that the service has issued, wall ms. */
  readonly issuedCertificateFrom?: number
}

/** A CALL to send; its end is told to `router` as a `call-ended`. */
export interface CallMessage {
  readonly type: 'call'
  readonly commandId: string
  readonly action: string
  readonly payload: Readonly<Record<string, unknown>>
  /** How long its answer is waited for from now on, ms, the wait in the queue included. */
  readonly remainingMs: number
  /** Absent for a call of the actor's own whose end nobody waits for. */
  readonly router: Address | undefined
}

/** Asks whether the charge point answers a ping now; answered with a ConnectionTest. */
export interface TestConnectionMessage {
  readonly type: 'test-connection'
  /** An actor that asks: it is told a ConnectionTested instead. */
  readonly notify?: TestNotice
}

export interface TestNotice {
  readonly to: Address
  /** Of its question. */
  readonly id: string
}

export interface ConnectionTestedMessage {
  readonly type: 'connection-tested'
  readonly id: string
  readonly test: ConnectionTest
}

/** What came of a ping, as the front tells that holds the socket. */
export interface PingEndedMessage {
  readonly type: 'ping-ended'
  readonly connection: number
  /** null where no pong came in time. */
  readonly latencyMs: number | null
  /** It has answered a ping on this connection. */
  readonly answersPings: boolean
  /** It has sent something since the ping. */
  readonly wasHeard: boolean
}

export type ConnectionTest =
  | { readonly type: 'offline' }
  /** Its operator says that it breaks when pinged. */
  | { readonly type: 'not-pinged' }
  /** Too many wait for the answer already. */
  | { readonly type: 'busy' }
  | ({ readonly type: 'pinged' } & Pick<PingEndedMessage, 'latencyMs' | 'answersPings' | 'wasHeard'>)

export type ChargePointMessage =
  | SocketMessage
  | CallMessage
  | TestConnectionMessage
  | PingEndedMessage
  /** The registration was changed or removed by the API: read it again. */
  | { readonly type: 'registration-changed' }
  /** Somebody has begun or ended a capture of it. */
  | { readonly type: 'capture-changed' }
  /** What was counted of the rules that it breaks may be noted again. */
  | { readonly type: 'conformance-due' }
  /** Its site limits it no more. */
  | { readonly type: 'limits-released' }
  /** Its site has found a difference between its own state and the store. */
  | { readonly type: 'report-to-site' }
  | { readonly type: 'call-timed-out'; readonly messageId: string }
  | CertificateMessage
  | ReservationMessage
  /** A command of the actor's own has ended. */
  | CommandEndedMessage
  | WakeUpMessage
  | AttachUnmatchedMessage
  | OpenDisputeMessage
  | DecideDisputeMessage
  | CloseSessionMessage
  | AlertMessage
  | ConfigurationMessage
  | OwnCallMessage
  | SecurityUpgradeMessage
  | RoamingAnsweredMessage

export const signCertificateJob = 'sign-certificate'

/** What that job is given. */
export interface SignCertificateInput {
  /** Whose turn it takes. */
  readonly organization_id: string
  readonly csr: string
  /** Common names that may be signed: the charge point's id or its serial number. */
  readonly names: readonly string[]
  /** What the serial number of the certificate names. */
  readonly registration: string
  /** From when the newest of the registration is valid, wall ms: of two, the one that was issued later is the newer. */
  readonly laterThan?: number
}

/** What that job answers with. */
export type Signing =
  | { readonly signed: true; readonly certificate: IssuedCertificate }
  | { readonly signed: false; readonly reason: string }

/** What became of a certificate request: the job's answer, or none within its time. */
export type CertificateMessage =
  | { readonly type: 'certificate-signed'; readonly attempt: string; readonly outcome: JobOutcome }
  | { readonly type: 'certificate-overdue'; readonly attempt: string }

/** Said again for as long as the list that it comes from has it, so that one which is not heard is not missed. */
export type AlertMessage =
  /** A watch has been in its phase for long enough, if it still is what it was; `off`: nobody wants to hear of its kind. */
  | { readonly type: 'alert-due'; readonly watch: string; readonly since: number; readonly off: boolean }
  /** It was connected when an earlier process ended, and has not come back since `since`, wall ms. */
  | { readonly type: 'presence-lost'; readonly since: number }

/** A kept StopTransaction is found to be of this session; the ask is answered with an AttachReply. */
export interface AttachUnmatchedMessage {
  readonly type: 'attach-unmatched'
  readonly unmatchedId: string
  readonly sessionId: string
  /** Who found it. */
  readonly by: string
}

export type AttachReply =
  /** Also when it had been attached to this very session before. */
  | { readonly type: 'attached'; readonly session: Session; readonly unmatched: UnmatchedTransaction }
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string }

/** Ends a running session by estimate; the ask is answered with a CloseSessionReply. */
export interface CloseSessionMessage {
  readonly type: 'close-session'
  readonly sessionId: string
  /** OCPP 1.6, 7.36. */
  readonly reason: string
}

export type CloseSessionReply =
  | { readonly type: 'closed'; readonly session: Session }
  /** It had ended before. */
  | { readonly type: 'ended'; readonly status: SessionStatus }
  | { readonly type: 'unknown' }

export const removedReason = 'registration-removed/'

/** Whoever takes a registration away writes this with it, so that its actor hears of it whatever happens in between. */
export function removalWakeUp(chargePointId: string, version: number, clock: Pick<ServiceClock, 'steady'>): WakeUp {
  return wakeUpAfter(chargePointAddress(chargePointId), `${removedReason}${version}`, 0, clock)
}

export const claimedReason = 'registration-claimed/'

/** The same of a claim, upon which the actor passes on what is its installer's. */
export function claimWakeUp(chargePointId: string, version: number, clock: Pick<ServiceClock, 'steady'>): WakeUp {
  return wakeUpAfter(chargePointAddress(chargePointId), `${claimedReason}${version}`, 0, clock)
}
