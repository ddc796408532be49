// The threads, each in a lane: how late its event loop was, second by second.

import { bytesText, latencyText, numberText, percentText } from '../../client/format.js'
import { Canvas, type Drawing } from '../../parts/canvas.js'
import { kindOf, threadName } from './findings.js'
import { type Column, newest, type Series } from './series.js'

const fullMs = 1_000

function drawLane({ context, width, height, color }: Drawing, delays: Column): void {
  context.fillStyle = color('--grid')
  context.fillRect(0, height - 1, width, 1)
  const each = width / Math.max(1, delays.length)
  for (const [at, delay] of delays.entries()) {
    if (delay === null) continue
    context.fillStyle = color(delay > 250 ? '--bad' : delay > 50 ? '--chart-3' : '--chart-1')
    const high = Math.max(1, Math.min(1, Math.sqrt(delay / fullMs)) * (height - 2))
    context.fillRect(at * each, height - 1 - high, Math.max(0.7, each - 0.3), high)
  }
}

function waitingText(thread: string, waiting: number | undefined): string {
  if (waiting === undefined) return ''
  return kindOf(thread) === 'front' ? `${numberText(waiting)} to shards` : `${numberText(waiting)} in mailboxes`
}

export function Threads({ series }: { readonly series: Series }) {
  return (
    <table class="plain threads">
      <thead>
        <tr>
          <th>Thread</th>
          <th class="lane">Longest delay of its loop</th>
          <th class="end">Now</th>
          <th class="end">Busy</th>
          <th class="end wide-only">Heap</th>
          <th class="end wide-only">Waiting</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(series.threads).map(([thread, columns]) => (
          <tr key={thread}>
            <th scope="row">{threadName(thread)}</th>
            <td class="lane">
              <Canvas
                draw={(drawing) => drawLane(drawing, columns.loop_delay_milliseconds)}
                depends={[columns.loop_delay_milliseconds]}
              />
            </td>
            <td class="end">
              <b>{latencyText(newest(columns.loop_delay_milliseconds))}</b>
            </td>
            <td class="end">{percentText(newest(columns.busy_share) ?? 0, 0)}</td>
            <td class="end wide-only dim">{bytesText(newest(columns.heap_used_bytes) ?? 0)}</td>
            <td class="end wide-only dim">{waitingText(thread, newest(columns.waiting))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
