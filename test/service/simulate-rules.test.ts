// A simulation of billing rules over more sessions than one request reads, over the built service and a store on disk.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { limits } from '../../src/api/areas/billing-rules/limits.js'
import { createIdMaker } from '../../src/runtime/ids.js'
import { type Change, unowned } from '../../src/runtime/store/store.js'
import { inFullSuite } from '../runner/sample.js'
import { pastSession } from '../support/past-session.js'
import { startService } from '../support/service.js'
import { setUpStore } from '../support/set-up-store.js'

const path = '/api/v1/billing/rules/simulate'
const start = Date.parse('2026-10-01T00:00:00.000Z')
const more = 7

/** A data directory with sessions of which some end at one instant, also those on both sides of the cut. */
async function seed(data: string, key: string): Promise<void> {
  const { store, organizationId } = await setUpStore(data, key)
  const newId = createIdMaker({ now: () => start }, Math.random)
  const changes: Change[] = []
  for (let at = 0; at < limits.simulatedSessions + more; at++)
    changes.push(...pastSession(newId, organizationId, { endedAt: start + Math.floor(at / 20), kwh: 20 }))
  for (let at = 0; at < changes.length; at += 3_000) {
    const written = await store.commit(unowned(changes.slice(at, at + 3_000)))
    if (!written.ok) throw new Error(written.reason)
  }
  await store.close()
}

test(
  'simulate - a long period is cut, says so, goes on where it was cut, and lets others in meanwhile',
  inFullSuite,
  async (t) => {
    const data = mkdtempSync(join(tmpdir(), 'ampshard-simulate-'))
    t.teardown(() => rmSync(data, { recursive: true, force: true }))
    const key = `test-${randomBytes(24).toString('hex')}`
    await seed(data, key)
    const service = await startService(t, { data, key })
    const half = { name: 'Half', priority: 1, conditions: [], actions: [{ type: 'discount_percent', value: 50 }] }
    const wanted = { rules: [half], from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' }

    let running = true
    let othersAnswered = 0
    const simulated = service.request('POST', path, { ...wanted, per_page: 1 }).finally(() => {
      running = false
    })
    while (running) {
      t.equal((await service.request('GET', '/api/v1/billing/rules')).status, 200)
      othersAnswered++
    }
    const { body } = await simulated
    t.ok(othersAnswered >= 10, `${othersAnswered} requests were answered meanwhile`)
    t.match(body, { sessions_covered: limits.simulatedSessions, sessions_skipped: 0, cut: true, next_cursor: String })
    // 20 kWh at 0.50 and 20 percent are 12.
    const cost = limits.simulatedSessions * 12
    t.match(body.totals, [
      { sessions: limits.simulatedSessions, cost, simulated_cost: cost / 2, difference: -cost / 2 },
    ])

    const last = await service.request('POST', path, { ...wanted, per_page: 1, page: limits.simulatedSessions })
    const rest = await service.request('POST', path, { ...wanted, cursor: body.next_cursor })
    t.match(rest.body, { sessions_covered: more, total: more, cut: false, next_cursor: null })
    const ids = [last.body.sessions[0], ...rest.body.sessions].map(({ session_id }) => session_id)
    t.same(ids, [...new Set(ids)].sort(), 'the rest follows the last one that was covered')
  },
)
