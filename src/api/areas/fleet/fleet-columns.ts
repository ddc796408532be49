// The charge points of one organization as columns: some 120 bytes each, beside their names. A row keeps its place until it is removed.

import { chargePointStatuses } from '../../../records/charge-point-state.js'
import type { FleetModel, FleetRow, FleetSite } from './fleet-row.js'

/** Values that many rows have, each kept once. */
interface Shared<Value> {
  of(value: Value): number
  at(index: number): Value | undefined
  readonly size: number
}

function createShared<Value>(nameOf: (value: Value) => string): Shared<Value> {
  const indexes = new Map<string, number>()
  const values: Value[] = []
  return {
    of(value) {
      const name = nameOf(value)
      const known = indexes.get(name)
      if (known !== undefined) return known
      indexes.set(name, values.length)
      return values.push(value) - 1
    },
    at: (index) => values[index],
    get size() {
      return values.length
    },
  }
}

const none = -1
const first = 256

interface Arrays {
  latitude: Float64Array
  longitude: Float64Array
  status: Uint8Array
  power: Int32Array
  maxPower: Int32Array
  since: Float64Array
  seen: Float64Array
  site: Int32Array
  address: Int32Array
  model: Int32Array
  firmware: Int32Array
  error: Int32Array
  network: Int32Array
  connectors: Int32Array
  alerts: Uint16Array
  flags: Uint8Array
  limited: Uint8Array
}

function grown(size: number, before?: Arrays): Arrays {
  const arrays: Arrays = {
    latitude: new Float64Array(size),
    longitude: new Float64Array(size),
    status: new Uint8Array(size),
    power: new Int32Array(size),
    maxPower: new Int32Array(size),
    since: new Float64Array(size),
    seen: new Float64Array(size),
    site: new Int32Array(size),
    address: new Int32Array(size),
    model: new Int32Array(size),
    firmware: new Int32Array(size),
    error: new Int32Array(size),
    network: new Int32Array(size),
    connectors: new Int32Array(size),
    alerts: new Uint16Array(size),
    flags: new Uint8Array(size),
    limited: new Uint8Array(size),
  }
  if (before !== undefined)
    for (const name of Object.keys(arrays) as (keyof Arrays)[]) arrays[name].set(before[name] as never)
  return arrays
}

export interface FleetColumns {
  readonly size: number
  /** Whether anything but power and the last sign of life is another than before. */
  put(row: FleetRow): boolean
  /** Whether it was there. */
  remove(chargePointId: string): boolean
  get(chargePointId: string): FleetRow | undefined
  /** The next few ids after one, in their order; from the first where none is given. */
  idsAfter(id: string | undefined, count: number): readonly string[]
  /** How many values are kept that rows share, or shared once: whoever has many more of them than rows makes the columns anew. */
  readonly shared: number
}

const orNone = (value: number | null): number => value ?? none
const orNull = (value: number): number | null => (value === none ? null : value)

export function createFleetColumns(): FleetColumns {
  let arrays = grown(first)
  let room = first
  let used = 0
  const ids: (string | undefined)[] = []
  const names: string[] = []
  const places = new Map<string, number>()
  const free: number[] = []
  /** Always in order: one that comes or goes is put in its place, and not all sorted again. */
  const sorted: string[] = []
  const sites = createShared<FleetSite>(({ site_id, name, address }) => `${site_id} ${name}\0${address}`)
  const models = createShared<FleetModel>(({ vendor, model }) => `${vendor}\0${model}`)
  const texts = createShared<string>((text) => text)

  function placeFor(id: string): number {
    const known = places.get(id)
    if (known !== undefined) return known
    const place = free.pop() ?? used++
    if (place >= room) {
      room *= 2
      arrays = grown(room, arrays)
    }
    places.set(id, place)
    ids[place] = id
    sorted.splice(firstAfter(sorted, id), 0, id)
    return place
  }

  const text = (value: string | undefined): number => (value === undefined ? none : texts.of(value))
  const textAt = (index: number): string | undefined => (index === none ? undefined : texts.at(index))

  function rowAt(at: number): FleetRow {
    return {
      charge_point_id: ids[at] as string,
      name: names[at] as string,
      latitude: arrays.latitude[at] as number,
      longitude: arrays.longitude[at] as number,
      status: chargePointStatuses[arrays.status[at] as number] as FleetRow['status'],
      connectors: textAt(arrays.connectors[at] as number) ?? '',
      powerWatts: arrays.power[at] as number,
      maxPowerWatts: orNull(arrays.maxPower[at] as number),
      statusSince: orNull(arrays.since[at] as number),
      lastSeenAt: orNull(arrays.seen[at] as number),
      site: sites.at(arrays.site[at] as number),
      address: textAt(arrays.address[at] as number),
      model: models.at(arrays.model[at] as number),
      firmware: textAt(arrays.firmware[at] as number),
      errorCode: textAt(arrays.error[at] as number),
      openAlerts: arrays.alerts[at] as number,
      flags: arrays.flags[at] as number,
      network: textAt(arrays.network[at] as number),
      isLimited: arrays.limited[at] === 1,
    }
  }

  return {
    get size() {
      return places.size
    },
    get shared() {
      return sites.size + models.size + texts.size
    },
    put(row) {
      const isNew = !places.has(row.charge_point_id)
      const at = placeFor(row.charge_point_id)
      let isOther = isNew || names[at] !== row.name
      names[at] = row.name
      const set = (column: Arrays[keyof Arrays], value: number): void => {
        if (column[at] === value) return
        column[at] = value
        isOther = true
      }
      set(arrays.latitude, row.latitude)
      set(arrays.longitude, row.longitude)
      set(arrays.status, chargePointStatuses.indexOf(row.status))
      set(arrays.connectors, texts.of(row.connectors))
      set(arrays.maxPower, orNone(row.maxPowerWatts))
      set(arrays.since, orNone(row.statusSince))
      set(arrays.site, row.site === undefined ? none : sites.of(row.site))
      set(arrays.address, text(row.address))
      set(arrays.model, row.model === undefined ? none : models.of(row.model))
      set(arrays.firmware, text(row.firmware))
      set(arrays.error, text(row.errorCode))
      set(arrays.alerts, Math.min(row.openAlerts, 65_535))
      set(arrays.flags, row.flags)
      set(arrays.network, text(row.network))
      set(arrays.limited, row.isLimited ? 1 : 0)
      arrays.power[at] = row.powerWatts
      arrays.seen[at] = orNone(row.lastSeenAt)
      return isOther
    },
    remove(id) {
      const at = places.get(id)
      if (at === undefined) return false
      places.delete(id)
      ids[at] = undefined
      names[at] = ''
      free.push(at)
      sorted.splice(firstAfter(sorted, id) - 1, 1)
      return true
    },
    get(id) {
      const at = places.get(id)
      return at === undefined ? undefined : rowAt(at)
    },
    idsAfter(id, count) {
      const begin = id === undefined ? 0 : firstAfter(sorted, id)
      return sorted.slice(begin, begin + count)
    },
  }
}

/** Of ids in order. */
function firstAfter(ids: readonly string[], after: string): number {
  // A fleet is read in order.
  if (ids.length === 0 || (ids.at(-1) as string) <= after) return ids.length
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] as string) <= after) low = middle + 1
    else high = middle
  }
  return low
}
