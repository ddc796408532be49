// What the partner knows of the operator: each object as it was told last, whole or in parts, pushed or read. What is told is checked against
// what was known (OCPI 2.2.1, push and pull).

import type { Party } from '../../src/ocpi/headers.js'
import type { Cdr } from '../../src/ocpi/schemas/cdr.js'
import type { Connector, Evse, Location } from '../../src/ocpi/schemas/location.js'
import type { Session } from '../../src/ocpi/schemas/session.js'
import type { Tariff } from '../../src/ocpi/schemas/tariff.js'
import { billingFaults, cdrFaults } from './cdr-rules.js'
import { canonical, faultsIn, type Kind, type ObjectOf } from './check-object.js'
import { connectorFaults, evseFaults, evseOf, isOlder, locationFaults, orderFaults, sessionFaults } from './rules.js'

interface Known<Of extends Kind> {
  readonly object: ObjectOf<Of>
  readonly heardAt: number
  /** All of it was told at once. */
  readonly isWhole: boolean
}

/** How something was heard: pushed, or as the answer to a request that began when so much had been heard. */
export interface Heard {
  readonly since: number
}

export interface Told<Of extends Kind> {
  readonly object: ObjectOf<Of>
  readonly isRepeated: boolean
}

/** A part of an object of which nothing is known cannot be taken. */
export type Unknown = 'unknown'

export interface Memory {
  /** What has been heard so far, as a number that grows. */
  readonly moment: number
  get<Of extends Kind>(kind: Of, id: string): ObjectOf<Of> | undefined
  all<Of extends Kind>(kind: Of): readonly ObjectOf<Of>[]
  /** Undefined where its form is wrong. */
  tellWhole<Of extends Kind>(kind: Of, object: unknown, heard: Heard): Told<Of> | undefined
  tellEvse(location: string, evse: unknown): Told<'locations'> | Unknown | undefined
  tellConnector(location: string, evseUid: string, connector: unknown): Told<'locations'> | Unknown | undefined
  /** A part of a location, of an EVSE, or of a connector. */
  patchLocation(place: PlaceNames, patch: unknown): Told<'locations'> | Unknown | undefined
  patchSession(id: string, patch: unknown): Told<'sessions'> | Unknown | undefined
  removeTariff(id: string): Tariff | undefined
  /** Another operator, or the same anew. */
  forget(): void
}

export interface PlaceNames {
  readonly locationId: string
  readonly evseUid?: string | undefined
  readonly connectorId?: string | undefined
}

export const pushed: Heard = { since: Number.POSITIVE_INFINITY }

const key = (id: string): string => id.toUpperCase()
const sorted = (one: string, other: string): string => (one > other ? one : other)

