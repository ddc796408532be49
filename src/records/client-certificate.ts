// To whom a client certificate was issued: the serial number of one that the service has signed names the registration for which it was
// signed, so that it is good for that one alone, for as long as it is not revoked. Nothing has to be remembered for that, and a store that
// is restored from a backup knows the certificates that were signed since. One that the authority has issued elsewhere says nothing of
// the kind, and is good for whoever has its common name.

import { createHash } from 'node:crypto'
import type { ChargePoint } from './charge-point.js'

export interface IssuedCertificate {
  /** Hex, as certificates show it. */
  readonly serial_number: string
  readonly issued_at: string
  readonly expires_at: string
}

/** What serial numbers that the service has made begin with; "amps" as bytes, which are positive as an integer (RFC 5280, 4.1.2.2). */
const mark = '616d7073'
const registrationBytes = 8
const serialNumberCharacters = 40

/**
 * Names a registration since its certificates were last revoked, hex. Whoever registers the id again has another; an organization that
 * claims the charge point of an installer has the same, since what was issued for the box is good for it still.
 */
export function registrationMark(chargePoint: ChargePoint): string {
  const { organization_id, installed, charge_point_id, created_at, certificates_revoked_at = '' } = chargePoint
  const registeredBy = installed?.installer_id ?? organization_id
  const named = JSON.stringify([registeredBy, charge_point_id, created_at, certificates_revoked_at])
  return createHash('sha256')
    .update(named)
    .digest('hex')
    .slice(0, 2 * registrationBytes)
}

/** At most the 20 bytes that RFC 5280 allows, 8 of them random. */
export function serialNumberFor(registration: string, random: Buffer): Buffer {
  const serialNumber = Buffer.concat([Buffer.from(mark + registration, 'hex'), random])
  return serialNumber.subarray(0, serialNumberCharacters / 2)
}

/** Of a certificate as Node.js shows it. */
export interface PresentedCertificate {
  readonly serialNumber: string
  readonly validFrom: string
}

/** Whether it was issued to another registration, or has been revoked. */
export function isRevoked(certificate: PresentedCertificate, chargePoint: ChargePoint): boolean {
  const serialNumber = certificate.serialNumber.toLowerCase()
  if (serialNumber.startsWith(mark) && serialNumber.length === serialNumberCharacters)
    return !serialNumber.startsWith(mark + registrationMark(chargePoint))
  const revokedAt = chargePoint.certificates_revoked_at
  return revokedAt !== undefined && Date.parse(certificate.validFrom) <= Date.parse(revokedAt)
}
