// How soon the page of the fleet is there, and answers the first press.

import { setTimeout as delay } from 'node:timers/promises'
import { type Measurement, median, milliseconds } from '../scenario.js'
import type { ConsoleBrowser } from './console-tab.js'
import { type Opened, openFleet, pressState, reloadFleet } from './fleet-tab.js'

export interface OpeningSizes {
  readonly chargePoints: number
  readonly faulted: number
  readonly openings: number
}

export async function measureOpening(browser: ConsoleBrowser, sizes: OpeningSizes): Promise<Measurement[]> {
  const { chargePoints: count, openings, faulted } = sizes
  const cold: Opened[] = []
  const warm: number[] = []
  const presses: number[] = []
  for (let at = 0; at <= openings; at++) {
    const tab = await browser.tab()
    const first = await openFleet(tab, count)
    const again = await reloadFleet(tab, count)
    // What a page does once it is there, such as fetching other pages, is over.
    await delay(1_000)
    const press = await pressState(tab, 'Faulted', faulted)
    await tab.close()
    // The service reads the fleet for the first who asks.
    if (at === 0) continue
    cold.push(first)
    warm.push(again.usable)
    presses.push(press)
  }
  return [
    milliseconds('first paint', median(cold.map(({ firstPaint }) => firstPaint))),
    milliseconds('usable, cold', median(cold.map(({ usable }) => usable))),
    milliseconds('usable, warm', median(warm)),
    milliseconds('faulted, press to pixels', median(presses)),
  ]
}
