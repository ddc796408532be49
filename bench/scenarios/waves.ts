// Transactions in waves, shared by the scenarios that begin and end them: every charge point starts one on every connector,
// one message outstanding, meters them where that is asked for, then stops them all. The first wave only warms up.

import type { Generator } from '../generator/generator.js'
import type { GeneratorReport } from '../generator/protocol.js'
import { type Bench, demandClean, type StartedServer } from '../scenario.js'

export interface Wave {
  readonly perSecond: number
  readonly cpuMicroseconds: number
  readonly p50: number
  readonly p99: number
}

interface Sum {
  completed: number
  seconds: number
  cpuMs: number
  p50: number
  p99: number
}

function add(sum: Sum, report: GeneratorReport, cpuMs: number): void {
  sum.completed += report.completed
  sum.seconds += report.seconds
  sum.cpuMs += cpuMs
  sum.p50 = Math.max(sum.p50, report.latency.p50)
  sum.p99 = Math.max(sum.p99, report.latency.p99)
}

function waveOf({ completed, seconds, cpuMs, p50, p99 }: Sum): Wave {
  return { perSecond: completed / seconds, cpuMicroseconds: (cpuMs * 1_000) / completed, p50, p99 }
}

export interface WaveSizes {
  readonly connectors: number
  readonly waves: number
  /** Meter values of each transaction. */
  readonly samples?: number
}

export function measureWaves(
  bench: Bench,
  generator: Generator,
  server: StartedServer,
  { connectors, waves, samples = 0 }: WaveSizes,
): Promise<{ readonly starts: Wave; readonly stops: Wave }> {
  const starts: Sum = { completed: 0, seconds: 0, cpuMs: 0, p50: 0, p99: 0 }
  const stops: Sum = { ...starts }
  return bench.step('transactions', waves + 1, async (progress) => {
    for (let wave = 0; wave <= waves; wave++) {
      const before = server.process.usage().cpuMs
      const started = await generator.ask({ type: 'transactions', phase: 'start', connectors })
      const startedCpuMs = server.process.usage().cpuMs - before
      if (samples > 0)
        demandClean(await generator.ask({ type: 'transactions', phase: 'meter', connectors, samples }), 'metering')
      const between = server.process.usage().cpuMs
      const stopped = await generator.ask({ type: 'transactions', phase: 'stop', connectors })
      demandClean(started, 'starting')
      demandClean(stopped, 'stopping')
      progress(wave + 1)
      if (wave === 0) continue
      add(starts, started, startedCpuMs)
      add(stops, stopped, server.process.usage().cpuMs - between)
    }
    return { starts: waveOf(starts), stops: waveOf(stops) }
  })
}
