// What the charge point drew over the last hours, connector upon connector, under what its site allowed it and why, with what its connectors were in on the
// same axis. Under the pointer, or with the arrows, the figures of one moment.

import './power.css'
import { useState } from 'preact/hooks'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { dateText, minuteText, numberText, percentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Canvas, type Drawing } from '../../parts/canvas.js'
import { Segmented } from '../../parts/chip.js'
import { Panel } from '../../parts/panel.js'
import { stateNames, stateOf } from '../../parts/state-glyph.js'
import { Loaded } from '../../parts/states.js'
import type { State } from './here.js'

type Series = Schema<'ChargePointSeries'>

const spans = { '6h': 6, '24h': 24, '7d': 168 } as const
type Span = keyof typeof spans
const hourMs = 3_600_000

export function Power({ data }: { readonly data: State }) {
  const { charge_point_id: id, site_id } = data
  const [given, setGiven] = useQuery('span')
  const span: Span = given === '6h' || given === '7d' ? given : '24h'
  const series = useResource(
    (signal) => {
      const to = Date.now()
      const query = {
        from: new Date(to - spans[span] * hourMs).toISOString(),
        to: new Date(to).toISOString(),
        points: span === '6h' ? 360 : 288,
      }
      return ask(
        api.GET('/api/v1/chargepoints/{charge_point_id}/series', {
          params: { path: { charge_point_id: id }, query },
          signal,
        }),
      )
    },
    [id, span],
    { everySeconds: 30 },
  )
  const reason = useReason(id, site_id)
  return (
    <Panel
      title="Power"
      hint="kW, as its own meter says"
      class="power"
      actions={
        <>
          {series.data?.power.map(({ connector_id }, at) => (
            <span key={connector_id} class={`key of-${(at % 4) + 1}`}>
              connector {connector_id}
            </span>
          ))}
          <Segmented
            label="How long"
            value={span}
            onChange={(value) => setGiven(value === '24h' ? undefined : value)}
            options={[
              { value: '6h', name: '6 h' },
              { value: '24h', name: '24 h' },
              { value: '7d', name: '7 d' },
            ]}
          />
        </>
      }
    >
      <Loaded of={series} rows={5}>
        {(found) => (
          <Plot
            series={found}
            most={data.connectors.reduce((sum, one) => sum + (one.max_power_watts ?? 0), 0)}
            reason={reason}
          />
        )}
      </Loaded>
    </Panel>
  )
}

/** Why its site limits it now. */
function useReason(id: string, siteId: string | null): string | undefined {
  const site = useResource(
    async (signal) =>
      siteId === null
        ? undefined
        : ask(api.GET('/api/v1/sites/{site_id}', { params: { path: { site_id: siteId } }, signal })),
    [siteId],
  )
  const allocation = useResource(
    async (signal) => {
      if (siteId === null) return undefined
      try {
        return await ask(
          api.GET('/api/v1/smart-charging/sites/{site_id}/allocation', {
            params: { path: { site_id: siteId } },
            signal,
          }),
        )
      } catch {
        // Its site has ceased to share power, or is asked by too many: nothing is said of it then.
        return undefined
      }
    },
    [siteId],
    { everySeconds: 15, enabled: site.data?.is_managed === true },
  )
  return allocation.data?.chargers
    .filter((one) => one.charge_point_id === id)
    .map(({ connector_id, explanation }) => `Connector ${connector_id}: ${explanation}`)
    .join(' ')
}

interface PlotProps {
  readonly series: Series
  /** What all connectors can draw together, as its operator has said, watts. */
  readonly most: number
  readonly reason: string | undefined
}

const left = 34
const bandHeight = 8

