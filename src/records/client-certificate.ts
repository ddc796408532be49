// To whom a client certificate was issued: the serial number of one that the service has issued names the registration for which it was
// made, so that it is good for that one alone, for as long as it is not revoked. Nothing has to be remembered for that, and a store that
// is restored from a backup knows the certificates that were issued since. One that the authority has issued elsewhere says nothing of
// the kind, and is good for whoever has its common name.

import { createHash } from 'node:crypto'
import type { ChargePoint } from './charge-point.js'

/** As the thread for certificates hands it over. */
export interface IssuedCertificate {
  readonly certificatePem: string
  /** PEM of the certificates that it was issued under, nearest first. */
  readonly authorityChain: string
  /** Names the key of its authority, hex. */
  readonly authority: string
  /** Hex. */
  readonly serialNumber: string
  /** Wall ms. */
  readonly validFrom: number
  /** Wall ms. */
  readonly expiresAt: number
  /** It ends with its authority, and earlier than was asked for. */
  readonly isCut: boolean
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
  return nameOf([...registrationFields(chargePoint), chargePoint.certificates_revoked_at ?? ''])
}

/** Names a registration, whatever was revoked: that of its certificates in the list of all. */
export function registrationName(chargePoint: ChargePoint): string {
  return nameOf(registrationFields(chargePoint))
}

function registrationFields(chargePoint: ChargePoint): readonly string[] {
  const { organization_id, installed, charge_point_id, created_at } = chargePoint
  return [installed?.installer_id ?? organization_id, charge_point_id, created_at]
}

function nameOf(fields: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(fields))
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

/** Whether the service has issued it, for whichever registration. */
export function isOurs({ serialNumber }: Pick<PresentedCertificate, 'serialNumber'>): boolean {
  const folded = serialNumber.toLowerCase()
  return folded.startsWith(mark) && folded.length === serialNumberCharacters
}

/** Whether it was issued to another registration, or has been revoked. */
export function isRevoked(certificate: PresentedCertificate, chargePoint: ChargePoint): boolean {
  const serialNumber = certificate.serialNumber.toLowerCase()
  if (isOurs(certificate))
    return !serialNumber.startsWith(mark + registrationMark(chargePoint)) || isRevokedAlone(serialNumber, chargePoint)
  const revokedAt = chargePoint.certificates_revoked_at
  return revokedAt !== undefined && Date.parse(certificate.validFrom) <= Date.parse(revokedAt)
}

/** Whether it is one that was revoked by itself. `serialNumber` in lower case. */
export function isRevokedAlone(serialNumber: string, { revoked_certificates = [] }: ChargePoint): boolean {
  return revoked_certificates.some((one) => one.serial_number === serialNumber)
}
