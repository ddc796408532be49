// GET /api/v1/sessions/{session_id}/meter-values: what was metered during a session, as series in buckets or as it was sent.

import { type Static, Type } from 'typebox'
import { chargePointsTable, maxPowerKwOf } from '../../../records/charge-point.js'
import { type MeterValues, meterValuesTable } from '../../../records/meter-values.js'
import type { Session } from '../../../records/session.js'
import { limits as runtimeLimits } from '../../../runtime/limits.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { after, type Key } from '../../../runtime/store/table.js'
import { longOncePaused } from '../../pipeline/long-reads.js'
import type { Long } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { area, sessions } from './area.js'
import { limits } from './limits.js'
import { energyReader, figuresOf, gatherSeries, locations, phases, quantities, seriesUnits } from './meter-series.js'

const query = Type.Object({
  from: Type.Optional(timestamp('Only what was metered at this time or later. Everything if you leave it out.')),
  to: Type.Optional(timestamp('Only what was metered before this time.')),
  points: Type.Integer({
    minimum: 1,
    maximum: limits.meterValuePoints,
    default: limits.usualMeterValuePoints,
    description: 'How many buckets the period has at most.',
  }),
  raw: Type.Boolean({
    default: false,
    description: 'true returns the meter values as the charge point sent them, page by page, instead of series.',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: limits.meterValuesPerPage,
    default: 200,
    description: 'How many meter values a page has, with `raw`.',
  }),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'The `next_cursor` of the page before.' })),
})

const figures = () => Type.Array(nullable(Type.Number()))

const seriesSchema = named('MeterSeries', {
  quantity: Type.Enum([...quantities], {
    description:
      '`energy` is what the session has taken so far, as it is billed. `limit` is what the charge point offers to the vehicle.',
  }),
  phase: nullable(Type.Enum([...phases], { description: 'null for all phases together.' })),
  location: Type.Enum([...locations], { description: 'Where it was metered.' }),
  unit: Type.Enum([...seriesUnits]),
  min: figures(),
  avg: figures(),
  max: figures(),
})

const sampleSchema = Type.Object({
  measurand: Type.String(),
  value: Type.Union([Type.Number(), Type.String()]),
  unit: nullable(Type.String()),
  phase: nullable(Type.String()),
  context: Type.String(),
  location: Type.String(),
  format: Type.String(),
})

const valueSchema = named('SessionMeterValue', {
  at: timestamp(),
  reported_at: nullable(timestamp('The time that the charge point reported, where its clock had been set back.')),
  samples: Type.Array(sampleSchema),
  energy_wh: nullable(Type.Number({ description: 'The register by which the session is billed.' })),
  power_watts: nullable(Type.Number()),
})

const answerSchema = named('SessionMeterValues', {
  session_id: Type.String(),
  from: timestamp(),
  to: timestamp(),
  bucket_seconds: nullable(Type.Number({ description: 'How long a bucket is. null with `raw`.' })),
  at: Type.Array(timestamp(), {
    description: 'When each bucket begins in which something was metered: the positions in the series are the same.',
  }),
  series: Type.Array(seriesSchema),
  meter_values: Type.Integer({ description: 'How many meter values the answer covers.' }),
  cut: Type.Boolean({
    description: `Whether the session has more meter values than the ${limits.meterValuesRead} that are read for series. The series then end where it was cut.`,
  }),
  data: Type.Array(valueSchema, { description: 'With `raw`: the meter values, the oldest first.' }),
  next_cursor: nullable(Type.String({ description: 'With `raw`: continues behind this page. null on the last one.' })),
})

/** ms; `to` is exclusive. */
interface Period {
  readonly from: number
  readonly to: number
}

/** What was asked for, or all that there is. Throws `validation_error`. */
function periodOf(view: ReadView, session: Session, asked: Static<typeof query>, now: number): Period {
  const end = session.ended_at === undefined ? now : Date.parse(session.ended_at)
  const edge = (reverse: boolean): number | undefined =>
    view.list(meterValuesTable, [session.session_id], { reverse, limit: 1 })[0]?.at
  const start = Date.parse(session.started_at)
  const from = asked.from === undefined ? Math.min(start, edge(false) ?? start) : (parseTimestamp(asked.from) ?? 0)
  const to = asked.to === undefined ? Math.max(end, edge(true) ?? end) + 1 : (parseTimestamp(asked.to) ?? 0)
  if (to <= from) throw invalid([{ path: 'to', message: 'must be after from' }])
  return { from, to }
}

const behind = ({ at, context }: MeterValues): Key => after([at, context])

const inWords = (time: number): string => formatTimestamp(time)

type Reads = { readonly view: ReadView } & Long