function Plot({ series, most, reason }: PlotProps) {
  const [at, setAt] = useState<number>()
  const { points, power } = series
  const from = Date.parse(series.from)
  const to = Date.parse(series.to)
  const connectors = [
    ...new Set([
      ...power.map(({ connector_id }) => connector_id),
      ...series.bands.map(({ connector_id }) => connector_id),
    ]),
  ].sort((one, other) => one - other)
  const drawn = power.map(({ avg_watts }) => bridged(avg_watts, series.bucket_seconds))
  const total = (place: number): number => drawn.reduce((sum, one) => sum + (one[place] ?? 0), 0)
  const highest = Math.max(
    most,
    ...series.limits.watts,
    ...Array.from({ length: points }, (_, place) => total(place)),
    1_000,
  )
  const average = Array.from({ length: points }, (_, place) => total(place))
  const peak = Math.max(0, ...average)
  const bottom = 22 + connectors.length * 12

  function draw({ context: c, width, height, color }: Drawing): void {
    const floor = height - bottom
    const x = (time: number) => left + ((time - from) / (to - from)) * (width - left - 6)
    const xOf = (place: number) => x(from + ((place + 0.5) / points) * (to - from))
    const y = (watts: number) => floor - (watts / (highest * 1.08)) * (floor - 8)
    c.font = `11px ${getComputedStyle(document.body).fontFamily}`
    c.textBaseline = 'middle'
    for (const share of [0, 1 / 3, 2 / 3, 1]) {
      const watts = highest * share
      c.strokeStyle = color('--grid')
      c.beginPath()
      c.moveTo(left, Math.round(y(watts)) + 0.5)
      c.lineTo(width, Math.round(y(watts)) + 0.5)
      c.stroke()
      c.fillStyle = color('--text-3')
      c.textAlign = 'right'
      c.fillText(numberText(watts / 1_000, highest < 10_000 ? 1 : 0), left - 6, y(watts))
    }
    const below = new Array<number>(points).fill(0)
    for (const [index, one] of drawn.entries()) {
      const shade = color(`--chart-${(index % 4) + 1}`)
      for (let begin = 0; begin < points; begin++) {
        if (one[begin] === null) continue
        let end = begin
        while (end + 1 < points && one[end + 1] !== null) end++
        c.beginPath()
        for (let place = begin; place <= end; place++) c.lineTo(xOf(place), y((below[place] ?? 0) + (one[place] ?? 0)))
        c.strokeStyle = shade
        c.lineWidth = 1.5
        c.stroke()
        for (let place = end; place >= begin; place--) c.lineTo(xOf(place), y(below[place] ?? 0))
        c.closePath()
        c.globalAlpha = 0.22
        c.fillStyle = shade
        c.fill()
        c.globalAlpha = 1
        begin = end
      }
      for (let place = 0; place < points; place++) below[place] = (below[place] ?? 0) + (one[place] ?? 0)
    }
    c.strokeStyle = color('--text-2')
    c.lineWidth = 1.2
    c.setLineDash([4, 3])
    for (const [place, time] of series.limits.at.entries()) {
      const watts = series.limits.watts[place] ?? 0
      c.beginPath()
      c.moveTo(x(Math.max(from, time * 1_000)), y(watts))
      c.lineTo(x(Math.min(to, (time + series.limits.bucket_seconds) * 1_000)), y(watts))
      c.stroke()
    }
    c.setLineDash([])
    for (const [index, id] of connectors.entries()) {
      const top = floor + 8 + index * 12
      c.fillStyle = color('--text-3')
      c.fillText(String(id), left - 6, top + bandHeight / 2)
      for (const band of series.bands.filter(({ connector_id }) => connector_id === id)) {
        const [begin, end] = [x(Date.parse(band.from)), x(Date.parse(band.to))]
        c.fillStyle = color(`--fi-${band.status.toLowerCase()}`)
        c.fillRect(begin, top, Math.max(1.5, end - begin - 1), bandHeight)
      }
      for (const gone of series.connection.filter(({ connected }) => !connected)) {
        const [begin, end] = [x(Date.parse(gone.from)), x(Date.parse(gone.to))]
        c.fillStyle = color('--fi-offline')
        c.fillRect(begin, top, Math.max(1.5, end - begin - 1), bandHeight)
      }
    }
    c.fillStyle = color('--text-3')
    const isLong = to - from > 48 * hourMs
    for (let tick = 0; tick <= 6; tick++) {
      const time = from + (tick / 6) * (to - from)
      c.textAlign = tick === 0 ? 'left' : tick === 6 ? 'right' : 'center'
      c.fillText(isLong ? dateText(time).replace(/ \d{4}$/, '') : minuteText(time), x(time), height - 7)
    }
    if (at !== undefined) {
      c.strokeStyle = color('--text-3')
      c.beginPath()
      c.moveTo(Math.round(xOf(at)) + 0.5, 8)
      c.lineTo(Math.round(xOf(at)) + 0.5, height - 16)
      c.stroke()
    }
  }

  const time = at === undefined ? undefined : from + ((at + 0.5) / points) * (to - from)
  const move = (by: number) => setAt(at === undefined ? points - 1 : Math.max(0, Math.min(points - 1, at + by)))
  return (
    <>
      <div
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label="Power at a moment"
        aria-valuemin={0}
        aria-valuemax={points - 1}
        aria-valuenow={at ?? points - 1}
        aria-valuetext={time === undefined ? 'now' : `${minuteText(time)}, ${numberText(total(at ?? 0) / 1_000, 1)} kW`}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          setAt(
            Math.max(
              0,
              Math.min(
                points - 1,
                Math.round(((event.clientX - box.left - left) / (box.width - left - 6)) * points - 0.5),
              ),
            ),
          )
        }}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -12, PageDown: 12 }[event.key]
          if (by === undefined) return
          event.preventDefault()
          move(by)
        }}
      >
        <Canvas
          label={`Power, at most ${numberText(peak / 1_000, 1)} kW in this time`}
          draw={draw}
          depends={[series, at]}
        />
      </div>
      <p class="moment">
        {time === undefined ? (
          <Summary series={series} peak={peak} reason={reason} />
        ) : (
          <>
            <b>{minuteText(time)}</b>
            {connectors.map((id) => (
              <span key={id}>
                {id}: {momentText(series, id, at ?? 0, time)}
              </span>
            ))}
            {limitAt(series, time)}
          </>
        )}
      </p>
    </>
  )
}

