// A chart over time: lines and areas on one axis, in the colours of the theme and the times of the organization. The pointer reads its values, a drag chooses a
// period. Who does not see it is told what it shows by its label, and reads the figures beside it.

import './chart.css'
import { useRef } from 'preact/hooks'
import { momentText } from '../client/format.js'
import { Canvas, type Drawing } from './canvas.js'
import { nearestTo, roundValues, type Scale, scaleOf, timeMarks, valueBounds } from './chart-scale.js'

export interface ChartSeries {
  readonly name: string
  /** As long as the times; null is a gap. */
  readonly values: readonly (number | null)[]
  /** A variable of the theme. */
  readonly color: string
  readonly text: (value: number) => string
  /** Its area is filled. */
  readonly fill?: boolean
  readonly dashed?: boolean
  /** Values hold until the next one. */
  readonly stepped?: boolean
}

export interface ChartProps {
  /** What it shows. */
  readonly label: string
  /** Epoch seconds, ascending. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly height?: number
  /** Of the axis, for instance `kW`. */
  readonly axis?: (value: number) => string
  /** The bounds of the axis of time, where they are not those of the data. */
  readonly from?: number
  readonly to?: number
  /** The pointer has marked a period, in epoch seconds. */
  readonly onPeriod?: (from: number, to: number) => void
  /** Draws on the finished chart: bands, marks. */
  readonly overlay?: (drawing: Drawing, time: Scale, value: Scale) => void
}

const room = { left: 50, right: 8, top: 8, bottom: 20 }
/** Narrower, a drag is a press. */
const shortestDrag = 5
const pixelsOfMark = 84

