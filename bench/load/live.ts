// The live view: a block that is redrawn in place on a terminal, a line every few seconds elsewhere.

import type { Progress } from './run-load.js'
import { shownCount, shownMs } from './table.js'

export interface Live {
  show(progress: Progress): void
}

const lineEverySeconds = 5

const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

const latency = (value: number | null | undefined): string => (value == null ? '-' : `${shownMs(value)} ms`)

function facts(progress: Progress, chargePoints: number): readonly (readonly [string, string])[] {
  const { latest, remainingSeconds } = progress
  return [
    ['phase', progress.phase + (progress.rounds > 0 ? `, ${progress.rounds} rounds` : '')],
    [
      'elapsed',
      clock(progress.elapsedSeconds) + (remainingSeconds === undefined ? '' : `, ${clock(remainingSeconds)} left`),
    ],
    [
      'connections',
      `${shownCount(latest?.connected ?? 0)} of ${shownCount(chargePoints)}, ${shownCount(latest?.booted ?? 0)} booted`,
    ],
    ['messages', `${shownCount(latest?.answered ?? 0)} per second, ${shownCount(latest?.waiting ?? 0)} waiting`],
    [
      'latency',
      `p50 ${latency(latest?.p50)}  p90 ${latency(latest?.p90)}  p99 ${latency(latest?.p99)}  max ${latency(latest?.maximum)}`,
    ],
    ['errors', shownCount(progress.errors)],
  ]
}

function createBlock(stream: NodeJS.WriteStream, chargePoints: number): Live {
  let height = 0
  return {
    show(progress) {
      const width = Math.max(20, (stream.columns ?? 80) - 1)
      const lines = facts(progress, chargePoints).map(([name, value]) => `  ${name.padEnd(13)}${value}`.slice(0, width))
      // One write, and every line cleared only behind its own text: nothing flickers.
      const up = height > 0 ? `\x1b[${height}A` : ''
      stream.write(`${up}${lines.map((line) => `\r${line}\x1b[K\n`).join('')}`)
      height = lines.length
    },
  }
}

function createLines(stream: NodeJS.WriteStream, chargePoints: number): Live {
  let next = lineEverySeconds
  return {
    show(progress) {
      if (progress.elapsedSeconds < next) return
      next += lineEverySeconds
      const [, , ...rest] = facts(progress, chargePoints)
      stream.write(
        `${clock(progress.elapsedSeconds)} ${progress.phase}: ${rest.map(([name, value]) => `${name} ${value}`).join('; ')}\n`,
      )
    },
  }
}

export function createLive(stream: NodeJS.WriteStream, chargePoints: number, quiet: boolean): Live {
  if (quiet) return { show: () => undefined }
  return stream.isTTY ? createBlock(stream, chargePoints) : createLines(stream, chargePoints)
}
