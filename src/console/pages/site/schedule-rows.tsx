// The entries of a schedule of power: on which days, from when to when, and how much.

import type { Schema } from '../../client/api.js'
import { Button } from '../../parts/button.js'
import { Chip } from '../../parts/chip.js'
import { Field } from '../../parts/field.js'
import { Choices, Fields } from '../../parts/fields.js'
import { numberIn } from '../../parts/form.js'

export type Entry = Schema<'SmartChargingConfiguration'>['schedule'][number]
type Day = NonNullable<Entry['days']>[number]

const days: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const nameOf = (day: Day): string => day.charAt(0).toUpperCase() + day.slice(1)

export const daysText = (of: Entry['days']): string =>
  of === null || of.length === 7 ? 'Every day' : of.map(nameOf).join(', ')

/** An entry as it is typed. */
export interface ScheduleRow {
  readonly days: readonly Day[]
  readonly start: string
  readonly end: string
  readonly kilowatts: string
}

export const scheduleRowOf = (entry: Entry): ScheduleRow => ({
  days: entry.days ?? days,
  start: entry.start_time,
  end: entry.end_time,
  kilowatts: String(entry.max_power_kw),
})

const time = /^([01]\d|2[0-3]):[0-5]\d$/

export const isSound = (row: ScheduleRow): boolean =>
  row.days.length > 0 && time.test(row.start) && time.test(row.end) && numberIn(row.kilowatts) >= 0

export const entryOf = (row: ScheduleRow): Entry => ({
  days: row.days.length === days.length ? null : [...row.days],
  start_time: row.start,
  end_time: row.end,
  max_power_kw: numberIn(row.kilowatts),
})

interface ScheduleRowsProps {
  readonly rows: readonly ScheduleRow[]
  readonly change: (rows: readonly ScheduleRow[]) => void
}

export function ScheduleRows({ rows, change }: ScheduleRowsProps) {
  const replace = (at: number, by: Partial<ScheduleRow>) =>
    change(rows.map((row, index) => (index === at ? { ...row, ...by } : row)))
  const toggle = (at: number, { days: held }: ScheduleRow, day: Day) =>
    replace(at, { days: days.filter((one) => (one === day ? !held.includes(one) : held.includes(one))) })
  return (
    <Choices
      name="Schedule: outside of all entries, the power above is the budget; where entries overlap, the lowest counts"
      path="/schedule"
    >
      {rows.map((row, at) => (
        <div class="stack" key={at}>
          <div class="row-of" role="group" aria-label={`Days of entry ${at + 1}`}>
            {days.map((day) => (
              <Chip key={day} pressed={row.days.includes(day)} onClick={() => toggle(at, row, day)}>
                {nameOf(day)}
              </Chip>
            ))}
          </div>
          <Fields>
            <Field
              label="From"
              path={`/schedule/${at}/start_time`}
              value={row.start}
              onChange={(start) => replace(at, { start })}
              placeholder="17:00"
              {...(row.start !== '' && !time.test(row.start) && { error: 'Write it as 17:00.' })}
            />
            <Field
              label="To"
              path={`/schedule/${at}/end_time`}
              value={row.end}
              onChange={(end) => replace(at, { end })}
              placeholder="21:00"
              {...(row.end !== '' && !time.test(row.end) && { error: 'Write it as 21:00.' })}
            />
            <Field
              label="Power, kW"
              path={`/schedule/${at}/max_power_kw`}
              value={row.kilowatts}
              onChange={(kilowatts) => replace(at, { kilowatts })}
              inputmode="decimal"
            />
            <Button
              icon="trash"
              label={`Remove entry ${at + 1}`}
              onClick={() => change(rows.filter((_, index) => index !== at))}
            />
          </Fields>
        </div>
      ))}
      <Button small icon="plus" onClick={() => change([...rows, { days, start: '', end: '', kilowatts: '' }])}>
        Add an entry
      </Button>
    </Choices>
  )
}
