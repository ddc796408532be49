// The fleet before many eyes: what browsers that follow it cost the charge points, while these come back all at once and while they say how they are, and how soon a browser knows.

import { setTimeout as delay } from 'node:timers/promises'
import { type FleetWatchers, watchFleet } from '../client/fleet-watchers.js'
import { type Bench, type Measurement, median, milliseconds, type Scenario, type StartedServer } from '../scenario.js'
import type { SubjectName } from '../servers/subjects.js'
import { connectAtOnce, sayStatuses } from './fleet-traffic.js'

interface Sizes {
  readonly connections: number
  readonly browsers: number
  readonly ratePerSecond: number
  readonly seconds: number
}

/** A fleet that was in a storm is followed again within 20 s, and at once when it is calm. */
const calmMs = 25_000

interface Run {
  readonly stormSeconds: number
  readonly stormCpuMs: number
  readonly p99: number
  readonly cpuMs: number
  /** The oldest event of a message in the storm and after it, ms. */
  readonly stormToBrowserMs: number
}

interface Watched extends Run {
  readonly watchers: FleetWatchers
}

/** Everybody connects, and then says how they are for a while. */
async function runOnce(
  bench: Bench,
  subject: SubjectName,
  sizes: Sizes,
  label: string,
  watch: (server: StartedServer) => Promise<FleetWatchers | undefined>,
): Promise<Run & Partial<Pick<Watched, 'watchers'>>> {
  const { connections, ratePerSecond, seconds } = sizes
  const server = await bench.start(subject, connections)
  const cpuMs = (): number => server.process.usage().cpuMs
  const watchers = await watch(server)
  const generator = bench.generator()
  const beforeStorm = cpuMs()
  const storm = await connectAtOnce(bench, generator, server, connections, label)
  const stormCpuMs = cpuMs() - beforeStorm
  await delay(calmMs)
  const stormToBrowserMs = watchers?.latency.longest ?? 0
  let before = 0
  const said = await sayStatuses(bench, generator, { ratePerSecond, seconds }, label, () => {
    before = cpuMs()
    watchers?.mark()
  })
  const run = { stormSeconds: storm.seconds, stormCpuMs, p99: said.latency.p99, cpuMs: cpuMs() - before }
  // The last of them are on their way.
  await delay(1_000)
  watchers?.end()
  await bench.stop(server)
  return { ...run, stormToBrowserMs, ...(watchers !== undefined && { watchers }) }
}

const worse = (watched: number, alone: number): number => (watched / alone - 1) * 100

/** Of runs that take turns: one run differs from the next by more than what is compared. */
const medianOf = <Of>(runs: readonly Of[], value: (run: Of) => number): number => median(runs.map(value))

export const fleet: Scenario = {
  name: 'fleet',
  title: 'The fleet before many eyes',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    connections: quick ? 200 : 15_000,
    browsers: quick ? 3 : 50,
    ratePerSecond: quick ? 100 : 1_000,
    seconds: quick ? 2 : 20,
    runs: quick ? 1 : 3,
  }),
  targets: [
    { metric: 'event to browser p99', is: 'at most', value: 1_000 },
    { metric: 'statuses p99, worse by', is: 'at most', value: 5 },
    { metric: 'storm, longer by', is: 'at most', value: 3 },
  ],
  async run(bench, subject, { connections = 0, browsers = 0, ratePerSecond = 0, seconds = 0, runs = 0 }) {
    const sizes = { connections, browsers, ratePerSecond, seconds }
    const alone: Run[] = []
    const watched: Watched[] = []
    for (let at = 0; at < runs; at++) {
      alone.push(await runOnce(bench, subject, sizes, 'nobody watches', async () => undefined))
      const { watchers, ...run } = await runOnce(
        bench,
        subject,
        sizes,
        `${browsers} browsers watch`,
        ({ process, key }) => watchFleet({ url: process.url, key }, browsers),
      )
      if (watchers === undefined || watchers.latency.messages === 0) throw new Error('the browsers were told nothing')
      watched.push({ ...run, watchers })
    }
    const longer = (value: (run: Run) => number): number => worse(medianOf(watched, value), medianOf(alone, value))
    const measurements: Measurement[] = [
      { metric: 'first snapshot', value: medianOf(watched, ({ watchers }) => watchers.first.milliseconds), unit: 'ms' },
      { metric: 'snapshot, uncompressed', value: (watched[0]?.watchers.first.bytes ?? 0) / 1e6, unit: 'MB' },
      { metric: 'event to browser p50', value: medianOf(watched, ({ watchers }) => watchers.latency.p50), unit: 'ms' },
      {
        metric: 'event to browser p99',
        value: Math.max(...watched.map(({ watchers }) => watchers.latency.p99)),
        unit: 'ms',
      },
      milliseconds(
        'statuses p99',
        medianOf(watched, ({ p99 }) => p99),
      ),
      { metric: 'statuses p99, worse by', value: longer(({ p99 }) => p99), unit: '%' },
      { metric: 'CPU for statuses, more by', value: longer(({ cpuMs }) => cpuMs), unit: '%' },
      { metric: 'storm', value: medianOf(watched, ({ stormSeconds }) => stormSeconds), unit: 's' },
      { metric: 'storm, longer by', value: longer(({ stormSeconds }) => stormSeconds), unit: '%' },
      { metric: 'CPU in the storm, more by', value: longer(({ stormCpuMs }) => stormCpuMs), unit: '%' },
      milliseconds('storm to browser, longest', Math.max(...watched.map(({ stormToBrowserMs }) => stormToBrowserMs))),
      {
        metric: 'snapshots read again',
        value: watched.reduce((sum, { watchers }) => sum + watchers.reloads, 0),
        unit: '',
      },
    ]
    return measurements
  },
}
