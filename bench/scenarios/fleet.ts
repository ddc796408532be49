// The fleet before many eyes: what browsers that follow it cost the charge points, while these come back all at once and while they say how they are, and how soon a browser knows.

import { setTimeout as delay } from 'node:timers/promises'
import { type FleetWatchers, watchFleet } from '../client/fleet-watchers.js'
import { type Bench, type Measurement, milliseconds, type Scenario } from '../scenario.js'
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
  /** The oldest event of a message in the storm and after it, ms. */
  readonly stormToBrowserMs: number
  readonly p99: number
  readonly watchers: FleetWatchers | undefined
}

/** Everybody connects, and then says how they are for a while. */
async function runOnce(bench: Bench, subject: SubjectName, sizes: Sizes, browsers: number): Promise<Run> {
  const { connections, ratePerSecond, seconds } = sizes
  const label = browsers === 0 ? 'nobody watches' : `${browsers} browsers watch`
  const server = await bench.start(subject, connections)
  const watchers = browsers === 0 ? undefined : await watchFleet({ url: server.process.url, key: server.key }, browsers)
  const generator = bench.generator()
  const storm = await connectAtOnce(bench, generator, server, connections, label)
  await delay(calmMs)
  const stormToBrowserMs = watchers?.latency.longest ?? 0
  const said = await sayStatuses(bench, generator, { ratePerSecond, seconds }, label, () => watchers?.mark())
  // The last of them are on their way.
  await delay(1_000)
  watchers?.end()
  await bench.stop(server)
  return { stormSeconds: storm.seconds, stormToBrowserMs, p99: said.latency.p99, watchers }
}

const worse = (watched: number, alone: number): number => (watched / alone - 1) * 100

export const fleet: Scenario = {
  name: 'fleet',
  title: 'The fleet before many eyes',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    connections: quick ? 200 : 15_000,
    browsers: quick ? 3 : 50,
    ratePerSecond: quick ? 100 : 1_000,
    seconds: quick ? 2 : 20,
  }),
  targets: [
    { metric: 'event to browser p99', is: 'at most', value: 1_000 },
    { metric: 'statuses p99, worse by', is: 'at most', value: 5 },
    { metric: 'storm, longer by', is: 'at most', value: 3 },
  ],
  async run(bench, subject, { connections = 0, browsers = 0, ratePerSecond = 0, seconds = 0 }) {
    const sizes = { connections, browsers, ratePerSecond, seconds }
    const alone = await runOnce(bench, subject, sizes, 0)
    const watched = await runOnce(bench, subject, sizes, browsers)
    const { watchers } = watched
    if (watchers === undefined || watchers.latency.messages === 0) throw new Error('the browsers were told nothing')
    const measurements: Measurement[] = [
      { metric: 'first snapshot', value: watchers.first.milliseconds, unit: 'ms' },
      { metric: 'snapshot, uncompressed', value: watchers.first.bytes / 1e6, unit: 'MB' },
      { metric: 'event to browser p50', value: watchers.latency.p50, unit: 'ms' },
      { metric: 'event to browser p99', value: watchers.latency.p99, unit: 'ms' },
      milliseconds('statuses p99', watched.p99),
      { metric: 'statuses p99, worse by', value: worse(watched.p99, alone.p99), unit: '%' },
      { metric: 'storm', value: watched.stormSeconds, unit: 's' },
      { metric: 'storm, longer by', value: worse(watched.stormSeconds, alone.stormSeconds), unit: '%' },
      milliseconds('storm to browser, longest', watched.stormToBrowserMs),
      { metric: 'snapshots read again', value: watchers.reloads, unit: '' },
    ]
    return measurements
  },
}