export function createMemory(own: Party, fault: (about: string, message: string) => void): Memory {
  const known: { readonly [Of in Kind]: Map<string, Known<Of>> } = {
    locations: new Map(),
    sessions: new Map(),
    tariffs: new Map(),
    cdrs: new Map(),
  }
  let moment = 0

  function keep<Of extends Kind>(kind: Of, object: ObjectOf<Of>, isWhole: boolean): Told<Of> {
    const before = known[kind].get(key(object.id))
    known[kind].set(key(object.id), { object, heardAt: ++moment, isWhole })
    return { object, isRepeated: before !== undefined && canonical(before.object) === canonical(object) }
  }

  function wrongForm(about: string, faults: readonly string[]): boolean {
    for (const words of faults) fault(about, words)
    return faults.length > 0
  }

  const rules: { readonly [Of in Kind]: (before: Known<Of> | undefined, after: ObjectOf<Of>) => readonly string[] } = {
    locations: (before, after) => locationFaults(before?.object, after),
    sessions: (before, after) => sessionFaults(before?.object, after, own, before?.isWhole ?? true),
    tariffs: (before, after) => orderFaults('it', before?.object, after),
    cdrs: cdrRules,
  }

  function cdrRules(before: Known<'cdrs'> | undefined, after: Cdr): readonly string[] {
    if (before === undefined) {
      const others = [...known.cdrs.values()].map(({ object }) => object)
      return [...cdrFaults(after, own), ...billingFaults(after, others)]
    }
    return canonical(before.object) === canonical(after) ? [] : ['it came before, and was another: a CDR never changes']
  }

  /** Takes the location with a part of it replaced; what it is a part of changes with it. */
  function withEvse(location: Location, evse: Evse): Told<'locations'> {
    const evses = location.evses ?? []
    const isNew = evseOf(location, evse.uid) === undefined
    const last_updated = sorted(location.last_updated, evse.last_updated)
    const others = evses.map((one) => (key(one.uid) === key(evse.uid) ? evse : one))
    return keep('locations', { ...location, evses: isNew ? [...others, evse] : others, last_updated }, false)
  }

  function withConnector(location: Location, evse: Evse, connector: Connector): Told<'locations'> {
    const isNew = evse.connectors.every(({ id }) => key(id) !== key(connector.id))
    const others = evse.connectors.map((one) => (key(one.id) === key(connector.id) ? connector : one))
    const last_updated = sorted(evse.last_updated, connector.last_updated)
    return withEvse(location, {
      ...evse,
      connectors: isNew ? [...others, connector] : (others as Evse['connectors']),
      last_updated,
    })
  }

  const memory: Memory = {
    get moment() {
      return moment
    },
    get: (kind, id) => known[kind].get(key(id))?.object as never,
    all: (kind) => [...known[kind].values()].map(({ object }) => object) as never,

    tellWhole<Of extends Kind>(kind: Of, value: unknown, { since }: Heard): Told<Of> | undefined {
      const id = (value as { readonly id?: unknown } | null)?.id
      const about = `${kind} ${typeof id === 'string' ? id : 'without an id'}`
      if (wrongForm(about, faultsIn(kind, value))) return undefined
      const object = value as ObjectOf<Of>
      const before = known[kind].get(key(object.id)) as Known<Of> | undefined
      // What was heard since it was asked for may be newer than the answer.
      const isOvertaken = before !== undefined && before.heardAt > since
      if (isOvertaken && kind !== 'cdrs') {
        if (isOlder(before.object, object)) return keep(kind, object, true)
        return { object: before.object, isRepeated: true }
      }
      for (const words of rules[kind](before as never, object as never)) fault(about, words)
      return keep(kind, object, true)
    },

    tellEvse(locationId, value) {
      const location = memory.get('locations', locationId)
      if (location === undefined) return 'unknown'
      if (wrongForm(`locations ${locationId}`, faultsIn('evse', value))) return undefined
      const evse = value as Evse
      for (const words of evseFaults(evseOf(location, evse.uid), evse)) fault(`locations ${locationId}`, words)
      return withEvse(location, evse)
    },

    tellConnector(locationId, evseUid, value) {
      const location = memory.get('locations', locationId)
      const evse = location && evseOf(location, evseUid)
      if (location === undefined || evse === undefined) return 'unknown'
      if (wrongForm(`locations ${locationId}`, faultsIn('connector', value))) return undefined
      const connector = value as Connector
      const before = evse.connectors.find(({ id }) => key(id) === key(connector.id))
      for (const words of connectorFaults(`EVSE ${evseUid}`, before, connector)) fault(`locations ${locationId}`, words)
      return withConnector(location, evse, connector)
    },

    patchLocation({ locationId, evseUid, connectorId }, value) {
      const about = `locations ${locationId}`
      const location = memory.get('locations', locationId)
      if (location === undefined) return 'unknown'
      if (evseUid === undefined) {
        if (wrongForm(about, faultsIn('location', value))) return undefined
        const patched = { ...location, ...(value as Partial<Location>) }
        for (const words of locationFaults(location, patched)) fault(about, words)
        return keep('locations', patched, false)
      }
      const evse = evseOf(location, evseUid)
      if (evse === undefined) return 'unknown'
      if (connectorId === undefined) {
        if (wrongForm(about, faultsIn('evsePart', value))) return undefined
        const patched = { ...evse, ...(value as Partial<Evse>) }
        for (const words of evseFaults(evse, patched)) fault(about, words)
        return withEvse(location, patched)
      }
      const connector = evse.connectors.find(({ id }) => key(id) === key(connectorId))
      if (connector === undefined) return 'unknown'
      if (wrongForm(about, faultsIn('connectorPart', value))) return undefined
      const patched = { ...connector, ...(value as Partial<Connector>) }
      for (const words of connectorFaults(`EVSE ${evseUid}`, connector, patched)) fault(about, words)
      return withConnector(location, evse, patched)
    },

    patchSession(id, value) {
      const before = known.sessions.get(key(id))
      if (before === undefined) return 'unknown'
      if (wrongForm(`sessions ${id}`, faultsIn('sessionPart', value))) return undefined
      const patch = value as Partial<Session>
      const { charging_periods: periods = [] } = before.object
      const more = patch.charging_periods ?? []
      const session: Session = {
        ...before.object,
        ...patch,
        // Those of a patch are appended (9.2.3).
        ...(more.length > 0 && { charging_periods: [...periods, ...more] }),
      }
      for (const words of sessionFaults(before.object, session, own, before.isWhole)) fault(`sessions ${id}`, words)
      return keep('sessions', session, false)
    },

    removeTariff(id) {
      const tariff = memory.get('tariffs', id)
      known.tariffs.delete(key(id))
      moment++
      return tariff
    },

    forget() {
      for (const kind of Object.values(known)) kind.clear()
    },
  }
  return memory
}
