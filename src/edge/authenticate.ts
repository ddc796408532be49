// Decides whether a charge point is who it says: Basic authentication by bytes or hex, client certificates by common name
// (Improved security for OCPP 1.6-J, profiles 0 to 3). Pure: what it needs is handed in.

import { X509Certificate } from 'node:crypto'
// Before a certificate is read: where that has Node.js load its TLS first, `node:tls` lacks functions for as long as the thread lives.
import 'node:tls'
import { namesOperator, shownOrganization } from '../jobs/pki/organization-name.js'
import { matchesAuthorizationKey } from '../records/authorization-key.js'
import { type ChargePoint, goodKeys } from '../records/charge-point.js'
import { isOurs, isRevoked } from '../records/client-certificate.js'
import { byCertificate, byIdForNow, byPassword, type LetInBy } from '../records/let-in-by.js'
import type { RefusalReason } from './refusal-reasons.js'

export type Authentication =
  | {
      readonly ok: true
      readonly securityProfile: 0 | 1 | 2 | 3
      readonly usedNewKey: boolean
      readonly letInBy: LetInBy
      /** Of its certificate, wall ms. */
      readonly certificateExpiresAt?: number
      /** Of one that the service has issued, wall ms. */
      readonly issuedCertificateFrom?: number
    }
  | { readonly ok: false; readonly status: 401 | 403; readonly reason: RefusalReason; readonly advice: string }

export interface Credentials {
  readonly authorization: string
  /** PEM of the client certificate that the TLS layer has verified; '' without one. */
  readonly certificatePem: string
  readonly tls: boolean
  /** Wall ms. */
  readonly now: number
  /** It has come with a certificate before. */
  readonly owesCertificate?: boolean
  /** Whether it has come with a certificate that was issued after one that is valid from then, wall ms. */
  readonly comesWithNewer?: (validFrom: number) => boolean
  /** What the organization of its certificate has to contain, where that is asked for. */
  readonly cpoName?: string | undefined
}

export function authenticate(chargePoint: ChargePoint, credentials: Credentials): Authentication {
  const presented = readCertificate(credentials.certificatePem)
  const refused = checkCertificate(chargePoint, presented, credentials)
  if (refused !== undefined) return refused
  if (presented !== undefined) {
    const certificateExpiresAt = Date.parse(presented.validTo)
    const letInBy = byCertificate(chargePoint, presented.serialNumber.toLowerCase())
    const issuedCertificateFrom = isOurs(presented) ? Date.parse(presented.validFrom) : undefined
    return {
      ok: true,
      securityProfile: 3,
      usedNewKey: false,
      letInBy,
      certificateExpiresAt,
      ...(issuedCertificateFrom !== undefined && { issuedCertificateFrom }),
    }
  }
  if (chargePoint.authorization_key === undefined)
    return { ok: true, securityProfile: 0, usedNewKey: false, letInBy: byPassword(chargePoint) }
  const password = basicPassword(credentials.authorization, chargePoint.charge_point_id)
  const securityProfile = credentials.tls ? 2 : 1
  const keys = password === undefined ? [] : goodKeys(chargePoint)
  const shown = keys.find((key) => password !== undefined && matchesAuthorizationKey(password, key))
  if (shown !== undefined) {
    const usedNewKey = shown === chargePoint.authorization_key
    return { ok: true, securityProfile, usedNewKey, letInBy: byPassword(chargePoint, shown) }
  }
  // Before it was sent a password, nobody looked at what it shows.
  if (chargePoint.without_password === true)
    return { ok: true, securityProfile: 0, usedNewKey: false, letInBy: byIdForNow(chargePoint) }
  if (password === undefined) {
    const advice = 'Send HTTP Basic authentication with the charge point id as the user name.'
    return { ok: false, status: 401, reason: 'no_password', advice }
  }
  const advice = 'The charge point sends another password than the one that was set for it.'
  return { ok: false, status: 401, reason: 'wrong_password', advice }
}

function checkCertificate(
  chargePoint: ChargePoint,
  presented: X509Certificate | undefined,
  { certificatePem: pem, now, owesCertificate, comesWithNewer, cpoName }: Credentials,
): Authentication | undefined {
  if (pem === '') {
    if (!(chargePoint.certificate_required ?? owesCertificate ?? false)) return undefined
    return {
      ok: false,
      status: 403,
      reason: 'no_certificate',
      advice: 'This charge point must present its client certificate.',
    }
  }
  const [name] = subjectOf(presented, 'CN')
  if (name === undefined || (name !== chargePoint.charge_point_id && name !== chargePoint.serial_number)) {
    const advice = `The certificate's common name must be the charge point's id or serial number; it is ${name ?? 'missing'}.`
    return { ok: false, status: 403, reason: 'wrong_certificate', advice }
  }
  if (presented !== undefined && isOutOfTime(presented, now)) {
    const { validFrom, validTo } = presented
    const advice = `The certificate is valid from ${validFrom} to ${validTo}: it has expired, or is not valid yet.`
    return { ok: false, status: 403, reason: 'expired_certificate', advice }
  }
  if (presented !== undefined && isRevoked(presented, chargePoint)) {
    const advice = 'This certificate has been revoked, or was issued for an earlier registration of the charge point.'
    return { ok: false, status: 403, reason: 'revoked_certificate', advice }
  }
  if (presented !== undefined && isOurs(presented) && comesWithNewer?.(Date.parse(presented.validFrom)) === true) {
    const advice = 'The charge point has connected with a newer certificate, which has taken the place of this one.'
    return { ok: false, status: 403, reason: 'superseded_certificate', advice }
  }
  const organizations = subjectOf(presented, 'O')
  if (cpoName === undefined || namesOperator(organizations, cpoName)) return undefined
  const advice = `The certificate's organization (O) must contain ${JSON.stringify(cpoName)}; it is ${shownOrganization(organizations)}.`
  return { ok: false, status: 403, reason: 'wrong_organization', advice }
}

/** The TLS layer looks at that in a full handshake alone: a client that resumes a session comes with the certificate of its first connection. */
function isOutOfTime({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validTo) <= now || Date.parse(validFrom) > now
}

/** As they are in the certificate: its subject as text has some characters escaped. */
function subjectOf(certificate: X509Certificate | undefined, attribute: 'CN' | 'O'): readonly string[] {
  const found: string | readonly string[] | undefined = certificate?.toLegacyObject().subject?.[attribute]
  return found === undefined ? [] : [found].flat()
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return pem === '' ? undefined : new X509Certificate(pem)
  } catch {
    return undefined
  }
}

/** The password's bytes: what follows `identity:`; never decoded as text, because keys are binary. */
function basicPassword(header: string, chargePointId: string): Buffer | undefined {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  const user = bytes.subarray(0, chargePointId.length).toString('latin1')
  if (bytes[chargePointId.length] !== 0x3a || user.toLowerCase() !== chargePointId.toLowerCase()) return undefined
  return bytes.subarray(chargePointId.length + 1)
}
