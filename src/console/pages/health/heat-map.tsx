// How long frames took, as a picture: time to the right, how long upwards on a logarithmic scale, brighter is more; with lines for the half, and for all but
// one in a hundred and in a thousand.

import { latencyText, minuteText, numberText, timeText } from '../../client/format.js'
import { Canvas, type Drawing } from '../../parts/canvas.js'
import { known, percentile, type Series, summed } from './series.js'

const left = 52
const bottom = 20
const top = 8
const marks = [1, 3, 10, 30, 100, 300, 1_000, 3_000]
const lines = [
  { share: 0.5, color: '--text' },
  { share: 0.99, color: '--chart-3' },
  { share: 0.999, color: '--bad' },
] as const

function draw({ context, width, height, color }: Drawing, series: Series): void {
  const { counts, bounds_milliseconds: bounds } = series.latency
  const floor = height - bottom
  const low = Math.log(bounds[0] ?? 1)
  const high = Math.log((bounds.at(-1) ?? 1) * 1.25)
  const yOf = (ms: number): number =>
    floor - ((Math.log(Math.max(bounds[0] ?? 1, ms)) - low + 0.25) / (high - low + 0.25)) * (floor - top)
  const cell = (width - left) / Math.max(1, counts.length)
  // Seconds that are narrower than a pixel are drawn together.
  const each = Math.max(1, Math.ceil(1.5 / cell))
  const columns: (readonly number[])[] = []
  for (let at = 0; at < counts.length; at += each) columns.push(summed(counts.slice(at, at + each), each))
  const columnWidth = cell * each
  const most = Math.max(1, ...columns.flat())

  context.font = '11px Inter, sans-serif'
  context.textBaseline = 'middle'
  for (const ms of marks) {
    const y = Math.round(yOf(ms)) + 0.5
    context.fillStyle = color('--grid')
    context.fillRect(left, y, width - left, 1)
    context.fillStyle = color('--text-3')
    context.textAlign = 'right'
    context.fillText(ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`, left - 8, y)
  }
  context.fillStyle = color('--chart-1')
  for (const [at, buckets] of columns.entries())
    for (const [bucket, count] of buckets.entries()) {
      if (count === 0) continue
      const upper = yOf(bounds[bucket] ?? (bounds.at(-1) ?? 1) * 1.25)
      const lower = bucket === 0 ? floor : yOf(bounds[bucket - 1] ?? 1)
      context.globalAlpha = 0.12 + 0.88 * Math.sqrt(count / most)
      context.fillRect(left + at * columnWidth, upper, Math.max(1, columnWidth + 0.4), Math.max(1, lower - upper + 0.3))
    }
  context.globalAlpha = 1
  for (const { share, color: variable } of lines) {
    context.strokeStyle = color(variable)
    context.lineWidth = 1.2
    context.beginPath()
    let isOn = false
    for (const [at, buckets] of columns.entries()) {
      const value = percentile(buckets, bounds, share)
      const x = left + (at + 0.5) * columnWidth
      if (value === undefined) isOn = false
      else if (isOn) context.lineTo(x, yOf(value))
      else {
        context.moveTo(x, yOf(value))
        isOn = true
      }
    }
    context.stroke()
  }
  const startsAt = Date.parse(series.starts_at)
  const span = series.points * series.step_seconds * 1_000
  context.fillStyle = color('--text-3')
  context.textBaseline = 'alphabetic'
  const parts = width < 480 ? 2 : 4
  for (let part = 0; part <= parts; part++) {
    context.textAlign = part === 0 ? 'left' : part === parts ? 'right' : 'center'
    const text = span > 3_600_000 ? minuteText : timeText
    context.fillText(text(startsAt + (span * part) / parts), left + ((width - left) * part) / parts, height - 5)
  }
  for (const [at, count] of series.figures.shards_replaced.entries()) {
    if (count === null || count === 0) continue
    const x = left + (at + 0.5) * cell
    context.strokeStyle = color('--text-2')
    context.setLineDash([2, 3])
    context.beginPath()
    context.moveTo(x, top)
    context.lineTo(x, floor)
    context.stroke()
    context.setLineDash([])
    context.fillStyle = color('--text')
    context.textAlign = x > width / 2 ? 'right' : 'left'
    context.fillText('a shard was replaced', x + (x > width / 2 ? -6 : 6), top + 10)
  }
}

export function HeatMap({ series }: { readonly series: Series }) {
  const { counts, bounds_milliseconds: bounds } = series.latency
  const all = summed(counts, counts.length)
  const frames = known(all).reduce((sum, count) => sum + count, 0)
  const said = (share: number): string => latencyText(percentile(all, bounds, share))
  const label =
    frames === 0
      ? 'No frame came in this time.'
      : `${numberText(frames)} frames: half within ${said(0.5)}, 99 of 100 within ${said(0.99)}, 999 of 1,000 within ${said(0.999)}.`
  return (
    <div class="heat">
      <Canvas label={label} draw={(drawing) => draw(drawing, series)} depends={[series]} />
      <p class="said">
        <span class="line-p50">half</span> <b>{said(0.5)}</b>
        <span class="line-p99">99 of 100</span> <b>{said(0.99)}</b>
        <span class="line-p999">999 of 1,000</span> <b>{said(0.999)}</b>
        <span class="dim">of {numberText(frames)} frames</span>
      </p>
    </div>
  )
}
