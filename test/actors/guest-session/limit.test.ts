// A guest's charge is stopped before it costs more than was set aside, however its charge point tells of it.

import { test } from 'tap'
import { registerAt } from '../../../src/actors/charge-point/registers.js'
import { selectRates } from '../../../src/pricing/select-rates.js'
import { hashOf, snapshotOf } from '../../../src/pricing/tariff-snapshot.js'
import type { PriceComponent } from '../../../src/pricing/tariff-terms.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { meterValuesTable } from '../../../src/records/meter-values.js'
import type { Session } from '../../../src/records/session.js'
import { tariffSnapshotsTable } from '../../../src/records/tariff-snapshot.js'
import { minute, stageGuest } from '../../support/guest-stage.js'

const perKwh: PriceComponent = { type: 'energy', price: 1 }
const perHour: PriceComponent = { type: 'time', price: 60 }

/** 50 EUR are set aside, at a charge point of 60 kW: a kWh a minute at most. The charge has just begun. */
async function charging(components: readonly PriceComponent[] = [perKwh], powerKw = 60, aheadMs = 0) {
  const stage = stageGuest()
  stage.clock.set(stage.clock.now() + aheadMs)
  const now = new Date(stage.clock.now()).toISOString()
  const tariff = {
    tariff_id: 'trf_1',
    organization_id: 'org_1',
    version: 1,
    name: 'Public',
    currency: 'EUR',
    components,
    tax_percentage: 0,
    created_at: now,
    updated_at: now,
  }
  const snapshot = snapshotOf(tariff, selectRates(tariff, [], [], stage.clock.now(), 'UTC'), 'UTC')
  const hash = hashOf(snapshot)
  await stage.store(tariffSnapshotsTable, { hash, snapshot })
  await stage.store(chargePointsTable, {
    charge_point_id: 'CP-1',
    organization_id: 'org_1',
    version: 1,
    name: '',
    latitude: 0,
    longitude: 0,
    address: '',
    connector_count: 1,
    max_power_kw: powerKw,
    created_at: now,
    updated_at: now,
  })
  await stage.offered()
  const startedAt = stage.clock.now()
  const startedSteady = stage.clock.steady()
  const running: Partial<Session> = {
    started_at: new Date(startedAt).toISOString(),
    tariff_id: 'trf_1',
    tariff_snapshot: hash,
    currency: 'EUR',
  }
  await stage.session(running)
  await stage.tell({ type: 'session-changed' })
  const stops = () => stage.commands.filter(({ command }) => command === 'RemoteStopTransaction').length
  return {
    ...stage,
    running,
    stops,
    minutes: () => (stage.clock.steady() - startedSteady) / minute,
    async meter(kwh: number, powerWatts?: number) {
      await stage.store(meterValuesTable, {
        owner: 'ses_1',
        at: stage.clock.now(),
        context: '',
        samples: [],
        energy_wh: kwh * 1_000,
        ...(powerWatts !== undefined && { power_watts: powerWatts }),
      })
      await stage.tell({ type: 'session-changed' })
    },
    /** Until the charge point is asked to stop, at most so long. */
    async untilStopped(atMostMs: number) {
      const before = stops()
      for (let passed = 0; passed < atMostMs && stops() === before; passed += 1_000) await stage.pass(1_000)
    },
  }
}

test('guest limit - a reading that leaves less than the next minute can cost stops the charge at once', async (t) => {
  const stage = await charging()
  await stage.pass(45 * minute, minute)
  await stage.meter(20, 11_000)
  await stage.pass(minute)
  await stage.meter(48.9, 11_000)
  t.equal(stage.stops(), 0, 'the next minute costs 1 EUR at most')
  await stage.pass(1_000)
  await stage.meter(49.1, 60_000)
  t.equal(stage.stops(), 1)
  t.ok(stage.events().includes('guest_session.limit_reached'))
})

test('guest limit - between rare readings it is foreseen by the power that was metered lately', async (t) => {
  const stage = await charging()
  await stage.pass(15 * minute, minute)
  await stage.meter(7.5, 30_000)
  await stage.pass(15 * minute, minute)
  await stage.meter(15, 30_000)
  await stage.untilStopped(60 * minute)
  t.ok(stage.minutes() > 66 && stage.minutes() < 71, `stopped after ${stage.minutes()} minutes`)
})

test('guest limit - without any reading it is foreseen by the power of the charge point, over restarts', async (t) => {
  const stage = await charging()
  await stage.pass(20 * minute, minute)
  stage.restart()
  await stage.untilStopped(60 * minute)
  t.ok(stage.minutes() > 48 && stage.minutes() <= 49.5, `stopped after ${stage.minutes()} minutes`)
})

