// Tariffs as callers send and see them: their schemas, what a schema cannot check, how they are stored and shown.

import { type Static, Type } from 'typebox'
import { isCurrency } from '../../../pricing/currencies.js'
import { limits } from '../../../pricing/limits.js'
import { componentTypes, type PriceComponent } from '../../../pricing/tariff-terms.js'
import type { Tariff } from '../../../records/tariff.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { named, nameText, nullable, timestamp } from '../../pipeline/schemas.js'

export const currencyCode = () =>
  Type.String({
    ...patternOf('^[A-Z]{3}$', 'an ISO 4217 currency code, such as EUR'),
    description: 'An ISO 4217 currency code.',
  })

const componentFields = {
  type: Type.Enum([...componentTypes], {
    description:
      '`energy` is charged per kWh, `flat` once per session, `time` per hour from start to stop, and `idle` per hour in which the vehicle ' +
      'draws no energy (SuspendedEV, Finishing) after it has charged once. If a tariff has an `idle` component, `time` excludes idle time.',
  }),
  price: nullable(
    Type.Number({
      minimum: 0,
      maximum: limits.price,
      description: 'The price before tax: per kWh, per hour, per hour of idle time, or per session. null means 0.',
    }),
  ),
  step_size: nullable(
    Type.Integer({
      minimum: 1,
      maximum: limits.stepSize,
      description:
        "The session's total is rounded up to a multiple of this, in Wh for `energy` and in seconds for `time` and `idle`. null means 1. " +
        'As in OCPI 2.2.1 (11.4.2), only the last component in time is rounded: in a session that is billed idle time, `idle` is and `time` is not.',
    }),
  ),
  grace_minutes: nullable(
    Type.Number({
      minimum: 0,
      maximum: limits.graceMinutes,
      description: 'For `idle` only: how many minutes of idle time in a session are free. null means 0.',
    }),
  ),
}

export const componentSchema = named('TariffComponent', componentFields)

const givenComponent = named('NewTariffComponent', {
  type: componentFields.type,
  price: Type.Optional(componentFields.price),
  step_size: Type.Optional(componentFields.step_size),
  grace_minutes: Type.Optional(componentFields.grace_minutes),
})

export const componentsSchema = Type.Array(givenComponent, {
  minItems: 1,
  description: 'At most one component of each type.',
})

export const tariffBody = named('NewTariff', {
  name: nameText(),
  currency: currencyCode(),
  components: componentsSchema,
  tax_percentage: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      default: 0,
      description: 'Tax in percent, which is added to the prices: 20 is 20 percent.',
    }),
  ),
})

export const tariffSchema = named('Tariff', {
  tariff_id: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  components: Type.Array(componentSchema),
  tax_percentage: Type.Number(),
  created_at: timestamp(),
  updated_at: timestamp(),
})

type GivenComponent = Static<typeof givenComponent>

/** As it is stored: null where the system's default applies. */
export function storedComponent({ type, price, step_size, grace_minutes }: GivenComponent): PriceComponent {
  return {
    type,
    price: price ?? null,
    step_size: step_size ?? null,
    ...(type === 'idle' && { grace_minutes: grace_minutes ?? null }),
  }
}

/** What is wrong with components that their schema lets pass; `path` is the array's place in the body. */
export function componentFaults(components: readonly GivenComponent[], path: string): ErrorDetail[] {
  const faults: ErrorDetail[] = []
  const seen = new Set<string>()
  for (const [at, { type, grace_minutes }] of components.entries()) {
    if (seen.has(type)) faults.push({ path: `${path}/${at}/type`, message: `duplicates the component of type ${type}` })
    seen.add(type)
    if (type !== 'idle' && grace_minutes !== undefined && grace_minutes !== null)
      faults.push({ path: `${path}/${at}/grace_minutes`, message: 'is allowed for idle components only' })
  }
  return faults
}

export function tariffFaults({ currency, components }: Static<typeof tariffBody>): ErrorDetail[] {
  const faults = componentFaults(components, '/components')
  return isCurrency(currency) ? faults : [{ path: '/currency', message: 'is not an ISO 4217 currency' }, ...faults]
}

export function componentView({ type, price, step_size, grace_minutes }: PriceComponent) {
  return { type, price, step_size: step_size ?? null, grace_minutes: grace_minutes ?? null }
}

export function storedTariff({ name, currency, components, tax_percentage = 0 }: Static<typeof tariffBody>) {
  return { name, currency, components: components.map(storedComponent), tax_percentage }
}

export function tariffView({ organization_id, version, ...shown }: Tariff) {
  return { ...shown, components: shown.components.map(componentView) }
}
