// What routes share of tariffs: their schemas, how they are shown, what a schema cannot check, and whose they are.
// Another organization's tariff is as absent as one that does not exist.

import { type Static, Type } from 'typebox'
import { isCurrency } from '../../../pricing/currencies.js'
import { componentTypes, type PriceComponent } from '../../../pricing/tariff-terms.js'
import { type Tariff, tariffsTable, tariffUsesTable } from '../../../records/tariff.js'
import { type ErrorDetail, notFound } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { limits } from '../../../runtime/limits.js'
import type { Change, ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import type { Precondition } from '../../pipeline/route.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import type { Principal } from '../../surfaces/principal.js'

export const tariffParams = Type.Object({ tariff_id: Type.String({ maxLength: 64 }) })

export const currencyCode = () =>
  Type.String({ ...patternOf('^[A-Z]{3}$', 'a currency of ISO 4217, such as EUR'), description: 'ISO 4217' })

const componentFields = {
  type: Type.Enum([...componentTypes], {
    description:
      '`energy` counts kWh, `flat` each session. `idle` counts all time in which the vehicle takes nothing (SuspendedEV, Finishing) ' +
      'after it has charged once. `time` counts from start to stop; in a tariff with an `idle` component it leaves the idle time out.',
  }),
  price: nullable(
    Type.Number({
      minimum: 0,
      maximum: limits.price,
      description: 'before tax: per kWh, per hour, per hour of idle time, per session; null is 0',
    }),
  ),
  step_size: nullable(
    Type.Integer({
      minimum: 1,
      maximum: limits.stepSize,
      description:
        "The session's total is rounded up to a multiple of this: Wh for `energy`, seconds for `time` and `idle`; null is 1. " +
        'As in OCPI 2.2.1 (11.4.2), `time` is not rounded in a session that is billed idle time: the idle time, which comes last, is.',
    }),
  ),
  grace_minutes: nullable(
    Type.Number({
      minimum: 0,
      maximum: limits.graceMinutes,
      description: 'For `idle` only: the first minutes of idle time, once per session, cost nothing; null is 0.',
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
  description: 'at most one of each type',
})

export const tariffBody = named('NewTariff', {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  currency: currencyCode(),
  components: componentsSchema,
  tax_percentage: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, default: 0, description: '20 is 20 percent, on top of the prices' }),
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
    if (seen.has(type)) faults.push({ path: `${path}/${at}/type`, message: `is there twice: ${type}` })
    seen.add(type)
    if (type !== 'idle' && grace_minutes !== undefined && grace_minutes !== null)
      faults.push({ path: `${path}/${at}/grace_minutes`, message: 'is for idle components only' })
  }
  return faults
}

export function tariffFaults({ currency, components }: Static<typeof tariffBody>): ErrorDetail[] {
  const faults = componentFaults(components, '/components')
  return isCurrency(currency) ? faults : [{ path: '/currency', message: 'is not a currency of ISO 4217' }, ...faults]
}

export function componentView({ type, price, step_size, grace_minutes }: PriceComponent) {
  return { type, price, step_size: step_size ?? null, grace_minutes: grace_minutes ?? null }
}

export function tariffView({ organization_id, version, ...shown }: Tariff) {
  return { ...shown, components: shown.components.map(componentView) }
}

export function findTariff(view: ReadView, principal: Principal, tariffId: string): Tariff | undefined {
  const found = view.get(tariffsTable, [tariffId])
  return found?.organization_id === principal.organization.organization_id ? found : undefined
}

/** Throws `not_found`. */
export function ownTariff(view: ReadView, principal: Principal, tariffId: string): Tariff {
  const found = findTariff(view, principal, tariffId)
  if (found !== undefined) return found
  throw notFound('there is no such tariff')
}

/** Written with whatever makes charge points sell at a tariff: its removal then finds out. */
export function useOf({ tariff_id }: Tariff, services: Pick<Services, 'randomBytes'>): Change {
  return putRow(tariffUsesTable, { tariff_id, version: services.randomBytes(6).readUIntBE(0, 6) })
}

/** What belongs to a tariff is written only while the tariff is there. */
export function tariffPresent({ tariff_id }: Tariff): Precondition {
  return { condition: { table: tariffsTable.name, key: [tariff_id], is: 'present' } }
}
