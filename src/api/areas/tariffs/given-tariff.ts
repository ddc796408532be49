// A tariff that a request gives to be tried: a stored one by its id, or one that need not be stored, with its bands and its schedule.

import { type Static, Type } from 'typebox'
import { selectRates } from '../../../pricing/select-rates.js'
import { snapshotOf } from '../../../pricing/tariff-snapshot.js'
import type { RateBand, ScheduleEntry, TariffSnapshot, TariffTerms } from '../../../pricing/tariff-terms.js'
import { defaultTimeZone } from '../../../records/organization.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../../records/tariff-rates.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Principal } from '../../surfaces/principal.js'
import { tariffs } from './area.js'
import { bandFaults, bandsBody, scheduleBody, scheduleFaults, storedBands, storedEntries } from './rates.js'
import { storedTariff, tariffBody, tariffFaults } from './tariffs.js'

const wholeTariff = Type.Object({
  ...tariffBody.properties,
  bands: Type.Optional(bandsBody),
  schedule: Type.Optional(scheduleBody),
})

export const givenTariffFields = {
  tariff_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'A stored tariff, with its bands and its schedule.' }),
  ),
  tariff: Type.Optional(wholeTariff),
}

const givenTariff = Type.Object(givenTariffFields)
export type GivenTariff = Static<typeof givenTariff>

/** The snapshot that a session which starts at a time (ms) would keep. */
export type SnapshotAt = (startedAt: number) => TariffSnapshot

interface Caller {
  readonly view: ReadView
  readonly principal: Principal
}

function snapshots(
  tariff: TariffTerms,
  bands: readonly RateBand[],
  entries: readonly ScheduleEntry[],
  { organization }: Principal,
): SnapshotAt {
  const timeZone = organization.time_zone ?? defaultTimeZone
  return (startedAt) => snapshotOf(tariff, selectRates(tariff, bands, entries, startedAt, timeZone), timeZone)
}

/** `path` is its place in the body. Undefined where none is given, and where faults were added to `faults`. */
export function tariffOf(
  { tariff_id, tariff }: GivenTariff,
  { view, principal }: Caller,
  faults: ErrorDetail[],
  path = '',
): SnapshotAt | undefined {
  if (tariff_id !== undefined && tariff !== undefined) {
    faults.push({ path: `${path}/tariff`, message: 'cannot be given beside tariff_id' })
    return undefined
  }
  if (tariff_id !== undefined) {
    const stored = tariffs.find(view, principal, tariff_id)
    if (stored === undefined) {
      faults.push({ path: `${path}/tariff_id`, message: 'is not the id of a tariff' })
      return undefined
    }
    const bands = view.get(tariffRatesTable, [tariff_id])?.bands ?? []
    return snapshots(stored, bands, view.get(tariffSchedulesTable, [tariff_id])?.entries ?? [], principal)
  }
  if (tariff === undefined) return undefined
  const { bands = [], schedule = [] } = tariff
  const found = [
    ...tariffFaults(tariff).map((fault) => ({ ...fault, path: `${path}/tariff${fault.path}` })),
    ...bandFaults(bands).map((fault) => ({ ...fault, path: `${path}/tariff/bands${fault.path}` })),
    ...scheduleFaults(schedule, { bands }).map((fault) => ({ ...fault, path: `${path}/tariff/schedule${fault.path}` })),
  ]
  faults.push(...found)
  if (found.length > 0) return undefined
  const terms = { tariff_id: 'tariff', ...storedTariff(tariff) }
  return snapshots(terms, storedBands(bands), storedEntries(schedule), principal)
}
