// A charge point over time: what it drew and was allowed, what its connectors were in, and for how much of the time it could be used.

import { type Static, Type } from 'typebox'
import { connectorStatuses } from '../../../ocpp16/schemas/connector-status.js'
import { limitReasonNames, limitReasons } from '../../../power/reasons.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import {
  type ChargePointDay,
  chargePointCountsTable,
  chargePointDaysTable,
  dayMs,
  dayOf,
} from '../../../records/charge-point-day.js'
import { bucketsBetween, powerRollUpsTable, rollUpStart, rollUps } from '../../../records/power-roll-up.js'
import { isOnline } from '../../../records/presence.js'
import { lastSeenAt } from '../../../records/sign-of-life.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { longOncePaused } from '../../pipeline/long-reads.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { area, chargePoints } from '../charge-points/area.js'
import { stateOf } from '../charge-points/charge-points.js'
import { bandsOf, createDayReader, type DayReader, type Now, type Uptime } from './bands.js'
import { limits } from './limits.js'
import { type Buckets, powerSeries } from './power-series.js'

const watts = (description: string) => Type.Array(nullable(Type.Integer()), { description })

const uptimeFields = {
  uptime: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'The time that connectors were up, by the time of which is known what they were in. A connector is up while the charge point is connected and it is neither Faulted ' +
        'nor Unavailable. null if nothing is known.',
    }),
  ),
  known_seconds: Type.Integer({ description: 'Of all connectors: the time of which is known what they were in.' }),
  up_seconds: Type.Integer(),
  offline_seconds: Type.Integer({ description: 'For so long the charge point was not connected.' }),
  connects: Type.Integer({ description: 'How often a connection began.' }),
}

const daySchema = Type.Object({
  day: Type.String({ description: 'A day of UTC.' }),
  sessions: Type.Integer({ description: 'Sessions that ended on this day.' }),
  energy_kwh: Type.Number({ description: 'Of these sessions.' }),
  messages: Type.Integer({
    description: 'What the charge point has sent; those of its last half minute may be missing.',
  }),
  heartbeats: Type.Integer({ description: 'Those of them that were heartbeats.' }),
})

