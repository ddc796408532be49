// Power and energy of a session over what they cost: the price bands, grace and idle time, the limit, and the states of the connector, on one axis.

import { useRef, useState } from 'preact/hooks'
import type { Schema } from '../../client/api.js'
import { minuteText, numberText, timeText } from '../../client/format.js'
import { Button } from '../../parts/button.js'
import { Canvas, type Drawing } from '../../parts/canvas.js'
import { csvText, saveFile } from '../../parts/download.js'
import { Panel } from '../../parts/panel.js'
import { stateOf } from '../../parts/state-glyph.js'
import { EmptyState } from '../../parts/states.js'

type Values = Schema<'SessionMeterValues'>
type Series = Values['series'][number]
type Trace = Schema<'PricingTrace'>

export interface PlotProps {
  readonly sessionId: string
  readonly values: Values
  readonly startedAt: string
  /** Of a running session, now. */
  readonly endedAt: string
  /** Absent where the session has no price, or who looks may not see it. */
  readonly trace: Trace | undefined
  readonly statuses: readonly { readonly at: string; readonly name: string }[]
}

interface Zone {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly color: string
  readonly alpha: number
}

/** Grace is used up before idle time costs anything. */
export function zonesOf(trace: Trace, from: number, to: number): readonly Zone[] {
  const energy = trace.lines.find(({ type }) => type === 'energy')
  const time = trace.lines.find(({ type }) => type === 'time')
  const idle = trace.lines.find(({ type }) => type === 'idle')
  const prices = [energy && `${energy.price} a kWh`, time && `${time.price} an hour`].filter(
    (text) => text !== undefined,
  )
  const zones: Zone[] = [{ from, to, text: prices.join(', ') || 'free', color: '--chart-1', alpha: 0.05 }]
  let grace = (idle?.grace ?? 0) * 1_000
  for (const span of idle === undefined ? [] : trace.time.idle_spans) {
    const begin = Date.parse(span.from)
    const end = Date.parse(span.to)
    const paidFrom = Math.min(end, begin + grace)
    grace -= paidFrom - begin
    if (paidFrom > begin) zones.push({ from: begin, to: paidFrom, text: 'grace', color: '--text-3', alpha: 0.1 })
    if (end > paidFrom)
      zones.push({ from: paidFrom, to: end, text: `idle, ${idle?.price} an hour`, color: '--chart-3', alpha: 0.16 })
  }
  return zones
}

const of = (values: Values, quantity: string): Series | undefined =>
  values.series.find(
    (one) => one.quantity === quantity && one.phase === null && (quantity !== 'limit' || one.unit === 'W'),
  )

function csvOf(values: Values): string {
  const named = ({ quantity, phase, location, unit }: Series): string =>
    `${[quantity, phase, location === 'Outlet' ? null : location].filter((part) => part !== null).join(' ')} (${unit})`
  return csvText([
    ['time', ...values.series.map(named)],
    ...values.at.map((at, index) => [at, ...values.series.map(({ avg }) => avg[index] ?? null)]),
  ])
}

const left = 34
const right = 40
const top = 26
const below = 44

const highest = (series: Series | undefined): number =>
  Math.max(0, ...(series?.max.filter((value) => value !== null) ?? []))

/** The next of 1, 2, 2.5 and 5 times a power of ten, four of which hold `value`. */
function stepFor(value: number): number {
  const rough = Math.max(value, 0.4) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
}

