// The smart-charging configuration of a site, as requests say it and answers show it.

import { type Static, Type } from 'typebox'
import { daysOfWeek } from '../../../pricing/tariff-terms.js'
import { type SiteConfiguration, strategies } from '../../../records/site-configuration.js'
import { chargePointId, named, nullable, timeOfDay, timestamp } from '../../pipeline/schemas.js'
import { limits } from './limits.js'

const kilowatts = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description })

const scheduleEntry = Type.Object({
  days: Type.Optional(
    nullable(
      Type.Array(Type.Enum([...daysOfWeek]), {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: 'The days on which the entry begins; every day if you leave it out, or with null.',
      }),
    ),
  ),
  start_time: timeOfDay('On the clock of the site.'),
  end_time: timeOfDay('An entry that does not end later than it starts goes on to the next day.'),
  max_power_kw: kilowatts('The budget while the entry holds. Of entries that overlap, the lowest counts.'),
})

export const configurationBody = Type.Object({
  max_power_kw: kilowatts('What the site may take from the grid for charging. At most its max_grid_power_kw.'),
  strategy: Type.Enum([...strategies], {
    description:
      '`equal`: everybody gets the same, as far as they can take it. `priority`: everybody gets the minimum, and the rest goes to the first of priority_order, then to the next. ' +
      '`scheduled`: like equal, with the budget of the schedule.',
  }),
  min_power_kw: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1000,
      default: 1.4,
      description:
        'The least with which a car is charged. It is never less than 6 A on each phase, with which cars begin to charge. A car that cannot have it waits for its turn.',
    }),
  ),
  max_current_per_phase_a: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: 10_000,
        description:
          'What each line of the grid connection may carry for charging: at least 6, because no car charges with less, or 0 to pause all cars. No limit if you leave it out, or with null.',
      }),
    ),
  ),
  priority_order: Type.Optional(
    Type.Array(chargePointId(), {
      maxItems: limits.priorityEntries,
      uniqueItems: true,
      description:
        'Ids of charge points of the organization, the highest priority first. Required for strategy `priority`.',
    }),
  ),
  schedule: Type.Optional(
    Type.Array(scheduleEntry, {
      maxItems: limits.budgetEntries,
      description: 'Required for strategy `scheduled`. Outside of all entries, max_power_kw is the budget.',
    }),
  ),
})

export const configurationSchema = named('SmartChargingConfiguration', {
  site_id: Type.String(),
  max_power_kw: Type.Number(),
  strategy: Type.Enum([...strategies]),
  min_power_kw: Type.Number(),
  max_current_per_phase_a: nullable(Type.Number()),
  priority_order: Type.Array(Type.String()),
  schedule: Type.Array(
    Type.Object({
      days: nullable(Type.Array(Type.Enum([...daysOfWeek]))),
      start_time: Type.String(),
      end_time: Type.String(),
      max_power_kw: Type.Number(),
    }),
  ),
  updated_at: timestamp(),
})

export function configurationView(row: SiteConfiguration): Static<typeof configurationSchema> {
  return {
    site_id: row.site_id,
    max_power_kw: row.max_power_kw,
    strategy: row.strategy,
    min_power_kw: row.min_power_kw,
    max_current_per_phase_a: row.max_current_per_phase_a ?? null,
    priority_order: [...row.priority_order],
    schedule: row.schedule.map(({ days, ...entry }) => ({ days: days === undefined ? null : [...days], ...entry })),
    updated_at: row.updated_at,
  }
}
