// A service over a large fleet, and somebody who looks at it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { writeLargeFleet } from '../../bench/client/large-fleet.js'
import {
  fleetMetricNames,
  fleetSample,
  fleetSamplesTable,
  fleetSteps,
  stepStart,
} from '../../src/records/fleet-sample.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { type Change, unowned } from '../../src/runtime/store/store.js'
import { type Service, startService, type Teardowns } from '../support/service.js'
import { setUpStore } from '../support/set-up-store.js'
import { desktop, signIn } from './stage.js'

/** Of the first start over a store that was set up before. */
const firstRun = 2

export async function serviceWithFleet(
  t: Teardowns,
  { count, faulted }: { readonly count: number; readonly faulted: number },
): Promise<Service> {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-fleet-'))
  t.teardown(() => Promise.resolve(rmSync(data, { recursive: true, force: true })))
  const key = 'f'.repeat(40)
  const { store, organizationId } = await setUpStore(data, key)
  await writeLargeFleet(store, { organizationId, count, faulted, run: firstRun, now: Date.now() })
  await store.commit(unowned(lastDay(organizationId, Date.now())))
  await store.close()
  return startService(t, { data, key })
}

/** What the fleet was doing in the last 24 hours, in quarters of an hour. */
function lastDay(organizationId: string, now: number): Change[] {
  const [, step] = fleetSteps
  const begin = stepStart(step, now - 24 * 3_600_000)
  return Array.from({ length: 96 }, (_, at) => {
    const values = fleetMetricNames.map((_name, metric) => 1_000 * (metric + 1) + at)
    const row = fleetSample(organizationId, step, begin + at * step.seconds * 1_000, values)
    const { name: table, key } = fleetSamplesTable
    return { type: 'put', table, key: key(row), row: encodeRow(row) }
  })
}

/** A browser's own cookies, with somebody signed in. */
export async function visitor(browser: Browser, service: Service): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: desktop, baseURL: service.url, colorScheme: 'dark' })
  const page = await context.newPage()
  await page.goto('/console/api-keys')
  await signIn(page, service.key)
  await page.close()
  return context
}