test('guest limit - a charge that is metered at the inlet alone is foreseen by those readings', async (t) => {
  const stage = await charging()
  const register = { ...registerAt(0), inlet: true as const }
  await stage.session({ ...stage.running, register })
  for (const wh of [5_000, 10_000, 15_000, 20_000]) {
    await stage.pass(10 * minute, minute)
    await stage.store(meterValuesTable, {
      owner: 'ses_1',
      at: stage.clock.now(),
      context: '',
      samples: [],
      inlet_wh: wh,
    })
    await stage.tell({ type: 'session-changed' })
  }
  await stage.pass(15 * minute, minute)
  t.equal(stage.stops(), 0, 'at 30 kW, 27.5 of 50 EUR after 55 minutes; at full power it were more')
})

test('guest limit - what is foreseen goes on from a reading that is behind many values of the power alone', async (t) => {
  const stage = await charging()
  await stage.pass(30 * minute, minute)
  const at = stage.clock.now()
  const register = { segments: [{ by: 'start' as const, base: 0, highest: 15_000 }] as const, taken: 15_000, at }
  await stage.session({ ...stage.running, register, register_kept: true })
  for (let told = 0; told < 12; told++) {
    await stage.pass(minute)
    const row = { owner: 'ses_1', at: stage.clock.now(), context: '', samples: [], power_watts: 30_000 }
    await stage.store(meterValuesTable, row)
    await stage.tell({ type: 'session-changed' })
  }
  await stage.pass(10 * minute, minute)
  t.equal(stage.stops(), 0, 'at 30 kW, 26 of 50 EUR after 52 minutes; counted from the start again it were more')
})

test('guest limit - time that is charged for counts, and a vehicle that has paused takes no energy', async (t) => {
  const byTime = await charging([perHour])
  await byTime.untilStopped(60 * minute)
  t.ok(byTime.minutes() > 48 && byTime.minutes() <= 49.5, `stopped after ${byTime.minutes()} minutes`)

  const paused = await charging()
  await paused.meter(10, 60_000)
  await paused.session({ ...paused.running, statuses: [{ at: paused.clock.now(), status: 'SuspendedEV' }] })
  await paused.pass(4 * 60 * minute, minute)
  t.equal(paused.stops(), 0)
})

test('guest limit - a stop that is refused is asked for again until the charge ends, and alerted meanwhile', async (t) => {
  const stage = await charging()
  await stage.meter(49.5, 60_000)
  t.equal(stage.stops(), 1)
  await stage.chargePoint('Rejected')
  t.equal(stage.stops(), 1, 'not at once')
  t.match(stage.openAlerts(), [{ kind: 'guest_charge_not_stopped', charge_point_id: 'CP-1' }])
  for (const attempts of [2, 3, 4]) {
    if (attempts === 3) stage.restart()
    await stage.untilStopped(6 * minute)
    t.equal(stage.stops(), attempts)
    if (attempts !== 4) await stage.chargePoint('Rejected')
  }
  t.equal(stage.openAlerts().length, 1)
  await stage.chargePoint('Accepted')
  await stage.session({ ...stage.running, status: 'completed', ended_at: '2026-11-01T03:00:00.000Z', cost: 51 })
  await stage.tell({ type: 'session-changed' })
  t.match(stage.row(), { status: 'stopped', final_cost: 51, payment: { capture_minor: 5_000 } })
  t.same(stage.openAlerts(), [])
})

test('guest limit - stops that are accepted and not carried out are alerted as well', async (t) => {
  const stage = await charging()
  await stage.meter(49.5, 60_000)
  for (let stops = 1; stops <= 3; stops++) {
    await stage.chargePoint('Accepted')
    await stage.untilStopped(6 * minute)
  }
  t.equal(stage.stops(), 4)
  t.equal(stage.openAlerts().length, 1)
})

test('guest limit - a reading that says that less was taken than was foreseen lets the charge go on', async (t) => {
  const stage = await charging()
  await stage.untilStopped(60 * minute)
  await stage.chargePoint('Rejected')
  t.equal(stage.openAlerts().length, 1)
  await stage.meter(10, 11_000)
  t.equal(stage.row().limit, undefined)
  t.same(stage.openAlerts(), [])
  await stage.pass(10 * minute, minute)
  t.equal(stage.stops(), 1)
})

test('guest limit - a charge that began while the clock was ahead, or behind, is stopped when its time is used up', async (t) => {
  for (const aheadMs of [0, 24 * 60 * minute, -6 * 60 * minute]) {
    const stage = await charging([perHour], 60, aheadMs)
    stage.clock.set(stage.clock.now() - aheadMs)
    await stage.untilStopped(2 * 60 * minute)
    t.equal(stage.stops(), 1)
    t.ok(stage.minutes() > 47 && stage.minutes() < 50, `after ${stage.minutes()} minutes`)
  }
})
