// What charge points do while others look at their fleet: all of them come at once, and then say how they are at a steady rate.

import { setTimeout as delay } from 'node:timers/promises'
import type { Generator } from '../generator/generator.js'
import type { GeneratorReport } from '../generator/protocol.js'
import { type Bench, demandClean, type StartedServer } from '../scenario.js'

const inFlight = 1_000

/** So many connect at once; its seconds are those until the last of them has booted. */
export async function connectAtOnce(
  bench: Bench,
  generator: Generator,
  server: StartedServer,
  count: number,
  label: string,
): Promise<GeneratorReport> {
  const { ocppUrl: url } = server.process
  const request = { type: 'connect', url, prefix: server.prefix, from: 0, count, inFlight } as const
  const report = await bench.step(`${count} connect, ${label}`, count, (progress) => generator.ask(request, progress))
  demandClean(report, 'connecting')
  return report
}

/** After the first of them, which are not measured: `begin` is called when they have been said. */
export async function sayStatuses(
  bench: Bench,
  generator: Generator,
  { ratePerSecond, seconds }: { readonly ratePerSecond: number; readonly seconds: number },
  label: string,
  begin: () => void | Promise<void>,
): Promise<GeneratorReport> {
  await generator.ask({ type: 'statuses', ratePerSecond, seconds: 2 })
  await begin()
  const said = await bench.step(`${ratePerSecond} statuses a second, ${label}`, seconds, async (progress) => {
    const saying = generator.ask({ type: 'statuses', ratePerSecond, seconds })
    for (let second = 1; second <= seconds; second++) {
      await delay(1_000)
      progress(second)
    }
    return saying
  })
  demandClean(said, 'statuses')
  return said
}
