// What a look for due watches costs: the lists that there are, and a bound on what it tells, however many organizations there are.

import { test } from 'tap'
import { createAlertClock } from '../../../src/actors/alert-clock/clock.js'
import { limits } from '../../../src/actors/alert-clock/limits.js'
import { type UnsentAlert, unsentAlertsTable, type Watches } from '../../../src/records/alert.js'
import { type ChargePointState, chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { tables } from '../../../src/records/index.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { type Change, type ReadView, unowned } from '../../../src/runtime/store/store.js'
import { createFakeClock } from '../../support/fake-clock.js'

const dayMs = 86_400_000
const hourMs = 3_600_000

async function clockOver(rows: readonly Pick<ChargePointState, 'charge_point_id' | 'organization_id' | 'watches'>[]) {
  const changes = rows.map((row) => {
    const whole: ChargePointState = {
      run: 1,
      connected: false,
      registration: 'Accepted',
      connectors: [],
      power_watts: 0,
      ...row,
    }
    const { name: table, key } = chargePointStatesTable
    return { type: 'put' as const, table, key: key(whole), row: encodeRow(whole) }
  })
  return clockAfter(changes)
}

async function clockAfter(changes: readonly Change[]) {
  const store = openMemoryStore(tables)
  await store.commit(unowned(changes))
  const clock = createFakeClock()
  let reads = 0
  let told: string[] = []
  const view = (): ReadView => {
    const inner = store.view()
    return {
      ...inner,
      get(...of) {
        reads++
        return inner.get(...of)
      },
      listBy(...of) {
        reads++
        return inner.listBy(...of)
      },
    }
  }
  const alerts = createAlertClock({
    view,
    tell: ({ id }, message) => void told.push(`${id} ${(message as { watch?: string }).watch ?? ''}`),
    commit: (made) => store.commit(unowned(made)),
    newId: (prefix) => prefix,
    now: clock.now,
    unconfirmed: clock.unconfirmed,
    uptime: () => clock.monotonic() + dayMs,
    live: new Set([1]),
    settleMs: 60_000,
    certificates: () => [],
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  })
  return {
    clock,
    async look() {
      reads = 0
      told = []
      await alerts.look()
      return { reads, told }
    },
  }
}

const start = createFakeClock().now()

test('due watches - a look costs about a read for each list that there is, whatever it waits for', async (t) => {
  const organizations = 200
  const waiting: Watches = { certificate_expiring: { since: start + 300 * dayMs } }
  const rows = Array.from({ length: organizations }, (_, n) => ({
    charge_point_id: `CP-${n}`,
    organization_id: `org_${n}`,
    watches: waiting,
  }))
  const { look } = await clockOver(rows)
  const { reads, told } = await look()
  t.same(told, [])
  t.ok(reads <= organizations * 2 + 20, `${reads} reads`)
})

test('due watches - of what many organizations have due at once a look tells a part, and the next ones the rest', async (t) => {
  const rows = Array.from({ length: limits.alertsPerLookInAll * 2 + 100 }, (_, n) => ({
    charge_point_id: `CP-${n}`,
    organization_id: `org_${String(n % 1_000).padStart(4, '0')}`,
    watches: { charge_point_offline: { since: start - hourMs } },
  }))
  const { look } = await clockOver(rows)
  const looks = [await look(), await look(), await look()].map(({ told }) => told)
  t.same(
    looks.map(({ length }) => length),
    [limits.alertsPerLookInAll, limits.alertsPerLookInAll, 100],
  )
  t.equal(new Set(looks.flat()).size, rows.length, 'nobody waits for others to be told again')
  t.equal((await look()).told.length, limits.alertsPerLookInAll, 'and those that did not hear are told again')
})

test('due watches - of every kind and phase what is due is told, each once, and what is noted ahead of the clock', async (t) => {
  const due: Watches = {
    charge_point_offline: { since: start - hourMs },
    'connector_faulted/1': { since: start - hourMs, alert_id: 'alr_1', ending: true },
    'connector_faulted/2': { since: start - hourMs },
    'connector_faulted/3': { since: start + dayMs },
    charge_point_clock_off: { since: start + dayMs, alert_id: 'alr_2', ending: true },
    certificate_expiring: { since: start + dayMs },
  }
  const waiting: Watches = {
    charge_point_offline: { since: start - 60_000 },
    'connector_faulted/1': { since: start - hourMs, alert_id: 'alr_3' },
    'connector_faulted/2': { since: start - 10_000 },
    charge_point_clock_off: { since: start - 10_000, alert_id: 'alr_4', ending: true },
    certificate_expiring: { since: start + 100 * dayMs },
  }
  const { look } = await clockOver([
    { charge_point_id: 'CP-1', organization_id: 'org_a', watches: due },
    { charge_point_id: 'CP-2', organization_id: 'org_a', watches: waiting },
    { charge_point_id: 'CP-3', organization_id: 'org_b', watches: waiting },
    { charge_point_id: 'CP-4', organization_id: 'org_c', watches: due },
  ])
  const { told } = await look()
  const expected = ['CP-1', 'CP-4'].flatMap((id) => Object.keys(due).map((key) => `${id} ${key}`))
  t.same([...told].sort(), expected.sort())
})

test('unsent alerts - of many organizations a look tells some, and the next ones the others', async (t) => {
  const changes = Array.from({ length: limits.mailedOrganizationsPerLook * 2 + 100 }, (_, n) => {
    const row: UnsentAlert = {
      organization_id: `org_${n}`,
      alert_id: 'alr_1',
      status: 'open',
      kind: 'connector_faulted',
    }
    const { name: table, key } = unsentAlertsTable
    return { type: 'put' as const, table, key: key(row), row: encodeRow(row) }
  })
  const { look } = await clockAfter(changes)
  const looks = [await look(), await look(), await look()].map(({ told }) => told)
  t.same(
    looks.map(({ length }) => length),
    [limits.mailedOrganizationsPerLook, limits.mailedOrganizationsPerLook, 100],
  )
  t.equal(new Set(looks.flat()).size, changes.length)
  t.equal((await look()).told.length, limits.mailedOrganizationsPerLook, 'and again, while there is something to mail')
})

test('due watches - what a later version has noted stays as it is, and what comes after it is told', async (t) => {
  const later = {
    cable_stolen: { since: start - hourMs },
    charge_point_offline: { since: start - hourMs },
  } as unknown as Watches
  const { look } = await clockOver([
    { charge_point_id: 'CP-1', organization_id: 'org_1', watches: later },
    { charge_point_id: 'CP-2', organization_id: 'org_2', watches: { charge_point_offline: { since: start - hourMs } } },
  ])
  const { told } = await look()
  t.same([...told].sort(), ['CP-1 charge_point_offline', 'CP-2 charge_point_offline'])
})
