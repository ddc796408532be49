// The series of the installation as they are shown: columns of equally long steps, by what they are about.

import { type TSchema, Type } from 'typebox'
import { handlingBoundsMs } from '../../../runtime/link/front-transport.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { InstallationPart } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { aboutOf, type Figure, type Group, laneFigures, processFigures, seriesName, threadFigures } from './figures.js'

const column = (description?: string) =>
  Type.Array(nullable(Type.Number()), description === undefined ? {} : { description })

const columns = (figures: Readonly<Record<string, Figure>>) =>
  Type.Object(Object.fromEntries(Object.entries(figures).map(([name, { about }]) => [name, column(about)])))

const byName = (shown: TSchema, description: string) => Type.Record(Type.String(), shown, { description })

export const installationSeries = named('InstallationSeries', {
  as_of: timestamp('When the newest second ended.'),
  starts_at: timestamp('When the first step begins.'),
  step_seconds: Type.Integer({
    description: 'How long a step is: value i of each series is of the step that begins i steps after `starts_at`.',
  }),
  points: Type.Integer({ description: 'How many values each series has; null is what is not known.' }),
  figures: columns(processFigures),
  threads: byName(columns(threadFigures), 'By thread: `front/0`, `shard/0`, `store`.'),
  lanes: byName(columns(laneFigures), 'By lane of jobs.'),
  actions: byName(column(), 'OCPP requests of charge points a second, by action.'),
  refusals: byName(column(), 'Refused connection attempts a second, by reason, of those that have occurred.'),
  request_refusals: byName(column(), 'Refused HTTP requests a second, by reason, of those that have occurred.'),
  latency: Type.Object(
    {
      bounds_milliseconds: Type.Array(Type.Number(), {
        description: 'Upper bounds of the buckets; the last bucket has none.',
      }),
      counts: Type.Array(Type.Array(Type.Integer()), { description: 'By step, and in it by bucket.' }),
    },
    { description: 'Frames by the time from their arrival until what they promised was on disk.' },
  ),
})

type Column = readonly (number | null)[]
type Columns = Readonly<Record<string, Column>>

/** Six digits are more than a chart shows. */
const short = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(6)))

export function shownSeries({ startsAt, stepSeconds, points, figures, counts }: InstallationPart, now: number): object {
  const unknown: Column = new Array<null>(points).fill(null)
  const shown = new Map([...figures].map(([name, values]) => [name, values.map(short)]))
  const abouts = [...shown.keys()].flatMap((name) => aboutOf(name) ?? [])
  const namesOf = (group: Group): readonly string[] => [
    ...new Set(abouts.filter((about) => about.group === group).map(({ of }) => of)),
  ]

  /** Every figure is there, also one of which nothing is known. */
  const columnsOf = (all: Readonly<Record<string, Figure>>, group?: Group, of?: string): Columns =>
    Object.fromEntries(Object.keys(all).map((name) => [name, shown.get(seriesName(name, group, of)) ?? unknown]))
  const grouped = (group: Group, all: Readonly<Record<string, Figure>>) =>
    Object.fromEntries(namesOf(group).map((of) => [of, columnsOf(all, group, of)]))
  const rates = (group: Group): Columns =>
    Object.fromEntries(namesOf(group).map((of) => [of, shown.get(seriesName('per_second', group, of)) ?? unknown]))

  return {
    as_of: formatTimestamp(Math.min(now, startsAt + points * stepSeconds * 1000)),
    starts_at: formatTimestamp(startsAt),
    step_seconds: stepSeconds,
    points,
    figures: columnsOf(processFigures),
    threads: grouped('thread', threadFigures),
    lanes: grouped('lane', laneFigures),
    actions: rates('action'),
    refusals: rates('refusal'),
    request_refusals: rates('request_refusal'),
    latency: { bounds_milliseconds: handlingBoundsMs, counts },
  }
}
