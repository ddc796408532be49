// The drivers of the partner: the tokens that the operator pulls, and the answers in real time whether one may charge (OCPI 2.2.1, 12).

import { randomUUID } from 'node:crypto'
import type { Party } from '../../src/ocpi/headers.js'
import type { Allowed, AuthorizationInfo, LocationReferences, Token, Whitelist } from '../../src/ocpi/schemas/token.js'

export interface Driver {
  readonly token: Token
  /** What is answered in real time. */
  readonly allowed: Allowed
}

export interface Drivers {
  /** Adds or changes one; what is not said of a new one is usual. */
  set(uid: string, fields?: DriverFields): Driver
  get(uid: string, type?: string): Driver | undefined
  /** In the order in which they came to be known. */
  list(): readonly Driver[]
  authorize(driver: Driver, location: LocationReferences | undefined): AuthorizationInfo
  /** Whether the partner has given this reference to the operator. */
  gave(reference: string): boolean
  /** A reference for a command. */
  reference(): string
}

export interface DriverFields {
  readonly type?: Token['type']
  readonly valid?: boolean
  readonly whitelist?: Whitelist
  readonly allowed?: Allowed
  readonly groupId?: string
}

const key = (uid: string, type: string): string => `${type} ${uid.toUpperCase()}`

export function createDrivers(own: Party, issuer: string): Drivers {
  const drivers = new Map<string, Driver>()
  const references = new Set<string>()
  let newest = 0

  /** Each change is later than the one before, also within a millisecond. */
  function now(): string {
    newest = Math.max(Date.now(), newest + 1)
    return new Date(newest).toISOString()
  }

  function reference(): string {
    const given = randomUUID()
    references.add(given)
    return given
  }

  return {
    set(uid, { type = 'RFID', valid = true, whitelist = 'ALLOWED', allowed, groupId } = {}) {
      const token: Token = {
        country_code: own.country_code,
        party_id: own.party_id,
        uid,
        type,
        contract_id: `${own.country_code}-${own.party_id}-${uid}`.slice(0, 36),
        issuer,
        ...(groupId !== undefined && { group_id: groupId }),
        valid,
        whitelist,
        last_updated: now(),
      }
      const driver = { token, allowed: allowed ?? (valid ? 'ALLOWED' : 'BLOCKED') }
      drivers.set(key(uid, type), driver)
      return driver
    },
    get: (uid, type = 'RFID') => drivers.get(key(uid, type)),
    list: () => [...drivers.values()],
    authorize({ token, allowed }, location) {
      return {
        allowed,
        token,
        ...(location !== undefined && { location }),
        ...(allowed === 'ALLOWED' && { authorization_reference: reference() }),
      }
    },
    gave: (given) => references.has(given),
    reference,
  }
}
