// Rows of a fleet as they are sent: in columns, with a dictionary for what many of them have in common. A step at a time, so that a large page is no
// long turn of the event loop.

import { Type } from 'typebox'
import { chargePointStatuses } from '../../../records/charge-point-state.js'
import { named, nullable } from '../../pipeline/schemas.js'
import type { FleetModel, FleetRow, FleetSite } from './fleet-row.js'

const columnNames = [
  'charge_point_id',
  'name',
  'latitude',
  'longitude',
  'status',
  'connectors',
  'power_watts',
  'max_power_watts',
  'status_since',
  'last_seen_at',
  'site',
  'address',
  'model',
  'firmware',
  'error_code',
  'open_alerts',
  'flags',
] as const

const seconds = (description: string) =>
  Type.Array(nullable(Type.Integer({ minimum: 0 })), {
    description: `${description}, in seconds since 1970; null if unknown.`,
  })
const index = (of: string) =>
  Type.Array(nullable(Type.Integer({ minimum: 0 })), { description: `The index in \`dictionaries.${of}\`, or null.` })

export const columnsSchema = named('FleetColumns', {
  charge_point_id: Type.Array(Type.String()),
  name: Type.Array(Type.String()),
  latitude: Type.Array(Type.Number()),
  longitude: Type.Array(Type.Number()),
  status: Type.Array(Type.Integer({ minimum: 0, maximum: chargePointStatuses.length - 1 }), {
    description: `The status of the charge point: ${chargePointStatuses.map((status, at) => `${at} ${status}`).join(', ')}.`,
  }),
  connectors: Type.Array(Type.String(), {
    description:
      'A letter for each connector, the first connector first: A Available, P Preparing, C Charging, V SuspendedEV, E SuspendedEVSE, F Finishing, R Reserved, U Unavailable, X Faulted, O not known now.',
  }),
  power_watts: Type.Array(Type.Integer({ minimum: 0 })),
  max_power_watts: Type.Array(nullable(Type.Integer({ minimum: 0 })), {
    description: 'The maximum power of each connector.',
  }),
  status_since: seconds(
    'Since when the charge point has this status, as far as it has reported that; where a connector is faulted, since when it is',
  ),
  last_seen_at: seconds('When the charge point was last heard'),
  site: index('sites'),
  address: index('addresses'),
  model: index('models'),
  firmware: index('firmwares'),
  error_code: index('error_codes'),
  open_alerts: Type.Array(Type.Integer({ minimum: 0 })),
  flags: Type.Array(Type.Integer({ minimum: 0, maximum: 63 }), {
    description:
      'A sum of: 1 its clock is wrong, 2 it deviates from OCPP 1.6, 4 it was quarantined within the last hour, 8 it has no tariff, 16 its certificate ends soon, 32 it is connected, but has never booted.',
  }),
})

export const dictionariesSchema = named('FleetDictionaries', {
  sites: Type.Array(Type.Object({ site_id: Type.String(), name: Type.String(), address: Type.String() })),
  addresses: Type.Array(Type.String(), {
    description: 'Addresses of charge points that are not at the address of their site, or have no site.',
  }),
  models: Type.Array(Type.Object({ vendor: Type.String(), model: Type.String() })),
  firmwares: Type.Array(Type.String()),
  error_codes: Type.Array(Type.String(), {
    description: 'Error codes of connectors that are Faulted (OCPP 1.6, 7.6).',
  }),
})

interface Dictionary<Value> {
  indexOf(value: Value | undefined): number | null
  readonly values: readonly Value[]
}

function createDictionary<Value>(nameOf: (value: Value) => string): Dictionary<Value> {
  const indexes = new Map<string, number>()
  const values: Value[] = []
  return {
    values,
    indexOf(value) {
      if (value === undefined) return null
      const name = nameOf(value)
      const known = indexes.get(name)
      if (known !== undefined) return known
      indexes.set(name, values.length)
      return values.push(value) - 1
    },
  }
}

const exactness = 1e6
const rounded = (degrees: number): number => Math.round(degrees * exactness) / exactness

export interface FleetEncoder {
  add(row: FleetRow): void
  /** What has been added since, as text: called after every few rows. */
  flush(): void
  readonly count: number
  /** `"dictionaries":{...},"columns":{...}`, piece by piece: turning a large page into bytes at once would be a long turn. */
  parts(): IterableIterator<string>
  text(): string
}

export function createFleetEncoder(): FleetEncoder {
  const sites = createDictionary<FleetSite>(({ site_id, name, address }) => `${site_id} ${name}\0${address}`)
  const models = createDictionary<FleetModel>(({ vendor, model }) => `${vendor}\0${model}`)
  const addresses = createDictionary<string>((text) => text)
  const firmwares = createDictionary<string>((text) => text)
  const errors = createDictionary<string>((text) => text)
  const texts: string[] = columnNames.map(() => '')
  const waiting: unknown[][] = columnNames.map(() => [])
  let count = 0

  function flush(): void {
    if (waiting[0]?.length === 0) return
    waiting.forEach((values, at) => {
      const text = JSON.stringify(values).slice(1, -1)
      texts[at] += texts[at] === '' ? text : `,${text}`
      values.length = 0
    })
  }

  function* parts(): IterableIterator<string> {
    flush()
    yield `"dictionaries":{"sites":${JSON.stringify(sites.values)}`
    const others = {
      addresses: addresses.values,
      models: models.values,
      firmwares: firmwares.values,
      error_codes: errors.values,
    }
    yield `,${JSON.stringify(others).slice(1)},"columns":{`
    for (const [at, name] of columnNames.entries()) yield `${at === 0 ? '' : ','}"${name}":[${texts[at]}]`
    yield '}'
  }

  return {
    add(row) {
      count++
      const values: { readonly [Name in (typeof columnNames)[number]]: unknown } = {
        charge_point_id: row.charge_point_id,
        name: row.name,
        latitude: rounded(row.latitude),
        longitude: rounded(row.longitude),
        status: chargePointStatuses.indexOf(row.status),
        connectors: row.connectors,
        power_watts: Math.max(0, row.powerWatts),
        max_power_watts: row.maxPowerWatts,
        status_since: row.statusSince,
        last_seen_at: row.lastSeenAt,
        site: sites.indexOf(row.site),
        address: addresses.indexOf(row.address),
        model: models.indexOf(row.model),
        firmware: firmwares.indexOf(row.firmware),
        error_code: errors.indexOf(row.errorCode),
        open_alerts: row.openAlerts,
        flags: row.flags,
      }
      columnNames.forEach((name, at) => void waiting[at]?.push(values[name]))
    },
    flush,
    get count() {
      return count
    },
    parts,
    text: () => [...parts()].join(''),
  }
}
