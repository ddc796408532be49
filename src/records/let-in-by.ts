// What a connection was let in by, as marks that are no secret, so that it can be told later whether that is still good. Marks are compared,
// not times: the front that let it in may have read the registration just before it changed, and clocks are set back.

import { createHash } from 'node:crypto'
import type { AuthorizationKeyHash } from './authorization-key.js'
import { type ChargePoint, goodKeys } from './charge-point.js'
import { isRevokedAlone, registrationMark } from './client-certificate.js'

export interface LetInBy {
  /** Changes when what it has shown is taken back: its certificates, or its password. */
  readonly mark: string
  /** Names the key that it has shown. */
  readonly key?: string
  /** The serial number of the certificate that it has shown, in lower case. */
  readonly certificate?: string
  /** Without a password although there is one, because it may not use that yet. */
  readonly withoutPassword?: true
}

export function byCertificate(chargePoint: ChargePoint, certificate?: string): LetInBy {
  return { mark: registrationMark(chargePoint), ...(certificate !== undefined && { certificate }) }
}

/** Without a key, by the id alone. */
export function byPassword(chargePoint: ChargePoint, key?: AuthorizationKeyHash): LetInBy {
  return { mark: passwordMark(chargePoint), ...(key !== undefined && { key: keyMark(key) }) }
}

/** By the id alone, of one that is on its way to a password. */
export function byIdForNow(chargePoint: ChargePoint): LetInBy {
  return { ...byPassword(chargePoint), withoutPassword: true }
}

export function isCertificateGood({ mark, certificate = '' }: LetInBy, chargePoint: ChargePoint): boolean {
  return mark === registrationMark(chargePoint) && !isRevokedAlone(certificate, chargePoint)
}

/** Whether no other password has been set since; one that is only pushed leaves who is there. */
export function isPasswordGood({ mark }: LetInBy, chargePoint: ChargePoint): boolean {
  return chargePoint.authorization_key === undefined || mark === passwordMark(chargePoint)
}

/** Whether the charge point has connected with a newer key since, so that its own, or none, opens no connection any more. */
export function isKeyRetired({ key, withoutPassword }: LetInBy, chargePoint: ChargePoint): boolean {
  const good = goodKeys(chargePoint)
  if (withoutPassword === true) return good.length > 0 && chargePoint.without_password !== true
  return key !== undefined && good.length > 0 && !good.some((one) => keyMark(one) === key)
}

function passwordMark({ authorization_key_changed_at = '' }: ChargePoint): string {
  return authorization_key_changed_at
}

function keyMark({ hex_sha256 }: AuthorizationKeyHash): string {
  return createHash('sha256').update(hex_sha256).digest('hex')
}
