// What routes share of rate bands and schedules: their schemas, what a schema cannot check, and how they are shown.
// A schedule may name bands that are gone: its entries stay, hold for nothing, and are named as missing.

import { type Static, Type } from 'typebox'
import { daysOfWeek, type RateBand, type ScheduleEntry } from '../../../pricing/tariff-terms.js'
import type { TariffRates, TariffSchedule } from '../../../records/tariff-rates.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { line, patternOf } from '../../../runtime/fault-words.js'
import { named, nullable, timeOfDay } from '../../pipeline/schemas.js'
import { limits } from './limits.js'
import { componentFaults, componentSchema, componentsSchema, componentView, storedComponent } from './tariffs.js'

const bandName = () => Type.String({ minLength: 1, maxLength: 64, ...line })

export const bandsBody = Type.Array(Type.Object({ band: bandName(), components: componentsSchema }), {
  maxItems: limits.rateBands,
  description: 'Each band has a name of its own.',
})

const missingBands = Type.Array(Type.String(), {
  description: 'The names of bands that the schedule uses and that the tariff does not have.',
})

export const ratesSchema = named('TariffRates', {
  tariff_id: Type.String(),
  bands: Type.Array(Type.Object({ band: Type.String(), components: Type.Array(componentSchema) })),
  missing_bands: missingBands,
})

const date = (description: string) =>
  Type.String({
    ...patternOf('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'a date such as 2026-01-31'),
    description: `${description} Format: YYYY-MM-DD.`,
  })

const entryFields = {
  band: bandName(),
  days: nullable(
    Type.Array(Type.Enum([...daysOfWeek]), {
      minItems: 1,
      uniqueItems: true,
      description: 'The days on which the window opens. null means every day.',
    }),
  ),
  start_time: timeOfDay('The first minute of the window.'),
  end_time: timeOfDay(
    'The first minute after the window. If it is not later than the start, it is on the next day; if it equals the start, the window lasts all day.',
  ),
  from_date: nullable(date('The first day on which the window opens.')),
  to_date: nullable(date('The last day on which the window opens.')),
}

const entrySchema = named('TariffScheduleEntry', entryFields)

const givenEntry = named('NewTariffScheduleEntry', {
  ...entryFields,
  days: Type.Optional(entryFields.days),
  from_date: Type.Optional(entryFields.from_date),
  to_date: Type.Optional(entryFields.to_date),
})

export const scheduleBody = Type.Array(givenEntry, {
  maxItems: limits.scheduleEntries,
  description: 'The first entry that matches when a session starts names its band.',
})

export const scheduleSchema = named('TariffSchedule', {
  tariff_id: Type.String(),
  timezone: Type.String({ description: "The organization's time zone, in which the times are." }),
  entries: Type.Array(entrySchema),
  missing_bands: missingBands,
})

export function bandFaults(bands: Static<typeof bandsBody>): ErrorDetail[] {
  const faults: ErrorDetail[] = []
  const seen = new Set<string>()
  for (const [at, { band, components }] of bands.entries()) {
    if (seen.has(band)) faults.push({ path: `/${at}/band`, message: `duplicates the band ${band}` })
    seen.add(band)
    faults.push(...componentFaults(components, `/${at}/components`))
  }
  return faults
}

export function storedBands(bands: Static<typeof bandsBody>): RateBand[] {
  return bands.map(({ band, components }) => ({ band, components: components.map(storedComponent) }))
}

function isDate(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00.000Z`)
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text)
}

export function scheduleFaults(
  entries: Static<typeof scheduleBody>,
  rates: { readonly bands: readonly { readonly band: string }[] } | undefined,
): ErrorDetail[] {
  const bands = new Set(rates?.bands.map(({ band }) => band))
  const faults: ErrorDetail[] = []
  for (const [at, { band, from_date: from, to_date: to }] of entries.entries()) {
    const from_date = from ?? undefined
    const to_date = to ?? undefined
    if (!bands.has(band)) faults.push({ path: `/${at}/band`, message: `is not a band of this tariff: ${band}` })
    const badDates = [
      ...(from_date !== undefined && !isDate(from_date) ? ['from_date'] : []),
      ...(to_date !== undefined && !isDate(to_date) ? ['to_date'] : []),
    ]
    for (const name of badDates) faults.push({ path: `/${at}/${name}`, message: 'is not a calendar date' })
    if (badDates.length === 0 && from_date !== undefined && to_date !== undefined && to_date < from_date)
      faults.push({ path: `/${at}/to_date`, message: 'is earlier than from_date' })
  }
  return faults
}

const isGiven = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined

export function storedEntries(entries: Static<typeof scheduleBody>): ScheduleEntry[] {
  return entries.map(({ band, days, start_time, end_time, from_date, to_date }) => ({
    band,
    ...(isGiven(days) && { days }),
    start_time,
    end_time,
    ...(isGiven(from_date) && { from_date }),
    ...(isGiven(to_date) && { to_date }),
  }))
}

function missing(rates: TariffRates | undefined, schedule: TariffSchedule | undefined): string[] {
  const bands = new Set(rates?.bands.map(({ band }) => band))
  return [...new Set(schedule?.entries.map(({ band }) => band))].filter((band) => !bands.has(band))
}

export function ratesView(tariffId: string, rates: TariffRates | undefined, schedule: TariffSchedule | undefined) {
  const bands = (rates?.bands ?? []).map(({ band, components }) => ({
    band,
    components: components.map(componentView),
  }))
  return { tariff_id: tariffId, bands, missing_bands: missing(rates, schedule) }
}

export function scheduleView(
  tariffId: string,
  timezone: string,
  rates: TariffRates | undefined,
  schedule: TariffSchedule | undefined,
) {
  const entries = (schedule?.entries ?? []).map(({ band, days, start_time, end_time, from_date, to_date }) => ({
    band,
    days: days ?? null,
    start_time,
    end_time,
    from_date: from_date ?? null,
    to_date: to_date ?? null,
  }))
  return { tariff_id: tariffId, timezone, entries, missing_bands: missing(rates, schedule) }
}
