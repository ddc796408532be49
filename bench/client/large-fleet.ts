// A fleet of any size, written into a store while no service has it open: charge points of seven models around cities, of which some charge, some are faulted, and some were lost
// together. Nothing of it is connected: a service that starts on it sees it as connected only in the run that is given.

import type { ConnectorStatus } from '../../src/ocpp16/schemas/connector-status.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../src/records/charge-point-state.js'
import { sitesTable } from '../../src/records/site.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { type Change, type Store, unowned } from '../../src/runtime/store/store.js'
import type { Table } from '../../src/runtime/store/table.js'

export interface LargeFleetOptions {
  readonly organizationId: string
  readonly count: number
  /** `fleetId` where nothing is given. */
  readonly idOf?: (at: number) => string
  /** Those that are faulted; as many as are said, and no others. */
  readonly faulted: number
  /** The life of the node that is to hold their connections; where it is absent, all of them are offline. */
  readonly run?: number
  /** Wall ms. */
  readonly now: number
}

const cities = [
  ['Berlin', 52.52, 13.405],
  ['Hamburg', 53.551, 9.994],
  ['München', 48.137, 11.575],
  ['Köln', 50.938, 6.957],
  ['Leipzig', 51.34, 12.375],
  ['Amsterdam', 52.373, 4.892],
  ['Wien', 48.208, 16.373],
  ['Zürich', 47.377, 8.541],
] as const
const models = [
  ['Alvero', 'A22', '4.2.1', 22],
  ['Alvero', 'A11', '4.1.7', 11],
  ['Nordlader', 'NL-150', '2.8.0', 150],
  ['Kestrel', 'K300', '7.0.3', 300],
  ['Voltaris', 'V22-S', '1.18.0', 22],
  ['Helio', 'H50', '3.3.2', 50],
] as const
/** What the faulted ones run, and few others. */
const bad = ['Voltaris', 'V22-S', '1.19.4', 22] as const

const perSite = 8
const perCommit = 500

/** The same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) / 16_777_216
  }
}

function put<Row>(table: Table<Row>, row: Row): Change {
  return { type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }
}

function statusOf(share: number): ConnectorStatus {
  if (share < 0.62) return 'Available'
  if (share < 0.84) return 'Charging'
  if (share < 0.9) return 'SuspendedEV'
  return share < 0.95 ? 'Preparing' : 'Unavailable'
}

export const fleetId = (at: number): string => `AMP-${String(10_000 + at)}`

export async function writeLargeFleet(store: Store, options: LargeFleetOptions): Promise<void> {
  const { organizationId, count, idOf = fleetId, faulted, run, now } = options
  const random = numbers(20_261_122)
  const time = (secondsAgo: number): string => new Date(now - secondsAgo * 1_000).toISOString()
  let changes: Change[] = []
  async function commit(): Promise<void> {
    const result = await store.commit(unowned(changes))
    if (!result.ok) throw new Error(`the fleet could not be written: ${result.reason}`)
    changes = []
  }
  const made = { organization_id: organizationId, version: 1, created_at: time(1e6), updated_at: time(1e6) }
  let place: readonly [number, number] = [0, 0]
  let site = ''
  const everyFault = Math.max(1, Math.floor(count / Math.max(1, faulted)))
  let faults = 0
  for (let at = 0; at < count; at++) {
    if (at % perSite === 0) {
      const [city, latitude, longitude] = cities[Math.floor(random() * cities.length)] as (typeof cities)[number]
      const spread = (): number => (random() + random() + random() - 1.5) * 0.3
      place = [latitude + spread(), longitude + spread()]
      site = `ste_${String(at).padStart(26, '0')}`
      const where = { address: `Street ${at}, ${city}`, latitude: place[0], longitude: place[1] }
      changes.push(
        put(sitesTable, { ...made, ...where, site_id: site, name: `${city} ${at / perSite}`, max_grid_power_kw: 400 }),
      )
    }
    const id = idOf(at)
    const isFaulted = at % everyFault === everyFault - 1 && faults < faulted
    if (isFaulted) faults++
    const [vendor, model, firmware, power] = isFaulted
      ? bad
      : (models[Math.floor(random() * models.length)] as (typeof models)[number])
    const isLost = (!isFaulted && random() < 0.04) || run === undefined
    const status = isFaulted ? 'Faulted' : statusOf(random())
    const connectors = [1, 2].map((connector_id) => ({
      connector_id,
      status: isFaulted || connector_id === 1 ? status : ('Available' as ConnectorStatus),
      error_code: isFaulted ? 'GroundFailure' : 'NoError',
      info: null,
      timestamp: time(Math.floor(random() * 10_000)),
    }))
    const watts = status === 'Charging' && !isLost ? Math.round(power * 1_000 * (0.3 + 0.6 * random())) : 0
    changes.push(
      put(chargePointsTable, {
        ...made,
        charge_point_id: id,
        name: `Bay ${at % perSite}`,
        latitude: place[0] + (random() - 0.5) * 0.004,
        longitude: place[1] + (random() - 0.5) * 0.006,
        address: '',
        connector_count: 2,
        max_power_kw: power,
        site_id: site,
      }),
      put<ChargePointState>(chargePointStatesTable, {
        charge_point_id: id,
        organization_id: organizationId,
        run: isLost ? 0 : run,
        connected: !isLost,
        connected_at: time(50_000),
        ...(isLost && { disconnected_at: time(1_000 + Math.floor(random() * 300_000)) }),
        remote_address: `10.${Math.floor(random() * 8)}.0.1`,
        registration: 'Accepted',
        last_seen_at: time(Math.floor(random() * 200)),
        boot: { vendor, model, firmware_version: firmware, booted_at: time(50_000) },
        connectors,
        power_watts: watts,
      }),
    )
    if (changes.length >= perCommit) await commit()
  }
  await commit()
}
