// The fleet in the browser: columns of typed arrays, a place for each charge point, one signal that says that something has changed. It is filled by snapshots and kept
// current by the messages of the stream; filters and sorts read the columns.

import { signal } from '@preact/signals'
import type { Schema } from './api.js'
import { type ChargePointStatus, type FleetState, wholeState } from './whole-state.js'

export type FleetColumns = Schema<'FleetColumns'>
export type FleetDictionaries = Schema<'FleetDictionaries'>
export type FleetSite = FleetDictionaries['sites'][number]
export type FleetModel = FleetDictionaries['models'][number]

export type { FleetState } from './whole-state.js'

/** Who needs eyes first. */
export const fleetStates: readonly FleetState[] = [
  'Faulted',
  'Offline',
  'SuspendedEVSE',
  'SuspendedEV',
  'Unavailable',
  'Available',
  'Charging',
  'Preparing',
  'Finishing',
  'Reserved',
]
const stateIndex = Object.fromEntries(fleetStates.map((state, at) => [state, at])) as Record<FleetState, number>

/** By the letters of the API. */
export const letterStates: Readonly<Record<string, FleetState>> = {
  A: 'Available',
  P: 'Preparing',
  C: 'Charging',
  V: 'SuspendedEV',
  E: 'SuspendedEVSE',
  F: 'Finishing',
  R: 'Reserved',
  U: 'Unavailable',
  X: 'Faulted',
  O: 'Offline',
}

export const flags = { clock: 1, deviates: 2, quarantined: 4, tariff: 8, certificate: 16, silent: 32 } as const

/** Values that many charge points have, each once. */
export interface Values<Value> {
  readonly all: readonly Value[]
  indexOf(value: Value): number
}

function createValues<Value>(nameOf: (value: Value) => string): Values<Value> {
  const all: Value[] = []
  const known = new Map<string, number>()
  return {
    all,
    indexOf(value) {
      const name = nameOf(value)
      const found = known.get(name)
      if (found !== undefined) return found
      known.set(name, all.length)
      return all.push(value) - 1
    },
  }
}

const none = -1

/** As the API numbers them. */
const statuses: readonly ChargePointStatus[] = [
  'offline',
  'available',
  'occupied',
  'charging',
  'faulted',
  'unavailable',
]

const lettersByState = Object.fromEntries(Object.entries(letterStates).map(([letter, state]) => [state, letter]))

function stateOf(status: number, connectors: string, isSilent: boolean): number {
  const has = (state: FleetState): boolean => connectors.includes(lettersByState[state] ?? ' ')
  return stateIndex[wholeState(statuses[status] ?? 'offline', has, isSilent)]
}

export interface FleetStore {
  /** Grows with every change. */
  readonly version: { value: number; peek(): number }
  /** How many places are taken or were taken: rows are below. */
  readonly end: number
  readonly size: number
  readonly ids: readonly (string | undefined)[]
  readonly names: readonly string[]
  readonly connectors: readonly string[]
  readonly latitude: Float64Array
  readonly longitude: Float64Array
  readonly state: Uint8Array
  readonly power: Float64Array
  readonly maxPower: Float64Array
  /** Seconds since 1970; 0 if unknown. */
  readonly since: Float64Array
  readonly seen: Float64Array
  readonly site: Int32Array
  /** Its own, where that is not the address of its site. */
  readonly address: Int32Array
  readonly model: Int32Array
  readonly firmware: Int32Array
  readonly error: Int32Array
  readonly alerts: Uint16Array
  readonly flags: Uint8Array
  /** When it was last told to have changed, ms of `performance.now()`; 0 since the snapshot. */
  readonly touched: Float64Array
  /** Grows with each change of the charge point. */
  readonly stamps: Uint32Array
  readonly sites: Values<FleetSite>
  readonly addresses: Values<string>
  readonly models: Values<FleetModel>
  readonly texts: Values<string>
  placeOf(id: string): number | undefined
  put(columns: FleetColumns, dictionaries: FleetDictionaries, isNew: boolean): void
  remove(ids: readonly string[]): void
  /** Removes all that is not among these. */
  keepOnly(ids: ReadonlySet<string>): void
  changed(): void
  clear(): void
}

