// The client certificates that the service has issued: for lists, for records and for the list of those that are revoked. Whether one
// opens a connection, the registration says (client-certificate.ts). The charge point's actor adds those that it has had signed; the API adds those
// that it has made, and notes under a condition that one is revoked.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import type { ChargePoint } from './charge-point.js'
import { type ChargePointState, chargePointStatesTable, comesWithNewer } from './charge-point-state.js'
import { type IssuedCertificate, isRevoked, registrationMark, registrationName } from './client-certificate.js'

export const certificateStatuses = ['active', 'superseded', 'revoked', 'expired'] as const
export type CertificateStatus = (typeof certificateStatuses)[number]

export interface Certificate {
  readonly certificate_id: string
  readonly version: number
  readonly charge_point_id: string
  /** For which it was issued, as `registrationName` names it. */
  readonly registration: string
  /** Hex. */
  readonly serial_number: string
  /** Names the key of its authority, hex. */
  readonly authority: string
  /** From a key that the service has made, or from a request of the charge point. */
  readonly source: 'key' | 'request'
  /** Who asked for it, as commands name it; absent for a request of the charge point. */
  readonly issued_by?: string
  readonly issued_at: string
  /** A day before. */
  readonly valid_from: string
  readonly expires_at: string
  readonly revoked_at?: string
}

const dayMs = 24 * 3_600_000
/** After its end. */
const keptMs = 400 * dayMs
/** Those of one registration that are kept, revoked ones not counted. One that is good is never dropped: it could no longer be listed or revoked. */
export const keptCertificates = 50
/** A few that are issued at the same time may be beyond it. */
const readCertificates = 2 * keptCertificates

export const certificatesTable = defineTable<Certificate>({
  name: 'certificates',
  key: (row) => [row.certificate_id],
  indexes: {
    ofRegistration: (row) => [{ group: [row.charge_point_id, row.registration] }],
    standing: (row) => (row.revoked_at === undefined ? [{ group: [row.charge_point_id, row.registration] }] : []),
    revoked: (row) => (row.revoked_at === undefined ? [] : [{ group: [], order: [Date.parse(row.expires_at)] }]),
    byEnd: (row) => [{ group: [], order: [Date.parse(row.expires_at)] }],
  },
  uncounted: ['revoked', 'byEnd'],
  retention: { timeOf: (row) => Date.parse(row.expires_at), index: 'byEnd', milliseconds: keptMs },
})

/** How often any certificate was revoked: lists of them that were signed at another count are not of now. */
export interface Revocations {
  readonly id: 'revocations'
  readonly version: number
}

export const revocationsTable = defineTable<Revocations>({ name: 'revocations', key: (row) => [row.id] })

export function certificatesGroup(chargePoint: ChargePoint): readonly string[] {
  return [chargePoint.charge_point_id, registrationName(chargePoint)]
}

export function certificateRow(
  issued: IssuedCertificate,
  chargePoint: ChargePoint,
  about: Pick<Certificate, 'certificate_id' | 'source' | 'issued_by'>,
  now: number,
): Omit<Certificate, 'version'> {
  return {
    ...about,
    charge_point_id: chargePoint.charge_point_id,
    registration: registrationName(chargePoint),
    serial_number: issued.serialNumber,
    authority: issued.authority,
    issued_at: new Date(now).toISOString(),
    valid_from: new Date(issued.validFrom).toISOString(),
    expires_at: new Date(issued.expiresAt).toISOString(),
  }
}

/** Keys of those that make room for one more, none of them good; undefined where as many as may be are good. */
export function replacedCertificates(
  view: ReadView,
  chargePoint: ChargePoint,
  now: number,
): readonly string[] | undefined {
  const tooMany = view.total(certificatesTable, 'standing', certificatesGroup(chargePoint)) + 1 - keptCertificates
  if (tooMany <= 0) return []
  const state = view.get(chargePointStatesTable, [chargePoint.charge_point_id])
  const over = standing(view, chargePoint).filter((row) => certificateStatus(row, chargePoint, state, now) !== 'active')
  return over.length < tooMany ? undefined : over.slice(0, tooMany).map((row) => row.certificate_id)
}

export const tooManyGood = `${keptCertificates} certificates of the charge point are good: revoke those that nobody uses, or let it connect with the newest, which ends older ones`

/** From when the newest is valid, of those that were issued and those that the charge point has come with, wall ms; 0 without any. */
export function newestValidFrom(view: ReadView, chargePoint: ChargePoint): number {
  const shown = view.get(chargePointStatesTable, [chargePoint.charge_point_id])?.newest_certificate
  const shownFrom = shown?.registration === registrationMark(chargePoint) ? shown.valid_from : 0
  return Math.max(shownFrom, ...standing(view, chargePoint).map((row) => Date.parse(row.valid_from)))
}

/** How many open a connection, of all that the service has issued for the registration. */
export function goodCertificates(view: ReadView, chargePoint: ChargePoint, now: number): number {
  return standingStatuses(view, chargePoint, now).filter((status) => status === 'active').length
}

/** Whether none opens a connection, and not because one has expired. */
export function areAllRevoked(view: ReadView, chargePoint: ChargePoint, now: number): boolean {
  return standingStatuses(view, chargePoint, now).every((status) => status === 'revoked' || status === 'superseded')
}

/** Of those that were not revoked one by one. */
function standingStatuses(view: ReadView, chargePoint: ChargePoint, now: number): readonly CertificateStatus[] {
  const state = view.get(chargePointStatesTable, [chargePoint.charge_point_id])
  return standing(view, chargePoint).map((row) => certificateStatus(row, chargePoint, state, now))
}

/** Oldest first. */
function standing(view: ReadView, chargePoint: ChargePoint): readonly Certificate[] {
  return view.listBy(certificatesTable, 'standing', certificatesGroup(chargePoint), { limit: readCertificates })
}

/** `chargePoint` is the present registration of its id. */
export function certificateStatus(
  row: Certificate,
  chargePoint: ChargePoint,
  state: ChargePointState | undefined,
  now: number,
): CertificateStatus {
  const presented = { serialNumber: row.serial_number, validFrom: row.valid_from }
  if (row.revoked_at !== undefined || isRevoked(presented, chargePoint)) return 'revoked'
  if (Date.parse(row.expires_at) <= now) return 'expired'
  return comesWithNewer(chargePoint, state, Date.parse(row.valid_from)) ? 'superseded' : 'active'
}
