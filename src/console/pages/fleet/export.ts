// Charge points as a file for spreadsheets.

import { fleet } from '../../client/fleet.js'
import { fleetStates, letterStates } from '../../client/fleet-store.js'
import { csvText } from '../../parts/download.js'

const head = [
  'charge_point_id',
  'name',
  'place',
  'address',
  'latitude',
  'longitude',
  'state',
  'connectors',
  'error_code',
  'power_watts',
  'state_since',
  'last_seen_at',
  'vendor',
  'model',
  'firmware_version',
  'open_alerts',
]

type Cell = string | number | undefined

const time = (seconds: number): string => (seconds === 0 ? '' : new Date(seconds * 1_000).toISOString())

export function csvOf(rows: Iterable<number>): string {
  const lines: Cell[][] = [head]
  for (const row of rows) {
    const site = fleet.sites.all[fleet.site[row] as number]
    const model = fleet.models.all[fleet.model[row] as number]
    const values = [
      fleet.ids[row],
      fleet.names[row],
      site?.name,
      fleet.addresses.all[fleet.address[row] as number] ?? site?.address,
      fleet.latitude[row],
      fleet.longitude[row],
      fleetStates[fleet.state[row] as number],
      [...(fleet.connectors[row] ?? '')].map((letter) => letterStates[letter] ?? 'Offline').join(' '),
      fleet.texts.all[fleet.error[row] as number],
      fleet.power[row],
      time(fleet.since[row] as number),
      time(fleet.seen[row] as number),
      model?.vendor,
      model?.model,
      fleet.texts.all[fleet.firmware[row] as number],
      fleet.alerts[row],
    ]
    lines.push(values)
  }
  return csvText(lines)
}