const seriesSchema = named('ChargePointSeries', {
  charge_point_id: Type.String(),
  from: timestamp('When the first bucket begins.'),
  to: timestamp(),
  bucket_seconds: Type.Number(),
  points: Type.Integer(),
  power: Type.Array(
    Type.Object({
      connector_id: Type.Integer(),
      min_watts: watts('By bucket; null where nothing was metered.'),
      avg_watts: watts('By bucket.'),
      max_watts: watts('By bucket.'),
    }),
    { description: 'What connectors drew in sessions.' },
  ),
  limits: Type.Object(
    {
      bucket_seconds: Type.Integer(),
      at: Type.Array(Type.Integer({ description: 'When the bucket begins, in seconds since 1970.' })),
      watts: Type.Array(Type.Integer({ description: 'The mean of what its site allowed it, while cars charged.' })),
      reason: Type.Array(nullable(Type.Enum([...limitReasonNames])), {
        description: `Why it had what it was allowed last in the bucket; null where that was not kept. ${Object.entries(
          limitReasons,
        )
          .map(([name, words]) => `\`${name}\`: ${words}`)
          .join(' ')}`,
      }),
    },
    { description: 'Empty where it was in no site that shares its power.' },
  ),
  connection: Type.Array(Type.Object({ from: timestamp(), to: timestamp(), connected: Type.Boolean() }), {
    description: `What is in none of them is not known; at most ${limits.bandsOfSeries}.`,
  }),
  bands: Type.Array(
    Type.Object({
      connector_id: Type.Integer(),
      from: timestamp(),
      to: timestamp(),
      status: Type.Enum([...connectorStatuses]),
    }),
    {
      description: `What connectors said; at most ${limits.bandsOfSeries}. While the charge point was not connected, what they had said last.`,
    },
  ),
  is_cut: Type.Boolean({ description: 'Whether more has changed than is kept, or shown.' }),
  days: Type.Array(daySchema),
  ...uptimeFields,
})

const uptimeSchema = named('ChargePointUptime', {
  charge_point_id: Type.String(),
  from: timestamp(),
  to: timestamp(),
  ...uptimeFields,
  sessions: Type.Integer(),
  energy_kwh: Type.Number(),
  is_cut: Type.Boolean({
    description: 'Whether more has changed than is kept: the time of which nothing is kept does not count.',
  }),
})

const period = {
  from: timestamp('ISO 8601.'),
  to: timestamp('ISO 8601; what is to come is not part of it.'),
}

const getChargePointSeries = area.get('/chargepoints/{charge_point_id}/series', {
  operationId: 'getChargePointSeries',
  summary: 'Get what a charge point drew and what its connectors were in, over time',
  description: `At most ${limits.daysOfSeries} days, and ${limits.pointsOfSeries} points.`,
  of: chargePoints,
  query: Type.Object({
    ...period,
    points: Type.Integer({
      minimum: 1,
      maximum: limits.pointsOfSeries,
      default: 288,
      description: 'Buckets of the period.',
    }),
  }),
  answer: seriesSchema,
  sheddable: 'list',
  read: ({ row, query }, services) => seriesOf(row, query, services),
})

const getChargePointUptime = area.get('/chargepoints/{charge_point_id}/uptime', {
  operationId: 'getChargePointUptime',
  summary: 'Get for how much of the time a charge point could be used',
  description: `At most ${limits.daysOfUptime} days: so long its changes are kept.`,
  of: chargePoints,
  query: Type.Object(period),
  answer: uptimeSchema,
  sheddable: 'list',
  async read({ row, query }, services) {
    const { from, to } = periodOf(query, limits.daysOfUptime)
    const view = services.view()
    const reader = createDayReader({ from, to }, nowOf(view, row, services))
    const { sessions, energyWh } = await readDays(reader, view, row, { from, to }, services)
    const uptime = reader.end()
    return {
      charge_point_id: row.charge_point_id,
      from: formatTimestamp(from),
      to: formatTimestamp(to),
      ...uptimeView(uptime),
      sessions,
      energy_kwh: energyWh / 1000,
      is_cut: uptime.isCut,
    }
  },
})

interface Asked {
  readonly from: string
  readonly to: string
}

/** Throws `validation_error`. */
function periodOf(asked: Asked, mostDays: number): Period {
  const from = parseTimestamp(asked.from) ?? 0
  const to = parseTimestamp(asked.to) ?? 0
  if (to <= from) throw invalid([{ path: 'to', message: 'must be after from' }])
  if (to - from > mostDays * dayMs)
    throw invalid([{ path: 'to', message: `must be at most ${mostDays} days after from` }])
  return { from, to }
}

interface Period {
  readonly from: number
  readonly to: number
}

const prefixOf = ({ organization_id, charge_point_id }: ChargePoint) => [organization_id, charge_point_id]

/** The last one before the period, which says what held at its beginning. */
function dayBefore(view: ReadView, chargePoint: ChargePoint, { from }: Period): readonly ChargePointDay[] {
  return view.list(chargePointDaysTable, prefixOf(chargePoint), { to: [dayOf(from)], reverse: true, limit: 1 })
}

function daysOf(view: ReadView, chargePoint: ChargePoint, period: Period): readonly ChargePointDay[] {
  const between = { from: [dayOf(period.from)], to: [dayOf(period.to - 1) + 1] }
  return [...dayBefore(view, chargePoint, period), ...view.list(chargePointDaysTable, prefixOf(chargePoint), between)]
}

/** Some days at a time: a charge point that never rests has hundreds of changes in each. */
async function readDays(
  reader: DayReader,
  view: ReadView,
  chargePoint: ChargePoint,
  period: Period,
  { longReads }: Services,
): Promise<{ readonly sessions: number; readonly energyWh: number }> {
  for (const row of dayBefore(view, chargePoint, period)) reader.add(row)
  const sums = { sessions: 0, energyWh: 0 }
  const to = [dayOf(period.to - 1) + 1]
  const limit = limits.daysPerStep
  const read = longOncePaused(longReads.of(chargePoint.organization_id))
  try {
    for (let next = dayOf(period.from); ; ) {
      const rows = view.list(chargePointDaysTable, prefixOf(chargePoint), { from: [next], to, limit })
      for (const row of rows) {
        reader.add(row)
        sums.sessions += row.sessions
        sums.energyWh += row.energy_wh
        next = row.day + 1
      }
      if (rows.length < limit) return sums
      if (read.isOver()) await read.pause()
    }
  } finally {
    read.end()
  }
}

function nowOf(view: ReadView, chargePoint: ChargePoint, { clock, presence }: Services): Now {
  const state = stateOf(view, chargePoint)
  const connected = isOnline(state, presence.live)
  const gone =
    state === undefined || connected ? undefined : state.connected ? lastSeenAt(view, state) : state.disconnected_at
  return { at: clock.now(), connected, ...(gone !== undefined && { goneSince: Date.parse(gone) }) }
}

function uptimeView({
  knownMs,
  upMs,
  offlineMs,
  connects,
}: Uptime): Pick<Static<typeof seriesSchema>, keyof typeof uptimeFields> {
  return {
    uptime: knownMs === 0 ? null : Math.round((upMs / knownMs) * 1e6) / 1e6,
    known_seconds: Math.round(knownMs / 1_000),
    up_seconds: Math.round(upMs / 1_000),
    offline_seconds: Math.round(offlineMs / 1_000),
    connects,
  }
}

async function seriesOf(
  chargePoint: ChargePoint,
  query: Asked & { readonly points: number },
  services: Services,
): Promise<Static<typeof seriesSchema>> {
  const { from, to } = periodOf(query, limits.daysOfSeries)
  const view = services.view()
  const { organization_id, charge_point_id } = chargePoint
  const bucketMs = (to - from) / query.points
  const buckets: Buckets = { from, to, bucketMs, count: query.points }
  const rows = daysOf(view, chargePoint, { from, to })
  const bands = bandsOf(rows, { from, to }, nowOf(view, chargePoint, services))
  const shown = <Band>(of: readonly Band[]): readonly Band[] => of.slice(0, limits.bandsOfSeries)
  const isLonger = [bands.connection, bands.statuses].some(({ length }) => length > limits.bandsOfSeries)
  const reads = { view, begin: services.longReads.of(organization_id) }
  const power = await powerSeries(reads, { organizationId: organization_id, chargePointId: charge_point_id }, buckets)
  return {
    charge_point_id,
    from: formatTimestamp(from),
    to: formatTimestamp(to),
    bucket_seconds: bucketMs / 1_000,
    points: query.points,
    power: [...power],
    limits: limitsOf(view, chargePoint, buckets),
    connection: shown(bands.connection).map(({ from, to, connected }) => ({
      from: formatTimestamp(from),
      to: formatTimestamp(to),
      connected,
    })),
    bands: shown(bands.statuses).map(({ connectorId, status, from, to }) => ({
      connector_id: connectorId,
      from: formatTimestamp(from),
      to: formatTimestamp(to),
      status,
    })),
    is_cut: bands.isCut || isLonger,
    days: dayViews(view, chargePoint, rows, from, to),
    ...uptimeView(bands),
  }
}

function dayViews(
  view: ReadView,
  { organization_id, charge_point_id }: ChargePoint,
  rows: readonly ChargePointDay[],
  from: number,
  to: number,
) {
  const between = { from: [dayOf(from)], to: [dayOf(to - 1) + 1] }
  const counts = new Map(
    view.list(chargePointCountsTable, [organization_id, charge_point_id], between).map((row) => [row.day, row]),
  )
  const changed = new Map(rows.filter(({ day }) => day >= dayOf(from)).map((row) => [row.day, row]))
  return [...new Set([...counts.keys(), ...changed.keys()])]
    .sort((one, other) => one - other)
    .map((day) => ({
      day: new Date(day * dayMs).toISOString().slice(0, 10),
      sessions: changed.get(day)?.sessions ?? 0,
      energy_kwh: (changed.get(day)?.energy_wh ?? 0) / 1000,
      messages: counts.get(day)?.messages ?? 0,
      heartbeats: counts.get(day)?.heartbeats ?? 0,
    }))
}

/** Of the size that is nearest to the buckets of the series, as far as it is kept. */
function limitsOf(view: ReadView, { organization_id, charge_point_id }: ChargePoint, { from, to, bucketMs }: Buckets) {
  const rollUp = rollUps.findLast(({ minutes }) => minutes * 60_000 <= bucketMs) ?? rollUps[0]
  const rows = view.list(powerRollUpsTable, [organization_id, charge_point_id, rollUp.minutes], {
    from: [rollUpStart(rollUp, from)],
    to: [to],
  })
  const known = bucketsBetween(rows, from, to).filter(({ active }) => active > 0)
  return {
    bucket_seconds: rollUp.minutes * 60,
    at: known.map(({ at }) => Math.round(at / 1_000)),
    watts: known.map(({ allocatedWatts }) => Math.round(allocatedWatts)),
    reason: known.map(({ reason }) => reason ?? null),
  }
}

export const chargePointSeriesRoutes = [getChargePointSeries, getChargePointUptime]
