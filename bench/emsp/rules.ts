// What the standard says of objects beyond their form, each rule as a function of the object as it was and as it is (OCPI 2.2.1, 8 to 11). Returns what
// is wrong, in sentences.

import { isSameParty, keyOfParty, type Party } from '../../src/ocpi/headers.js'
import type { ChargingPeriod } from '../../src/ocpi/schemas/charging-period.js'
import type { Connector, Evse, Location } from '../../src/ocpi/schemas/location.js'
import type { Session } from '../../src/ocpi/schemas/session.js'
import { canonical } from './check-object.js'
import { instantOf } from './times.js'

interface Dated {
  readonly last_updated: string
}

const at = (text: string): number => instantOf(text) ?? Number.NaN

export const isOlder = (one: Dated, other: Dated): boolean => at(one.last_updated) < at(other.last_updated)

/** `what` is left out of the comparison. */
function without<Of extends object>(object: Of, what: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== what))
}

/** Of one object, or part of one: times only grow, and with each change. */
export function orderFaults(name: string, before: Dated | undefined, after: Dated, parts = ''): string[] {
  if (before === undefined) return []
  if (isOlder(after, before))
    return [`${name} goes back: its last_updated was ${before.last_updated}, and is ${after.last_updated}`]
  if (isOlder(before, after) || canonical(without(before, parts)) === canonical(without(after, parts))) return []
  return [`${name} has changed, and its last_updated has not (${after.last_updated})`]
}

const byId = <Part extends { readonly id: string }>(parts: readonly Part[], id: string): Part | undefined =>
  parts.find((part) => part.id.toUpperCase() === id.toUpperCase())

export const evseOf = (location: Location, uid: string): Evse | undefined =>
  location.evses?.find((evse) => evse.uid.toUpperCase() === uid.toUpperCase())

function repeated(ids: readonly string[]): readonly string[] {
  const upper = ids.map((id) => id.toUpperCase())
  return ids.filter((_, index) => upper.indexOf(upper[index] as string) < index)
}

export function connectorFaults(name: string, before: Connector | undefined, after: Connector): string[] {
  return orderFaults(`connector ${after.id} of ${name}`, before, after)
}

/** eMI3: `NL*AMP*E1234`. */
const evseId = /^[A-Z]{2}\*?[A-Z0-9]{3}\*?E[A-Z0-9][A-Z0-9*]{0,30}$/i

export function evseFaults(before: Evse | undefined, after: Evse): string[] {
  const name = `EVSE ${after.uid}`
  const gone = (before?.connectors ?? []).filter(({ id }) => byId(after.connectors, id) === undefined)
  return [
    ...orderFaults(name, before, after, 'connectors'),
    ...repeated(after.connectors.map(({ id }) => id)).map((id) => `${name} has two connectors ${id}`),
    ...gone.map(({ id }) => `${name} has lost its connector ${id}`),
    ...(after.evse_id !== undefined && !evseId.test(after.evse_id) ? [`${name}: ${after.evse_id} is no EVSE id`] : []),
    ...after.connectors
      .filter((connector) => isOlder(after, connector))
      .map(({ id }) => `${name} has an older last_updated than its connector ${id}`),
    ...after.connectors.flatMap((connector) =>
      connectorFaults(name, before && byId(before.connectors, connector.id), connector),
    ),
  ]
}

export function locationFaults(before: Location | undefined, after: Location): string[] {
  const evses = after.evses ?? []
  const gone = (before?.evses ?? []).filter(
    ({ uid, status }) => status !== 'REMOVED' && evseOf(after, uid) === undefined,
  )
  return [
    ...orderFaults('it', before, after, 'evses'),
    ...repeated(evses.map(({ uid }) => uid)).map((uid) => `it has two EVSEs ${uid}`),
    ...gone.map(({ uid }) => `its EVSE ${uid} is gone, and was not REMOVED before`),
    ...evses
      .filter((evse) => isOlder(after, evse))
      .map(({ uid }) => `it has an older last_updated than its EVSE ${uid}`),
    ...evses.flatMap((evse) => evseFaults(before && evseOf(before, evse.uid), evse)),
  ]
}

/** `end` is undefined while the session goes on. */
export function periodFaults(periods: readonly ChargingPeriod[], start: string, end: string | undefined): string[] {
  const faults: string[] = []
  if (end !== undefined && at(end) < at(start)) faults.push('its end is before its start')
  let before = at(start)
  for (const [index, { start_date_time, dimensions }] of periods.entries()) {
    const name = `its charging period ${index + 1}`
    if (at(start_date_time) < before)
      faults.push(`${name} begins before ${index === 0 ? 'the session' : 'the one before'}`)
    if (end !== undefined && at(start_date_time) > at(end)) faults.push(`${name} begins after the end`)
    if (dimensions.some(({ volume }) => volume < 0)) faults.push(`${name} has a volume below 0`)
    before = at(start_date_time)
  }
  return faults
}

/** Whose driver it is: of others, a partner is told nothing. */
export function ownerFaults({ cdr_token }: Pick<Session, 'cdr_token'>, own: Party): string[] {
  return isSameParty(cdr_token, own)
    ? []
    : [`it is of a driver of ${keyOfParty(cdr_token)}, and not of ${keyOfParty(own)}`]
}

const constant = ['start_date_time', 'cdr_token', 'currency', 'location_id', 'evse_uid', 'connector_id'] as const
const isFinal = ({ status }: Session): boolean => status === 'COMPLETED' || status === 'INVALID'

/** `isWhole`: what is known of it was told at once, so that nothing is missing. */
export function sessionFaults(before: Session | undefined, after: Session, own: Party, isWhole: boolean): string[] {
  const { start_date_time, end_date_time, charging_periods = [], status } = after
  const faults = [...ownerFaults(after, own), ...periodFaults(charging_periods, start_date_time, end_date_time)]
  if (status === 'COMPLETED' && end_date_time === undefined) faults.push('it is COMPLETED, and has no end_date_time')
  if (before === undefined) return faults
  if (isWhole) faults.push(...orderFaults('it', before, after))
  else if (isOlder(after, before)) faults.push(...orderFaults('it', before, after))
  if (before.status === 'ACTIVE')
    for (const name of constant)
      if (canonical(before[name]) !== canonical(after[name]))
        faults.push(`its ${name} was ${canonical(before[name])}, and is ${canonical(after[name])}`)
  if (
    isWhole &&
    isFinal(before) &&
    canonical(without(before, 'last_updated')) !== canonical(without(after, 'last_updated'))
  )
    faults.push(`it was ${before.status}, which is final, and has changed`)
  if (isFinal(before) && before.status !== status)
    faults.push(`it was ${before.status}, which is final, and is ${status}`)
  return faults
}