export function createFleetStore(): FleetStore {
  let room = 1_024
  const places = new Map<string, number>()
  const free: number[] = []
  const version = signal(0)

  const store = {
    version,
    end: 0,
    ids: [] as (string | undefined)[],
    names: [] as string[],
    connectors: [] as string[],
    ...arrays(room),
    sites: createValues<FleetSite>(({ site_id, name, address }) => `${site_id} ${name}\0${address}`),
    addresses: createValues<string>((text) => text),
    models: createValues<FleetModel>(({ vendor, model }) => `${vendor}\0${model}`),
    texts: createValues<string>((text) => text),
    get size() {
      return places.size
    },
    placeOf: (id: string) => places.get(id),
    put,
    remove,
    keepOnly(ids: ReadonlySet<string>) {
      remove([...places.keys()].filter((id) => !ids.has(id)))
    },
    changed: () => void version.value++,
    clear() {
      remove([...places.keys()])
      version.value++
    },
  }

  function grow(needed: number): void {
    if (needed <= room) return
    while (room < needed) room *= 2
    const next = arrays(room)
    for (const name of Object.keys(next) as (keyof typeof next)[]) next[name].set(store[name] as never)
    Object.assign(store, next)
  }

  function placeFor(id: string): number {
    const known = places.get(id)
    if (known !== undefined) return known
    const place = free.pop() ?? store.end++
    grow(store.end)
    places.set(id, place)
    store.ids[place] = id
    return place
  }

  function put(columns: FleetColumns, dictionaries: FleetDictionaries, isNew: boolean): void {
    const sites = dictionaries.sites.map(store.sites.indexOf)
    const addresses = dictionaries.addresses.map(store.addresses.indexOf)
    const models = dictionaries.models.map(store.models.indexOf)
    const firmwares = dictionaries.firmwares.map(store.texts.indexOf)
    const errors = dictionaries.error_codes.map(store.texts.indexOf)
    const index = (known: readonly number[], at: number | null | undefined): number =>
      at === null || at === undefined ? none : (known[at] ?? none)
    const now = isNew ? 0 : performance.now()
    columns.charge_point_id.forEach((id, at) => {
      const place = placeFor(id)
      const letters = columns.connectors[at] ?? ''
      store.names[place] = columns.name[at] ?? id
      store.connectors[place] = letters
      store.latitude[place] = columns.latitude[at] ?? 0
      store.longitude[place] = columns.longitude[at] ?? 0
      const bits = columns.flags[at] ?? 0
      store.state[place] = stateOf(columns.status[at] ?? 0, letters, (bits & flags.silent) !== 0)
      store.power[place] = columns.power_watts[at] ?? 0
      store.maxPower[place] = columns.max_power_watts[at] ?? 0
      store.since[place] = columns.status_since[at] ?? 0
      store.seen[place] = columns.last_seen_at[at] ?? 0
      store.site[place] = index(sites, columns.site[at])
      store.address[place] = index(addresses, columns.address[at])
      store.model[place] = index(models, columns.model[at])
      store.firmware[place] = index(firmwares, columns.firmware[at])
      store.error[place] = index(errors, columns.error_code[at])
      store.alerts[place] = columns.open_alerts[at] ?? 0
      store.flags[place] = bits
      store.touched[place] = now
      store.stamps[place] = (store.stamps[place] ?? 0) + 1
    })
  }

  function remove(ids: readonly string[]): void {
    for (const id of ids) {
      const place = places.get(id)
      if (place === undefined) continue
      places.delete(id)
      store.ids[place] = undefined
      store.stamps[place] = (store.stamps[place] ?? 0) + 1
      free.push(place)
    }
  }

  return store
}

function arrays(room: number) {
  return {
    latitude: new Float64Array(room),
    longitude: new Float64Array(room),
    state: new Uint8Array(room),
    power: new Float64Array(room),
    maxPower: new Float64Array(room),
    since: new Float64Array(room),
    seen: new Float64Array(room),
    site: new Int32Array(room),
    address: new Int32Array(room),
    model: new Int32Array(room),
    firmware: new Int32Array(room),
    error: new Int32Array(room),
    alerts: new Uint16Array(room),
    flags: new Uint8Array(room),
    touched: new Float64Array(room),
    stamps: new Uint32Array(room),
  }
}