async function readSeries(reads: Reads, session: Session, { from, to }: Period, points: number) {
  const bucketMs = Math.max(1_000, Math.ceil((to - from) / points / 1_000) * 1_000)
  const gathering = gatherSeries(from, bucketMs)
  const energyAt = energyReader(
    session,
    maxPowerKwOf(reads.view.get(chargePointsTable, [session.charge_point_id]), session),
  )
  let [read, covered, cut] = [0, 0, false]
  // From the beginning also where a part is asked for: what was taken until then is of the rows before it.
  for await (const rows of valuesOf(reads, session, [], to)) {
    // There is more than is read.
    cut = read >= limits.meterValuesRead && rows.length > 0
    if (cut) break
    for (const row of rows) {
      const taken = energyAt(row)
      if (row.at < from) continue
      covered++
      for (const figure of figuresOf(row)) gathering.add(row.at, figure)
      if (taken !== undefined)
        gathering.add(row.at, { quantity: 'energy', phase: null, location: 'Outlet', unit: 'Wh', value: taken })
    }
    read += rows.length
  }
  const { at, series } = gathering.end()
  return {
    bucket_seconds: bucketMs / 1_000,
    at: at.map(inWords),
    series,
    meter_values: covered,
    cut,
    data: [],
    next_cursor: null,
  }
}

const defaultMeasurand = 'Energy.Active.Import.Register'

const text = (part: string | number | null | undefined): string | null =>
  (part ?? null) === null ? null : String(part)

function valueView({ at, reported_at, samples, context, energy_wh, inlet_wh, power_watts }: MeterValues) {
  return {
    at: inWords(at),
    reported_at: reported_at === undefined ? null : inWords(reported_at),
    samples: samples.map(([value, measurand, unit, phase, ofSample, location, format]) => ({
      measurand: text(measurand) ?? defaultMeasurand,
      value: value ?? '',
      unit: text(unit),
      phase: text(phase),
      context: text(ofSample) ?? context,
      location: text(location) ?? 'Outlet',
      format: text(format) ?? 'Raw',
    })),
    energy_wh: energy_wh ?? inlet_wh ?? null,
    power_watts: power_watts ?? null,
  }
}

function cursorOf({ at, context }: MeterValues): string {
  return Buffer.from(`${at} ${context}`).toString('base64url')
}

/** Throws `validation_error` for what no page has given. */
function placeOf(cursor: string, from: number): Key {
  const [, at, context] = /^(-?\d{1,16}) (.{0,100})$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at !== undefined && context !== undefined) return Number(at) < from ? [from] : after([Number(at), context])
  throw invalid([{ path: 'cursor', message: 'is not a cursor that a page of meter values has returned' }])
}

/** The meter values of a session, some at a time: between two times, other requests go on. */
async function* valuesOf(
  { view, begin }: Reads,
  { session_id }: Session,
  from: Key,
  to: number,
): AsyncGenerator<readonly MeterValues[]> {
  const reading = longOncePaused(begin)
  const limit = runtimeLimits.rowsPerWalkStep
  try {
    for (let place = from; ; ) {
      const rows = view.list(meterValuesTable, [session_id], { from: place, to: [to], limit })
      yield rows
      const last = rows.at(-1)
      if (last === undefined || rows.length < limit) return
      place = behind(last)
      if (reading.isOver()) await reading.pause()
    }
  } finally {
    reading.end()
  }
}

async function readRaw(reads: Reads, session: Session, { from, to }: Period, { limit, cursor }: Static<typeof query>) {
  const place = cursor === undefined ? [from] : placeOf(cursor, from)
  const page: MeterValues[] = []
  let samples = 0
  let isCut = false
  for await (const rows of valuesOf(reads, session, place, to)) {
    for (const row of rows) {
      isCut = page.length >= limit || samples >= limits.samplesPerPage
      if (isCut) break
      page.push(row)
      samples += row.samples.length
    }
    if (isCut) break
  }
  const last = page.at(-1)
  return {
    bucket_seconds: null,
    at: [],
    series: [],
    meter_values: page.length,
    cut: false,
    data: page.map(valueView),
    next_cursor: last !== undefined && isCut ? cursorOf(last) : null,
  }
}

const getMeterValues = area.route({
  method: 'GET',
  path: '/{session_id}/meter-values',
  operationId: 'getSessionMeterValues',
  summary: 'Get what was metered during a session',
  description:
    'Returns series of power, energy, current, voltage, state of charge, temperature and limit, by phase where the charge point says it, ' +
    'with the lowest, the mean and the highest value of each bucket. With `raw`, returns the meter values as the charge point sent them.',
  of: sessions,
  query,
  responses: { 200: answerSchema },
  sheddable: 'list',
  async handle({ row, query }, services) {
    const view = services.view()
    const period = periodOf(view, row, query, services.clock.now())
    const { from, to } = period
    const reads = { view, begin: services.longReads.of(row.organization_id) }
    const values = await (query.raw ? readRaw(reads, row, period, query) : readSeries(reads, row, period, query.points))
    return { status: 200, body: { session_id: row.session_id, from: inWords(from), to: inWords(to), ...values } }
  },
})

export const meterValueRoutes = [getMeterValues]
