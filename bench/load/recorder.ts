// Everything that one process counts: latencies by message, errors by kind, and what happened in the second that runs.

import { createHistogram, type Histogram, pairsOf, record } from '../generator/histogram.js'
import { dropped, type Failure } from '../generator/station.js'
import type { ErrorCount, MessageCounts, Phase, ProcessResults, Tick } from './protocol.js'

export interface Recorder {
  readonly lag: (milliseconds: number) => void
  sent(action: string, intendedAt: number): void
  /**
   * A message is done with: answered, refused, or given up. `serviceMicroseconds` is the time since it left, undefined
   * when it never did. Times without an end are not latencies: those of a lost connection.
   */
  settled(action: string, intendedAt: number, serviceMicroseconds: number | undefined, failure?: Failure): void
  /** An error that is no message's. */
  error(kind: string): void
  attempt(): void
  deferred(): void
  /** Milliseconds since the connection was due. */
  opened(milliseconds: number): void
  ready(milliseconds: number): void
  command(action: string): void
  phase(phase: Phase): void
  tick(gauges: Pick<Tick, 'connected' | 'booted' | 'waiting'>): Tick
  /** The measured time ends; answers that are still out are waited for. */
  end(): void
  results(): ProcessResults
}

interface Message {
  sent: number
  answered: number
  failed: number
  readonly latency: Histogram
  readonly serviceTime: Histogram
}

/** A server can invent as many reasons as it likes. */
const kindsLimit = 100
const kindLength = 100

/** Failures after which it is not known how long an answer would have taken. */
const endless = new Set(['connection lost'])

export function createRecorder(startedAt: number): Recorder {
  const messages = new Map<string, Message>()
  const errors = new Map<string, { kind: string; phase: Phase; count: number; firstSecond: number }>()
  const commands: Record<string, number> = {}
  const handshake = createHistogram()
  const ready = createHistogram()
  const lag = createHistogram()
  const second = createHistogram(2)
  const connecting = { attempts: 0, opened: 0, boots: 0, deferred: 0 }
  const now = (): number => (performance.timeOrigin + performance.now() - startedAt) / 1000
  let phase: Phase = 'connecting'
  let measuredFrom = 0
  let cpuAtMeasure = process.cpuUsage()
  let cpuAtTick = process.cpuUsage()
  let measured = { seconds: 0, cpuSeconds: 0 }
  let current = { sent: 0, answered: 0, errors: 0, lagMs: 0 }

  function message(action: string): Message {
    let found = messages.get(action)
    if (found === undefined) {
      found = { sent: 0, answered: 0, failed: 0, latency: createHistogram(), serviceTime: createHistogram() }
      messages.set(action, found)
    }
    return found
  }

  function error(text: string): void {
    current.errors++
    const kind = text.length > kindLength ? `${text.slice(0, kindLength)}...` : text
    const key = `${phase} ${kind}`
    const found = errors.get(key)
    if (found !== undefined) found.count++
    else if (errors.size < kindsLimit) errors.set(key, { kind, phase, count: 1, firstSecond: now() })
    else {
      const rest = errors.get('rest')
      if (rest !== undefined) rest.count++
      else errors.set('rest', { kind: 'errors of other kinds', phase, count: 1, firstSecond: now() })
    }
  }

  return {
    lag(milliseconds) {
      current.lagMs = Math.max(current.lagMs, milliseconds)
      record(lag, milliseconds * 1000)
    },
    sent(action, intendedAt) {
      current.sent++
      // What was due before the measured time belongs to the warm-up, whenever it leaves or is answered.
      if (intendedAt >= measuredFrom) message(action).sent++
    },
    settled(action, intendedAt, serviceMicroseconds, failure) {
      // Cut off by the load itself: nobody's failure.
      if (failure === dropped) return
      const counted = intendedAt >= measuredFrom ? message(action) : undefined
      const answered = failure === undefined || failure.kind.startsWith('CALLERROR') || failure.kind.startsWith('HTTP')
      if (answered) {
        current.answered++
        if (counted) counted.answered++
      }
      if (failure !== undefined) {
        if (counted) counted.failed++
        error(`${action}: ${failure.kind}`)
        if (endless.has(failure.kind)) return
      }
      const microseconds = (performance.now() - intendedAt) * 1000
      record(second, microseconds)
      if (counted === undefined) return
      record(counted.latency, microseconds)
      if (serviceMicroseconds !== undefined) record(counted.serviceTime, serviceMicroseconds)
    },
    error,
    attempt() {
      connecting.attempts++
    },
    deferred() {
      connecting.deferred++
    },
    opened(milliseconds) {
      connecting.opened++
      record(handshake, milliseconds * 1000)
    },
    ready(milliseconds) {
      connecting.boots++
      record(ready, milliseconds * 1000)
    },
    command(action) {
      commands[action] = (commands[action] ?? 0) + 1
    },
    phase(next) {
      phase = next
      if (next !== 'measured') return
      messages.clear()
      lag.reset()
      measuredFrom = performance.now()
      cpuAtMeasure = process.cpuUsage()
    },
    tick(gauges) {
      const used = process.cpuUsage(cpuAtTick)
      cpuAtTick = process.cpuUsage()
      const { sent, answered, errors: failed, lagMs } = current
      const tick: Tick = {
        // The second that ends here.
        second: Math.max(0, Math.round(now()) - 1),
        ...gauges,
        sent,
        answered,
        errors: failed,
        latency: pairsOf(second),
        latestLagMs: lagMs,
        cpuSeconds: (used.user + used.system) / 1_000_000,
      }
      second.reset()
      current = { sent: 0, answered: 0, errors: 0, lagMs: 0 }
      return tick
    },
    end() {
      const used = process.cpuUsage(cpuAtMeasure)
      measured = {
        seconds: (performance.now() - measuredFrom) / 1000,
        cpuSeconds: (used.user + used.system) / 1_000_000,
      }
    },
    results() {
      // A run that was ended before has measured nothing.
      if (phase !== 'measured') {
        messages.clear()
        measured = { seconds: 0, cpuSeconds: 0 }
      }
      const counts = [...messages].map(
        ([action, one]): MessageCounts => ({
          action,
          sent: one.sent,
          answered: one.answered,
          failed: one.failed,
          latency: pairsOf(one.latency),
          serviceTime: pairsOf(one.serviceTime),
        }),
      )
      return {
        messages: counts,
        errors: [...errors.values()] as ErrorCount[],
        connecting: { ...connecting, handshake: pairsOf(handshake), ready: pairsOf(ready) },
        commands,
        lag: pairsOf(lag),
        ...measured,
      }
    },
  }
}
