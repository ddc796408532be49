// The file of a capture: what was said, frame by frame in the order of time, as JSON Lines. The first line says whose it is; `ampshard simulate --replay` plays it.

import { type Capture, type CapturedMessage, capturedMessagesTable } from '../../../records/capture.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { after } from '../../../runtime/store/table.js'
import type { BodyStream } from '../../pipeline/message.js'
import { limits } from './limits.js'

export const scriptType = 'ampshard-script'
export const scriptVersion = 1

interface Line {
  /** Wall ms. */
  readonly at: number
  readonly direction: 'in' | 'out'
  readonly frame: string
}

/** Read while it is sent, a few messages at a time; it ends where its reader may not have it any more. */
export function scriptOf(capture: Capture, view: () => ReadView, isAllowed: () => boolean): BodyStream {
  const startedAt = Date.parse(capture.started_at)
  let from: readonly string[] | undefined
  let isOver = false
  /** Answers that come after requests which are not read yet. */
  let waiting: Line[] = []
  const lineOf = ({ at, direction, frame }: Line): string =>
    `${JSON.stringify({ at_ms: Math.max(0, at - startedAt), direction, frame })}\n`

  function until(time: number): string {
    waiting.sort((one, other) => one.at - other.at)
    const due = waiting.filter(({ at }) => at <= time)
    waiting = waiting.filter(({ at }) => at > time)
    return due.map(lineOf).join('')
  }

  function linesOf({ at, direction, request, answer, milliseconds = 0 }: CapturedMessage): string {
    const before = until(at)
    if (answer !== undefined)
      waiting.push({ at: at + milliseconds, direction: direction === 'in' ? 'out' : 'in', frame: answer })
    return request === undefined ? before : before + lineOf({ at, direction, frame: request })
  }

  function next(): string | null {
    if (isOver || !isAllowed()) return null
    const head = from === undefined ? `${JSON.stringify(headOf(capture))}\n` : ''
    const rows = view().list(capturedMessagesTable, [capture.capture_id], {
      ...(from !== undefined && { from }),
      limit: limits.capturedMessagesPerStep,
    })
    isOver = rows.length < limits.capturedMessagesPerStep
    from = after([rows.at(-1)?.id ?? '']) as readonly string[]
    return head + rows.map(linesOf).join('') + (isOver ? until(Number.POSITIVE_INFINITY) : '')
  }

  return {
    filler: '\n',
    open: () => ({
      read() {
        const text = next()
        return text === null ? null : Buffer.from(text)
      },
      close() {},
    }),
  }
}

function headOf({ charge_point_id, capture_id, started_at }: Capture) {
  return { type: scriptType, version: scriptVersion, charge_point_id, capture_id, started_at }
}
