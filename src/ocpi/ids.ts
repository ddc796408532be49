// How our things are called by partners: functions of our ids, so that they never change, as short as OCPI wants them (CiString(36)). What is
// too long becomes a readable beginning and a hash; no id of a charge point has the underscore that stands between them.

import { createHash } from 'node:crypto'
import type { Party } from './headers.js'

const longestId = 36
const hashLength = 16

/** The place that is a location: the site of a charge point, or the charge point itself where it is in none. */
export function locationIdOf(placeId: string): string {
  return fitting(placeId, longestId)
}

/** Whether two ids are one in OCPI, where they have no case (CiString). */
export function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Our id of a session, as it is stored: ids have no case in OCPI (CiString), and some partners keep them in lower case. */
export function sessionIdOf(text: string): string {
  return /^ses_/i.test(text) ? `ses_${text.slice(4).toUpperCase()}` : text
}

/** One EVSE for each connector of OCPP, which knows no EVSEs. */
export function evseUidOf(chargePointId: string, connectorId: number): string {
  const connector = `_${connectorId}`
  return `${fitting(chargePointId, longestId - connector.length)}${connector}`
}

/** Of the one connector of an EVSE: as the charge point knows it. */
export function connectorIdOf(connectorId: number): string {
  return String(connectorId)
}

const evseIdCharacters = 31

/** The EVSE id by which drivers and other platforms know it (eMI3): `NL*TNM*ECP*1*2` for connector 2 of the charge point CP-1. */
export function evseIdOf({ country_code, party_id }: Party, chargePointId: string, connectorId: number): string {
  const outlet = `${chargePointId}*${connectorId}`.toUpperCase().replaceAll('-', '*')
  const isPlain = outlet.length < evseIdCharacters && /^[A-Z0-9]/.test(outlet)
  const local = isPlain ? outlet : `${hashOf(chargePointId).toUpperCase()}*${connectorId}`
  return `${country_code.toUpperCase()}*${party_id.toUpperCase()}*E${local}`
}

/** The longest id tag of OCPP 1.6. */
const longestIdTag = 20

/** What a charge point is told in the place of the uid of a token, which may be longer than an id tag. */
export function idTagOf(tokenUid: string): string {
  if (tokenUid.length <= longestIdTag) return tokenUid
  // The uids of tokens have no case.
  return `O${hashOf(tokenUid.toLowerCase(), longestIdTag - 1).toUpperCase()}`
}

function fitting(id: string, length: number): string {
  if (id.length <= length) return id
  return `${id.slice(0, length - hashLength - 1)}_${hashOf(id)}`
}

/** Hex: two that differ only in case are one id to partners, and to us. */
function hashOf(text: string, length = hashLength): string {
  return createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, length)
}
