// How the table of a large fleet scrolls and is filtered.

import { setTimeout as delay } from 'node:timers/promises'
import { type Measurement, milliseconds } from '../scenario.js'
import type { ConsoleBrowser } from './console-tab.js'
import { enterFilter, openFleet, scrollFleet } from './fleet-tab.js'

export interface TableSizes {
  readonly manyChargePoints: number
  readonly frames: number
}

const rowHeight = 28
/** No two after each other find as many. */
const filters = ['model:K300', 'city:leipzig power>5', 'fw:<4.2', 'status:offline', 'AMSTERDAM', 'offline>15m'] as const

export async function measureTable(browser: ConsoleBrowser, sizes: TableSizes): Promise<Measurement[]> {
  const tab = await browser.tab()
  await openFleet(tab, sizes.manyChargePoints)
  await delay(2_000)
  // Once before, so that the scripts are compiled.
  await scrollFleet(tab, 60, rowHeight)
  const scrolled = await scrollFleet(tab, sizes.frames, rowHeight)
  const filtered: number[] = []
  for (const filter of filters) filtered.push(await enterFilter(tab, filter))
  await tab.close()
  return [
    milliseconds('work per frame', scrolled.workPerFrame),
    { metric: 'frames', value: scrolled.framesPerSecond, unit: '/s' },
    milliseconds('longest task, scrolling', scrolled.longestTask),
    milliseconds('slowest filter', Math.max(...filtered)),
  ]
}
