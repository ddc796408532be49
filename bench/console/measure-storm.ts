// What a tab does while charge points of its fleet come back all at once.

import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Measurement, milliseconds, type StartedServer } from '../scenario.js'
import { connectAtOnce } from '../scenarios/fleet-traffic.js'
import type { ConsoleBrowser } from './console-tab.js'
import { openFleet } from './fleet-tab.js'

export interface StormSizes {
  readonly manyChargePoints: number
  readonly connections: number
}

/** After a storm, until the fleet has been read again and is in the tab. */
const settleMs = 15_000

export async function measureStorm(
  bench: Bench,
  browser: ConsoleBrowser,
  server: StartedServer,
  { connections, manyChargePoints }: StormSizes,
): Promise<Measurement[]> {
  const generator = bench.generator()
  await connectAtOnce(bench, generator, server, connections, 'nobody watches')
  const tab = await browser.tab()
  await openFleet(tab, manyChargePoints)
  await delay(2_000)
  await tab.longestTask()
  const memory = await tab.watchMemory()
  await generator.ask({ type: 'drop' })
  await connectAtOnce(bench, generator, server, connections, 'a tab watches')
  // Until the fleet has been read again, and is in the tab.
  await delay(settleMs)
  const megabytes = memory()
  const longest = await tab.longestTask()
  await tab.close()
  return [
    { metric: 'memory of the tab, storm', value: megabytes, unit: 'MB' },
    milliseconds('longest task, storm', longest),
  ]
}
