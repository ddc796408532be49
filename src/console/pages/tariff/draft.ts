// A tariff as it is being written: texts in fields, and what they come to when they are sent. No number is guessed: what is none is sent as it stands, and
// the service says what is wrong with it.

import type { Schema } from '../../client/api.js'

export const componentTypes = ['energy', 'time', 'idle', 'flat'] as const
export type ComponentType = (typeof componentTypes)[number]

export interface ComponentDraft {
  readonly isUsed: boolean
  readonly price: string
  readonly step: string
  readonly grace: string
}

export type ComponentsDraft = Readonly<Record<ComponentType, ComponentDraft>>

export interface BandDraft {
  readonly band: string
  readonly components: ComponentsDraft
}

export interface EntryDraft {
  readonly band: string
  readonly days: readonly string[]
  readonly start: string
  readonly end: string
  readonly from: string
  readonly to: string
}

export interface TariffDraft {
  readonly name: string
  readonly currency: string
  readonly tax: string
  readonly components: ComponentsDraft
  readonly bands: readonly BandDraft[]
  readonly schedule: readonly EntryDraft[]
}

type Component = Schema<'TariffComponent'>
type Entry = Schema<'TariffScheduleEntry'>

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const unused: ComponentDraft = { isUsed: false, price: '', step: '', grace: '' }

const text = (value: number | null): string => (value === null ? '' : String(value))

export function componentsDraft(components: readonly Component[]): ComponentsDraft {
  const of = (type: ComponentType): ComponentDraft => {
    const found = components.find((component) => component.type === type)
    if (found === undefined) return unused
    return { isUsed: true, price: text(found.price), step: text(found.step_size), grace: text(found.grace_minutes) }
  }
  return { energy: of('energy'), time: of('time'), idle: of('idle'), flat: of('flat') }
}

export const newTariff = (currency: string): TariffDraft => ({
  name: '',
  currency,
  tax: '0',
  components: componentsDraft([{ type: 'energy', price: 0.5, step_size: null, grace_minutes: null }]),
  bands: [],
  schedule: [],
})

export const newBand = (): BandDraft => ({ band: '', components: componentsDraft([]) })

export const newEntry = (band: string): EntryDraft => ({
  band,
  days: [],
  start: '22:00',
  end: '06:00',
  from: '',
  to: '',
})

export function draftOf(
  tariff: Schema<'Tariff'>,
  rates: Schema<'TariffRates'>,
  schedule: Schema<'TariffSchedule'>,
): TariffDraft {
  return {
    name: tariff.name,
    currency: tariff.currency,
    tax: String(tariff.tax_percentage),
    components: componentsDraft(tariff.components),
    bands: rates.bands.map(({ band, components }) => ({ band, components: componentsDraft(components) })),
    schedule: schedule.entries.map((entry) => ({
      band: entry.band,
      days: entry.days ?? [],
      start: entry.start_time,
      end: entry.end_time,
      from: entry.from_date ?? '',
      to: entry.to_date ?? '',
    })),
  }
}

/** An empty field is the default of the service. */
const number = (value: string): number | null => (value.trim() === '' ? null : Number(value.replace(',', '.')))

export function sentComponents(components: ComponentsDraft): Schema<'NewTariffComponent'>[] {
  return componentTypes.flatMap((type) => {
    const { isUsed, price, step, grace } = components[type]
    if (!isUsed) return []
    return [
      {
        type,
        price: number(price),
        ...(type !== 'flat' && { step_size: number(step) }),
        ...(type === 'idle' && { grace_minutes: number(grace) }),
      },
    ]
  })
}

export const sentTariff = ({ name, currency, tax, components }: TariffDraft): Schema<'NewTariff'> => ({
  name,
  currency,
  tax_percentage: number(tax) ?? 0,
  components: sentComponents(components),
})

export const sentBands = ({ bands }: TariffDraft) =>
  bands.map(({ band, components }) => ({ band, components: sentComponents(components) }))

export const sentSchedule = ({ schedule }: TariffDraft): Schema<'NewTariffScheduleEntry'>[] =>
  schedule.map(({ band, days: chosen, start, end, from, to }) => ({
    band,
    start_time: start,
    end_time: end,
    ...(chosen.length > 0 && { days: chosen as NonNullable<Entry['days']> }),
    ...(from !== '' && { from_date: from }),
    ...(to !== '' && { to_date: to }),
  }))
