// A tariff as it is being written: texts in fields, what they come to when they are sent, and what is wrong with them. What fields alone do not show, the
// service says.

import type { ApiError, Schema } from '../../client/api.js'
import { numberOrNull as number, numberIn } from '../../parts/form.js'

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
    return {
      isUsed: true,
      price: text(found.price ?? 0),
      step: text(found.step_size),
      grace: text(found.grace_minutes),
    }
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

const usedTypes = (components: ComponentsDraft): readonly ComponentType[] =>
  componentTypes.filter((type) => components[type].isUsed)

/** The place of a component in what is sent; undefined where it is not. */
export function placeOf(type: ComponentType, components: ComponentsDraft, place: string): string | undefined {
  const at = usedTypes(components).indexOf(type)
  return at < 0 ? undefined : `${place}/${at}`
}

export function sentComponents(components: ComponentsDraft): Schema<'NewTariffComponent'>[] {
  return usedTypes(components).map((type) => {
    const { price, step, grace } = components[type]
    return {
      type,
      price: number(price),
      ...(type !== 'flat' && { step_size: number(step) }),
      ...(type === 'idle' && { grace_minutes: number(grace) }),
    }
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

/** When a window ends, where its two times do not say it. */
export function endHint({ start, end }: EntryDraft): string | undefined {
  if (!timeOfDay.test(start) || !timeOfDay.test(end) || start < end) return undefined
  return start === end ? 'It lasts all day.' : end === '00:00' ? 'At midnight.' : 'On the next day.'
}

type Faults = ApiError['details']

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** What is wrong with what was typed, by its place: that of the tariff itself, of `/bands` and of `/schedule`. */
export function faultsIn({ name, currency, tax, components, bands, schedule }: TariffDraft): Faults {
  const said = (path: string, isWrong: boolean, message: string): Faults => (isWrong ? [{ path, message }] : [])
  const isNumber = (text: string): boolean => text.trim() === '' || !Number.isNaN(numberIn(text))
  const inComponents = (own: ComponentsDraft, place: string): Faults =>
    usedTypes(own).flatMap((type) => {
      const { price, step, grace } = own[type]
      const at = placeOf(type, own, place)
      return [
        ...said(`${at}/price`, price.trim() === '', 'Say what it costs, or do not charge for it.'),
        ...said(`${at}/price`, !isNumber(price), 'This is not a number.'),
        ...said(`${at}/step_size`, type !== 'flat' && !isNumber(step), 'This is not a number.'),
        ...said(`${at}/grace_minutes`, type === 'idle' && !isNumber(grace), 'This is not a number.'),
      ]
    })
  return [
    ...said('/name', name.trim() === '', 'Give the tariff a name.'),
    ...said('/currency', !/^[A-Z]{3}$/.test(currency), 'Write it with three letters, as EUR.'),
    ...said('/tax_percentage', !isNumber(tax), 'This is not a number.'),
    ...inComponents(components, '/components'),
    ...bands.flatMap((band, at) => [
      ...said(`/bands/${at}/band`, band.band.trim() === '', 'Give the band a name.'),
      ...inComponents(band.components, `/bands/${at}/components`),
    ]),
    ...schedule.flatMap(({ band, start, end, from, to }, at) => [
      ...said(`/schedule/${at}/band`, !bands.some((one) => one.band === band), 'No band above has this name.'),
      ...said(`/schedule/${at}/start_time`, !timeOfDay.test(start), 'Write the time as 22:00.'),
      ...said(`/schedule/${at}/end_time`, !timeOfDay.test(end) && end !== '24:00', 'Write the time as 06:00.'),
      ...said(`/schedule/${at}/end_time`, end === '24:00', 'Write midnight as 00:00.'),
      ...said(`/schedule/${at}/to_date`, from !== '' && to !== '' && to < from, 'The last day is before the first.'),
    ]),
  ]
}
