// How soon a status is on the screen, while many charge points say theirs and others look at them as well.

import { setTimeout as delay } from 'node:timers/promises'
import { watchFleet } from '../client/fleet-watchers.js'
import { type Bench, type Measurement, milliseconds, type StartedServer } from '../scenario.js'
import { connectAtOnce, sayStatuses } from '../scenarios/fleet-traffic.js'
import type { ConsoleBrowser } from './console-tab.js'
import { namedChargePoints, probeIds } from './fleet-on-disk.js'
import { openFleet, watchStates } from './fleet-tab.js'
import { connectProbes } from './probes.js'
import { shownAfter } from './shown-after.js'

export interface EventSizes {
  readonly chargePoints: number
  readonly connections: number
  readonly browsers: number
  readonly ratePerSecond: number
  readonly seconds: number
}

/** A status of each, long enough for the one before to have been seen. */
const probeEveryMs = 1_500
/** So that all of the probes are on the screen, px. */
const tallWindow = 1_600

/** Another one than that of the tab: each has its share of the streams. */
async function keyOf({ process, key }: StartedServer): Promise<string> {
  const answer = await fetch(`${process.url}/api/v1/org/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Browsers', scopes: ['read:charge_points'] }),
  })
  const made = (await answer.json()) as { readonly key?: string }
  if (made.key === undefined) throw new Error(`no key could be made: ${answer.status}`)
  return made.key
}

export async function measureEvents(
  bench: Bench,
  browser: ConsoleBrowser,
  server: StartedServer,
  sizes: EventSizes,
): Promise<Measurement[]> {
  const { chargePoints, connections, browsers } = sizes
  const generator = bench.generator()
  await connectAtOnce(
    bench,
    generator,
    server,
    Math.min(connections, chargePoints - namedChargePoints),
    'nobody watches',
  )
  const probes = await connectProbes(server.process.ocppUrl, probeIds)
  const watchers = await watchFleet({ url: server.process.url, key: await keyOf(server) }, browsers)
  try {
    const tab = await browser.tab(tallWindow)
    await openFleet(tab, chargePoints, '?sort=charger')
    const seen = await watchStates(tab)
    const label = `${browsers} browsers and a tab watch`
    await sayStatuses(bench, generator, sizes, label, () => probes.begin(probeEveryMs))
    const said = probes.end()
    // The last of them are on their way.
    await delay(2_000)
    const shown = shownAfter(said, await seen())
    await tab.close()
    return [
      milliseconds('status to pixel p50', shown.p50),
      milliseconds('status to pixel p99', shown.p99),
      { metric: 'statuses that did not show', value: shown.missing, unit: '' },
    ]
  } finally {
    watchers.end()
    probes.close()
    await generator.stop()
  }
}