export function Chart(props: ChartProps) {
  const { label, times, series, height = 210, onPeriod } = props
  const from = props.from ?? times[0] ?? 0
  const to = props.to ?? times.at(-1) ?? from + 1
  const place = useRef<HTMLDivElement>(null)
  const cursor = useRef<HTMLElement>(null)
  const chosen = useRef<HTMLElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const begun = useRef<number>(undefined)

  /** The pointer's place, from the left, within the chart. */
  function placeOf(event: PointerEvent): { readonly x: number; readonly time: number } {
    const { left, width } = (place.current as HTMLDivElement).getBoundingClientRect()
    const end = width - room.right
    const x = Math.max(room.left, Math.min(end, event.clientX - left))
    return { x, time: from + ((x - room.left) / (end - room.left)) * (to - from) }
  }

  function mark(element: HTMLElement | null, left: number, width: number): void {
    if (element === null) return
    element.hidden = false
    element.style.left = `${left}px`
    element.style.width = `${width}px`
  }

  function onPointerMove(event: PointerEvent): void {
    const { x, time } = placeOf(event)
    mark(cursor.current, x, 1)
    const at = nearestTo(times, time)
    if (readout.current !== null) readout.current.textContent = textAt(props, at)
    if (begun.current !== undefined && onPeriod !== undefined)
      mark(chosen.current, Math.min(begun.current, x), Math.abs(x - begun.current))
  }

  function onPointerUp(event: PointerEvent): void {
    const start = begun.current
    begun.current = undefined
    if (chosen.current !== null) chosen.current.hidden = true
    if (start === undefined || onPeriod === undefined) return
    const { x, time } = placeOf(event)
    if (Math.abs(x - start) < shortestDrag) return
    const width = (place.current?.clientWidth ?? 0) - room.right - room.left
    const other = from + ((start - room.left) / width) * (to - from)
    onPeriod(Math.min(other, time), Math.max(other, time))
  }

  function onPointerLeave(): void {
    if (cursor.current !== null) cursor.current.hidden = true
    if (readout.current !== null) readout.current.textContent = ''
  }

  return (
    <figure class="chart" aria-label={label}>
      <figcaption>
        {series.map(({ name, color }) => (
          <span key={name}>
            <i ref={(element) => element?.style.setProperty('background', `var(${color})`)} />
            {name}
          </span>
        ))}
      </figcaption>
      <div
        ref={(element) => {
          place.current = element
          element?.style.setProperty('height', `${height}px`)
        }}
        class="plot"
        onPointerDown={(event) => {
          begun.current = placeOf(event).x
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerLeave={onPointerLeave}
      >
        <Canvas
          label={label}
          depends={[times, series, from, to]}
          draw={(drawing) => drawChart(drawing, props, from, to)}
        />
        <i ref={cursor} class="cursor" hidden />
        <i ref={chosen} class="chosen" hidden />
      </div>
      <p ref={readout} class="readout" aria-hidden="true" />
    </figure>
  )
}

function drawChart(drawing: Drawing, { times, series, axis, overlay }: ChartProps, from: number, to: number): void {
  const { context, width, height, color } = drawing
  const [low, high] = valueBounds(series)
  const time = scaleOf(from, to, room.left, width - room.right)
  const value = scaleOf(low, high, height - room.bottom, room.top)
  context.font = '11px Inter, system-ui'
  context.textBaseline = 'middle'
  context.textAlign = 'right'
  context.lineWidth = 1
  for (const one of roundValues(low, high, 4)) {
    const y = Math.round(value.at(one)) + 0.5
    context.strokeStyle = color('--grid')
    context.beginPath()
    context.moveTo(room.left, y)
    context.lineTo(width - room.right, y)
    context.stroke()
    context.fillStyle = color('--text-3')
    context.fillText((axis ?? String)(one), room.left - 6, y)
  }
  context.textAlign = 'center'
  for (const { at, text } of timeMarks(from, to, Math.max(2, (width - room.left) / pixelsOfMark))) {
    const half = context.measureText(text).width / 2
    const x = Math.max(room.left + 14, Math.min(width - half - 1, time.at(at)))
    context.fillText(text, x, height - room.bottom / 2 + 2)
  }
  for (const one of series) drawSeries(context, times, one, time, value, color(one.color))
  overlay?.(drawing, time, value)
}

function drawSeries(
  context: CanvasRenderingContext2D,
  times: readonly number[],
  { values, fill, dashed, stepped }: ChartSeries,
  time: Scale,
  value: Scale,
  stroke: string,
): void {
  const zero = value.at(Math.max(0, value.low))
  context.setLineDash(dashed === true ? [4, 4] : [])
  context.lineJoin = 'round'
  context.lineWidth = 1.5
  context.strokeStyle = stroke
  for (const run of runsOf(values)) {
    const path = new Path2D()
    for (let at = run.first; at <= run.last; at++) {
      const [x, y] = [time.at(times[at] as number), value.at(values[at] as number)]
      if (at === run.first) path.moveTo(x, y)
      else if (stepped === true) path.lineTo(x, value.at(values[at - 1] as number))
      path.lineTo(x, y)
    }
    context.stroke(path)
    if (fill !== true) continue
    path.lineTo(time.at(times[run.last] as number), zero)
    path.lineTo(time.at(times[run.first] as number), zero)
    path.closePath()
    context.globalAlpha = 0.18
    context.fillStyle = stroke
    context.fill(path)
    context.globalAlpha = 1
  }
  context.setLineDash([])
}

/** What lies between gaps. */
function runsOf(values: readonly (number | null)[]): readonly { readonly first: number; readonly last: number }[] {
  const runs: { first: number; last: number }[] = []
  for (const [at, value] of values.entries()) {
    const run = runs.at(-1)
    if (value === null) continue
    if (run !== undefined && run.last === at - 1) run.last = at
    else runs.push({ first: at, last: at })
  }
  return runs
}

function textAt({ times, series }: ChartProps, at: number): string {
  const time = times[at]
  if (time === undefined) return ''
  const values = series.flatMap(({ name, text, values }) => {
    const value = values[at]
    return value === null || value === undefined ? [] : [`${name} ${text(value)}`]
  })
  return [momentText(time * 1_000), ...values].join('  ·  ')
}