/** Meter values are minutes apart: between two of one charge, a line. */
const longestGapSeconds = 16 * 60

function bridged(values: readonly (number | null)[], bucketSeconds: number): (number | null)[] {
  const all = [...values]
  let before = -1
  for (const [place, value] of values.entries()) {
    if (value === null) continue
    const gap = place - before
    const start = values[before] ?? 0
    if (before >= 0 && gap > 1 && gap * bucketSeconds <= longestGapSeconds)
      for (let at = before + 1; at < place; at++) all[at] = start + ((value - start) * (at - before)) / gap
    before = place
  }
  return all
}

function momentText(series: Series, id: number, place: number, time: number): string {
  const watts = series.power.find(({ connector_id }) => connector_id === id)?.avg_watts[place]
  const isGone = series.connection.some(
    ({ connected, from, to }) => !connected && Date.parse(from) <= time && time < Date.parse(to),
  )
  const band = series.bands.find(
    (one) => one.connector_id === id && Date.parse(one.from) <= time && time < Date.parse(one.to),
  )
  const state = isGone ? stateNames.Offline : band === undefined ? 'not known' : stateNames[stateOf(band.status)]
  return watts === null || watts === undefined ? state : `${state}, ${numberText(watts / 1_000, 1)} kW`
}

function limitAt({ limits }: Series, time: number) {
  const place = limits.at.findIndex((begin) => begin * 1_000 <= time && time < (begin + limits.bucket_seconds) * 1_000)
  const watts = limits.watts[place]
  if (watts === undefined) return null
  const reason = limits.reason[place]
  return (
    <span class="dim">
      limit {numberText(watts / 1_000, 1)} kW{typeof reason === 'string' && `: ${limitWords[reason]}`}
    </span>
  )
}

const limitWords: Readonly<Record<NonNullable<Series['limits']['reason'][number]>, string>> = {
  demand: 'all that its cars could take',
  share: 'an equal share',
  line: 'a line of the site was used up',
  priority: 'others came first',
  floor: 'its minimum, others waited',
  paused_budget: 'waited for its turn',
  paused_line: 'waited for power on a line',
  paused_minimum: 'could not charge, its minimum was too much',
  minimum: 'had its minimum, more than a share',
  profile: 'as a roaming partner allowed',
  pending: 'no limit yet',
  rejected: 'takes no limits',
  offline: 'could not be reached',
  ignored: 'drew more than its limit',
}

function Summary({
  series,
  peak,
  reason,
}: {
  readonly series: Series
  readonly peak: number
  readonly reason: string | undefined
}) {
  const energy = series.days.reduce((sum, { energy_kwh }) => sum + energy_kwh, 0)
  const sessions = series.days.reduce((sum, day) => sum + day.sessions, 0)
  return (
    <>
      {series.uptime !== null && <span>Usable {percentText(series.uptime)} of the known time</span>}
      <span>{series.connects === 1 ? 'Connected once' : `Connected ${numberText(series.connects)} times`}</span>
      {peak > 0 && <span>At most {numberText(peak / 1_000, 1)} kW</span>}
      {sessions > 0 && (
        <span>
          {sessions === 1 ? '1 session' : `${sessions} sessions`} on these days, {numberText(energy, 1)} kWh
        </span>
      )}
      {reason !== undefined && reason !== '' && <span class="reason">{reason}</span>}
    </>
  )
}
