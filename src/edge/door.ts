// Decides about an upgrade: who it is, and whether it may connect now. Changes nothing but the counts of those who come.

import type { SocketDetails } from '../actors/charge-point/messages.js'
import { type ChargePoint, chargePointsTable, reservedIds } from '../records/charge-point.js'
import { chargePointStatesTable, comesWithNewer, owesCertificate } from '../records/charge-point-state.js'
import type { Clock } from '../runtime/clock.js'
import type { ReadView } from '../runtime/store/store.js'
import type { Settings } from '../settings.js'
import type { AdmissionControl } from './admission.js'
import { type Authentication, authenticate } from './authenticate.js'
import { readIdentity } from './identity.js'
import { isForeignPage } from './origin.js'
import { type Away, away, foreignOrigin, reservedIdentity, twoAuthorizations, unknownChargePoint } from './refusal.js'
import type { Registrar } from './registrar.js'
import type { Strangers } from './strangers.js'
import { chooseSubprotocol } from './subprotocol.js'

export interface DoorOptions {
  /** Which life of which node this is. */
  readonly incarnation: number
  readonly settings: Settings
  readonly tls: boolean
  /** Whether the listener asks for client certificates now. */
  readonly asksForCertificates: () => boolean
  readonly clock: Clock
  readonly view: () => ReadView
  readonly admission: AdmissionControl
  readonly strangers: Strangers
  readonly draining: () => boolean
  readonly registrar: Registrar
}

/** What an upgrade asks, copied: uWebSockets.js's own request is gone after its handler. */
export interface UpgradeRequest {
  readonly target: string
  readonly subprotocols: string
  readonly authorization: string
  /** Whether it has sent more than one of them. */
  readonly authorizedTwice: boolean
  readonly origin: string
  readonly host: string
  readonly key: string
  readonly remoteAddress: string
  readonly certificatePem: string
}

export type Decision =
  | {
      readonly ok: true
      readonly chargePoint: ChargePoint
      readonly details: SocketDetails
      /** It is not registered yet: nothing reaches its actor before it is. */
      readonly newcomer: boolean
    }
  | Away

export interface Door {
  decide(asked: UpgradeRequest): Decision
  /** By its id in any case. */
  chargePointOf(id: string): ChargePoint | undefined
  authenticated(chargePoint: ChargePoint, asked: UpgradeRequest): Authentication
  /** What the actor learns of it. */
  shownBy(authentication: Extract<Authentication, { ok: true }>): ShownDetails
}

type ShownDetails = Pick<
  SocketDetails,
  'securityProfile' | 'overTls' | 'letInBy' | 'certificateAsked' | 'certificateExpiresAt' | 'issuedCertificateFrom'
>