function draw({ context: c, width, height, color }: Drawing, props: PlotProps, hovered: number | undefined): void {
  const { values, trace, statuses } = props
  const from = Date.parse(props.startedAt)
  const to = Math.max(from + 1_000, Date.parse(props.endedAt))
  const bottom = height - below
  const times = values.at.map((at) => Date.parse(at))
  const power = of(values, 'power')
  const energy = of(values, 'energy')
  const limit = of(values, 'limit')
  const powerStep = stepFor(Math.max(highest(power), highest(limit)) / 1_000)
  const energyStep = stepFor(highest(energy) / 1_000)
  const x = (at: number): number =>
    left + ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * (width - left - right)
  const y = (kw: number): number => bottom - (kw / (powerStep * 4)) * (bottom - top)
  const y2 = (kwh: number): number => bottom - (kwh / (energyStep * 4)) * (bottom - top)
  const write = (text: string, atX: number, atY: number, shade: string, align: CanvasTextAlign = 'left'): void => {
    c.fillStyle = shade
    c.textAlign = align
    c.fillText(text, atX, atY)
  }
  c.font = '11px Inter, system-ui, sans-serif'
  let written = Number.NEGATIVE_INFINITY
  for (const zone of trace === undefined ? [] : zonesOf(trace, from, to)) {
    const [begin, end] = [x(zone.from), x(zone.to)]
    c.globalAlpha = zone.alpha
    c.fillStyle = color(zone.color)
    c.fillRect(begin, top - 18, Math.max(1, end - begin), bottom - top + 18)
    c.globalAlpha = 1
    const { width: needed } = c.measureText(zone.text)
    if (begin + 5 < written || end - begin < Math.min(needed + 8, 30)) continue
    write(zone.text, Math.min(begin + 5, width - right - needed), top - 6, color('--text-2'))
    written = begin + 5 + needed + 6
  }
  for (let step = 0; step <= 4; step++) {
    const at = Math.round(y(step * powerStep)) + 0.5
    c.strokeStyle = color('--grid')
    c.lineWidth = 1
    c.beginPath()
    c.moveTo(left, at)
    c.lineTo(width - right, at)
    c.stroke()
    write(numberText(step * powerStep, 2), left - 6, at + 4, color('--text-3'), 'right')
    write(numberText(step * energyStep, 2), width - right + 6, at + 4, color('--text-3'))
  }
  const line = (
    series: Series | undefined,
    which: 'avg' | 'max',
    toY: (value: number) => number,
    shade: string,
  ): Path2D => {
    const path = new Path2D()
    let isFirst = true
    series?.[which].forEach((value, index) => {
      if (value === null) return
      const at = times[index] ?? from
      if (isFirst) path.moveTo(x(at), toY(value / 1_000))
      else path.lineTo(x(at), toY(value / 1_000))
      isFirst = false
    })
    c.strokeStyle = shade
    c.lineWidth = 1.6
    c.stroke(path)
    return path
  }
  const first = times[power?.avg.findIndex((value) => value !== null) ?? -1]
  const last = times[power?.avg.findLastIndex((value) => value !== null) ?? -1]
  if (first !== undefined && last !== undefined) {
    const area = line(power, 'avg', y, color('--chart-1'))
    area.lineTo(x(last), bottom)
    area.lineTo(x(first), bottom)
    c.globalAlpha = 0.2
    c.fillStyle = color('--chart-1')
    c.fill(area)
    c.globalAlpha = 1
  }
  line(energy, 'max', y2, color('--chart-2'))
  c.setLineDash([4, 4])
  line(limit, 'avg', y, color('--text-2'))
  c.setLineDash([])
  const bands = [...statuses].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  bands.forEach(({ at, name }, index) => {
    const begin = x(Date.parse(at))
    const end = x(index + 1 < bands.length ? Date.parse(bands[index + 1]?.at ?? at) : to)
    c.fillStyle = color(`--fi-${stateOf(name).toLowerCase()}`)
    c.fillRect(begin, bottom + 8, Math.max(2, end - begin - 1), 8)
  })
  const ticks = Math.max(2, Math.min(6, Math.floor((width - left - right) / 90)))
  for (let tick = 0; tick <= ticks; tick++) {
    const at = from + ((to - from) * tick) / ticks
    write(
      minuteText(at),
      x(at),
      height - 6,
      color('--text-3'),
      tick === 0 ? 'left' : tick === ticks ? 'right' : 'center',
    )
  }
  if (hovered === undefined || times[hovered] === undefined) return
  const at = Math.round(x(times[hovered])) + 0.5
  c.strokeStyle = color('--text-3')
  c.beginPath()
  c.moveTo(at, top)
  c.lineTo(at, bottom + 18)
  c.stroke()
}

function readoutOf(values: Values, index: number | undefined): string {
  const at = index === undefined ? undefined : values.at[index]
  if (at === undefined || index === undefined) return ''
  const figure = (quantity: string, unit: string): string[] => {
    const value = of(values, quantity)?.avg[index]
    return value === null || value === undefined ? [] : [`${numberText(value / 1_000, 3)} ${unit}`]
  }
  const others = values.series
    .filter(({ quantity }) => quantity === 'soc')
    .flatMap(({ avg }) =>
      avg[index] === null || avg[index] === undefined ? [] : [`${numberText(avg[index], 1)} % charged`],
    )
  return [timeText(at), ...figure('power', 'kW'), ...figure('energy', 'kWh'), ...others].join('  ·  ')
}

export function Plot(props: PlotProps) {
  const { values, sessionId } = props
  const place = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<number>()
  const power = of(values, 'power')
  const energy = of(values, 'energy')

  function onPointerMove(event: PointerEvent): void {
    const box = place.current?.getBoundingClientRect()
    if (box === undefined) return
    const from = Date.parse(props.startedAt)
    const share = (event.clientX - box.left - left) / Math.max(1, box.width - left - right)
    const at = from + share * (Date.parse(props.endedAt) - from)
    let nearest: number | undefined
    values.at.forEach((time, index) => {
      const distance = Math.abs(Date.parse(time) - at)
      if (nearest === undefined || distance < Math.abs(Date.parse(values.at[nearest] ?? time) - at)) nearest = index
    })
    setHovered(nearest)
  }

  const label =
    `Power and energy over the session: at most ${numberText(highest(power) / 1_000, 1)} kW, ` +
    `${numberText(highest(energy) / 1_000, 3)} kWh in all`
  return (
    <Panel
      title="Power and energy"
      hint={
        values.meter_values === 0
          ? undefined
          : `${numberText(values.meter_values)} meter values${values.cut ? ', the later ones are left out' : ''}`
      }
      class="session-plot"
      actions={
        values.meter_values > 0 && (
          <>
            <span class="legend">kW</span>
            <span class="legend of-energy">kWh</span>
            <Button
              kind="ghost"
              small
              icon="download"
              onClick={() => saveFile(`${sessionId}.csv`, 'text/csv', csvOf(values))}
            >
              CSV
            </Button>
          </>
        )
      }
    >
      {values.meter_values === 0 ? (
        <EmptyState icon="activity" title="The charge point has sent no meter values for this session" />
      ) : (
        <>
          <div ref={place} class="drawing" onPointerMove={onPointerMove} onPointerLeave={() => setHovered(undefined)}>
            <Canvas
              label={label}
              draw={(drawing) => draw(drawing, props, hovered)}
              depends={[props.values, props.trace, props.statuses, props.endedAt, hovered]}
            />
          </div>
          <p class="readout" aria-hidden="true">
            {readoutOf(values, hovered)}
          </p>
        </>
      )}
    </Panel>
  )
}
