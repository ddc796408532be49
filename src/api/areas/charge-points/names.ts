// Ids and serial numbers of charge points: one set of names over all organizations and installers, compared without regard to case.

import { Type } from 'typebox'
import { chargePointsTable, reservedIds } from '../../../records/charge-point.js'
import type { AmpshardError } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import type { Draft } from '../../pipeline/draft.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { chargePointExists, serialNumberTaken } from './errors.js'

/** The common name of a certificate (RFC 5280: at most 64 characters). */
export const serialNumber = () =>
  Type.String({
    ...patternOf('^[!-~]([ -~]{0,62}[!-~])?$', '1 to 64 printable characters, without blanks at the ends'),
    description:
      "The charge point's own serial number, which may be the common name of its client certificate. No other charge point may have it as " +
      'its id or serial number.',
  })

/** Whoever has the id, nothing more is said of it. */
export function idTaken(chargePointId: string): AmpshardError {
  const message =
    'this id, or one that differs only in case, is already the id or the serial number of a charge point; choose another one, or, if it is that of your charge point, ask the operator of the installation, who can delete what an installer has registered under it'
  return chargePointExists(message, { chargePointId })
}

function requireFreeName(draft: Draft, name: string, taken: AmpshardError): void {
  draft.requireNone(chargePointsTable, { index: 'byName', group: [name.toLowerCase()] }, taken)
}

/** Throws where the id of a new charge point is a reserved word, or is taken. */
export function requireFreeId(draft: Draft, chargePointId: string): void {
  if (reservedIds.has(chargePointId)) throw invalid([{ path: '/charge_point_id', message: 'is a reserved word' }])
  requireFreeName(draft, chargePointId, idTaken(chargePointId))
}

/** One that is its charge point's own id takes no other name. */
export function requireFreeSerial(draft: Draft, serial: string | undefined, chargePointId: string): void {
  if (serial === undefined || isSameName(serial, chargePointId)) return
  const message = 'is the id or the serial number of another charge point'
  const details = [{ path: '/serial_number', message }]
  requireFreeName(draft, serial, serialNumberTaken(`the serial number ${serial} ${message}`, { details }))
}

export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