export function createDoor(options: DoorOptions): Door {
  const { settings, clock, admission, strangers, asksForCertificates } = options
  const origins = { allowed: settings.allowed_origins, publicUrl: settings.public_url }

  function chargePointOf(id: string): ChargePoint | undefined {
    const view = options.view()
    return (
      view.get(chargePointsTable, [id]) ??
      view.listBy(chargePointsTable, 'byFoldedId', [id.toLowerCase()], { limit: 1 })[0]
    )
  }

  /** Of one that was let in before, spelt as it is registered; read at once, because it may be another's since. */
  function ownerOf(chargePointId: string): string | undefined {
    return options.view().get(chargePointsTable, [chargePointId])?.organization_id
  }

  /** From where it was let in last, in whatever case it writes its id. */
  function lastAddressOf(id: string): string | undefined {
    const known = chargePointOf(id)?.charge_point_id
    return known === undefined ? undefined : options.view().get(chargePointStatesTable, [known])?.remote_address
  }

  /** Only a listener that asks for certificates can hold a charge point to the one it has shown before. */
  function mustPresent(chargePoint: ChargePoint): boolean {
    if (!asksForCertificates()) return false
    return owesCertificate(chargePoint, options.view().get(chargePointStatesTable, [chargePoint.charge_point_id]))
  }

  function authenticated(chargePoint: ChargePoint, asked: UpgradeRequest): Authentication {
    const owes = mustPresent(chargePoint)
    const stateNow = () => options.view().get(chargePointStatesTable, [chargePoint.charge_point_id])
    return authenticate(chargePoint, {
      ...asked,
      tls: options.tls,
      now: clock.now(),
      owesCertificate: owes,
      comesWithNewer: (validFrom) => comesWithNewer(chargePoint, stateNow(), validFrom),
      cpoName: settings.cpo_name,
    })
  }

  function shownBy(authentication: Parameters<Door['shownBy']>[0]): ShownDetails {
    const { securityProfile, letInBy, certificateExpiresAt, issuedCertificateFrom } = authentication
    return {
      securityProfile,
      overTls: options.tls,
      letInBy,
      ...(asksForCertificates() && { certificateAsked: true }),
      ...(certificateExpiresAt !== undefined && { certificateExpiresAt }),
      ...(issuedCertificateFrom !== undefined && { issuedCertificateFrom }),
    }
  }

  /** Everything that must hold before a socket is accepted, cheapest first. */
  function decide(asked: UpgradeRequest): Decision {
    const identity = readIdentity(asked.target)
    const shown = identity.ok ? identity.chargePointId : identity.shown
    if (options.draining()) {
      return away(shown, {
        status: 503,
        reason: 'shutting_down',
        advice: 'The service is stopping.',
        retryAfterSeconds: 5,
      })
    }
    const stranger = strangers.admit(asked.remoteAddress, shown, () => (identity.ok ? lastAddressOf(shown) : undefined))
    if (!stranger.ok) {
      const { isListed, ...refused } = stranger
      if (!isListed) return away(shown, { status: 503, ...refused, unlisted: true })
      const owner = identity.ok ? chargePointOf(shown)?.organization_id : undefined
      return away(shown, { status: 503, ...refused, rare: true }, owner)
    }
    const again = admission.admitAgain(shown)
    if (!again.ok) return away(shown, { status: 503, ...again }, ownerOf(shown))
    const admitted = admission.admit()
    if (!admitted.ok) return away(shown, { status: 503, ...admitted })
    if (!identity.ok) return away(shown, identity)
    if (asked.authorizedTwice) return away(shown, twoAuthorizations)
    const registered = chargePointOf(identity.chargePointId)
    if (registered === undefined && reservedIds.has(identity.chargePointId)) return away(shown, reservedIdentity)
    const adopts = settings.unknown_charge_points === 'accept'
    const chargePoint = registered ?? (adopts ? options.registrar.newcomer(identity.chargePointId) : undefined)
    if (chargePoint === undefined) return away(shown, unknownChargePoint)
    const owner = chargePoint.organization_id
    const subprotocol = chooseSubprotocol(asked.subprotocols, settings.require_subprotocol)
    if (!subprotocol.ok) return away(shown, { status: 400, ...subprotocol }, owner)
    const authentication = authenticated(chargePoint, asked)
    if (!authentication.ok) return away(shown, authentication, owner)
    if (authentication.securityProfile === 0 && isForeignPage(asked.origin, asked.host, origins))
      return away(shown, foreignOrigin, owner)
    const noRoom = registered === undefined ? options.registrar.takeRoom(chargePoint, asked.remoteAddress) : undefined
    if (noRoom !== undefined) return away(shown, noRoom)
    const calm = admission.admitChargePoint(chargePoint)
    if (!calm.ok) return away(shown, { status: 503, ...calm }, owner)
    if (authentication.usedNewKey && chargePoint.previous_authorization_key !== undefined)
      options.registrar.retirePreviousKey(chargePoint)
    else if (chargePoint.without_password === true && authentication.letInBy.key !== undefined)
      options.registrar.requirePassword(chargePoint)
    const details = {
      incarnation: options.incarnation,
      remoteAddress: asked.remoteAddress,
      subprotocol: subprotocol.echo,
      connectedAt: clock.now(),
      ...shownBy(authentication),
    }
    return { ok: true, chargePoint, details, newcomer: registered === undefined }
  }

  return { decide, chargePointOf, authenticated, shownBy }
}
