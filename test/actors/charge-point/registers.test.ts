// What is billed when a register rolls over or is reset in a session: running, ended, closed by estimate and corrected.

import { type Test, test } from 'tap'
import { readRegister, registerAt } from '../../../src/actors/charge-point/registers.js'
import { type ChargePoint, chargePointsTable } from '../../../src/records/charge-point.js'
import { meterValuesTable } from '../../../src/records/meter-values.js'
import { type Charging, charging, minuteMs } from './charge.js'

const perKwh = { components: [{ type: 'energy' as const, price: 1 }] }

interface Life {
  readonly start: number
  readonly values: readonly number[]
  readonly stop: number
  /** Told after each value, and at the end. */
  readonly told: readonly number[]
  readonly kwh: number
  readonly flag: string
}

/** A StartTransaction, a value each five minutes, with a restart of the service after each, and the stop. */
async function lived(t: Test, { start, values, stop, told, kwh, flag }: Life): Promise<Charging> {
  const charge = await charging(perKwh)
  const transactionId = await charge.start({ meterStart: start })
  let socket = 1
  for (const [index, value] of values.entries()) {
    charge.pass(5 * minuteMs)
    await charge.meter(transactionId, value, socket)
    const { cost_so_far } = charge.session(transactionId)
    t.equal(cost_so_far, told[index], `${value} is told as ${told[index]}`)
    charge.restart()
    await charge.attach(++socket, socket * 100)
  }
  charge.pass(5 * minuteMs)
  const stopped = { transactionId, meterStop: stop, timestamp: charge.now() }
  await charge.call(socket, 'StopTransaction', stopped)
  const session = charge.session(transactionId)
  t.match(session, { status: 'completed', energy_wh: kwh * 1_000, cost: kwh, meter_stop: stop })
  t.same(session.flags, [flag])
  return charge
}

test('registers - one that rolls over at a power of ten goes on', async (t) => {
  await lived(t, {
    start: 99_999_500,
    values: [99_999_900, 100],
    stop: 500,
    told: [0.4, 0.6],
    kwh: 1,
    flag: 'meter_rolled_over',
  })
})

test('registers - one that rolls over at 2^31 between start and stop goes on', async (t) => {
  await lived(t, { start: 2_147_483_000, values: [], stop: 352, told: [], kwh: 1, flag: 'meter_rolled_over' })
})

test('registers - what was taken before a reset counts, and what came after it', async (t) => {
  await lived(t, {
    start: 5_000,
    values: [6_500, 100],
    stop: 1_900,
    told: [1.5, 1.6],
    kwh: 3.4,
    flag: 'meter_reset',
  })
})

test('registers - a reset is seen also when the stop is above the start', async (t) => {
  await lived(t, {
    start: 5_000,
    values: [6_500, 8_000, 9_500, 11_000, 12_500, 14_000, 15_000, 100, 1_900, 3_700, 5_000],
    stop: 6_000,
    told: [1.5, 3, 4.5, 6, 7.5, 9, 10, 10.1, 11.9, 13.7, 15],
    kwh: 16,
    flag: 'meter_reset',
  })
})

test('registers - an estimate counts all segments, and the late stop agrees with it', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start({ meterStart: 5_000 })
  for (const value of [6_500, 100, 1_200]) {
    charge.pass(5 * minuteMs)
    await charge.meter(transactionId, value)
  }
  charge.restart()
  await charge.attach(1, 200)
  await charge.start({ meterStart: 1_200, idTag: 'TAG-2' })
  t.match(charge.session(transactionId), {
    status: 'estimated',
    energy_wh: 2_700,
    cost: 2.7,
    flags: ['meter_reset', 'estimated_close'],
  })
  // Of its queue, after the estimate: another reset, and the stop.
  charge.pass(5 * minuteMs)
  await charge.meter(transactionId, 300)
  charge.restart()
  await charge.attach(2, 300)
  charge.pass(minuteMs)
  await charge.call(2, 'StopTransaction', { transactionId, meterStop: 500, timestamp: charge.now() })
  t.match(charge.session(transactionId), { status: 'completed', energy_wh: 3_200, cost: 3.2, flags: ['meter_reset'] })
})

test('registers - the readings of the StopTransaction itself show a reset', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start({ meterStart: 5_000 })
  const transactionData = [6_500, 100, 1_200].map((value) => {
    charge.pass(5 * minuteMs)
    return { timestamp: charge.now(), sampledValue: [{ value: String(value) }] }
  })
  await charge.stop(transactionId, { meterStop: 1_300, transactionData })
  t.match(charge.session(transactionId), { energy_wh: 2_800, flags: ['meter_reset'] })
})

test('registers - values that are told again change nothing', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start({ meterStart: 5_000 })
  const frames = [6_500, 100, 900].map((value) => {
    charge.pass(5 * minuteMs)
    return {
      connectorId: 1,
      transactionId,
      meterValue: [{ timestamp: charge.now(), sampledValue: [{ value: String(value) }] }],
    }
  })
  for (const frame of [...frames, ...frames.slice(1)]) await charge.call(1, 'MeterValues', frame)
  charge.pass(5 * minuteMs)
  await charge.stop(transactionId, { meterStop: 1_000 })
  t.match(charge.session(transactionId), { energy_wh: 2_500, cost: 2.5 })
})

const placed = (location: string | undefined, value: number) => ({
  value: String(value),
  ...(location !== undefined && { location }),
})

async function metered(charge: Charging, transactionId: number, sampledValue: readonly object[]): Promise<void> {
  charge.pass(5 * minuteMs)
  const meterValue = [{ timestamp: charge.now(), sampledValue }]
  await charge.call(1, 'MeterValues', { connectorId: 1, transactionId, meterValue })
}

test('places - the outlet bills; what inlet, body, cable and vehicle meter does not, whatever comes last', async (t) => {
  for (const others of [['Inlet'], ['Body', 'Cable', 'EV']]) {
    const charge = await charging(perKwh)
    const transactionId = await charge.start({ meterStart: 49_000 })
    const odd = others.map((place) => placed(place, 900_000))
    await metered(charge, transactionId, [placed('Outlet', 50_000), ...odd])
    t.equal(charge.session(transactionId).cost_so_far, 1, `running, beside ${others}`)
    await metered(charge, transactionId, [...odd, placed(undefined, 50_500)])
    await metered(charge, transactionId, odd)
    await charge.stop(transactionId, { meterStop: undefined })
    t.match(charge.session(transactionId), { energy_wh: 1_500, cost: 1.5, flags: ['meter_stop_missing'] })
    t.match(charge.cost(transactionId)?.priced.trace.energy.last_sample, { register_wh: 50_500 })
  }
})

test('places - a session that has no other is billed by its inlet, until the outlet tells a reading', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start({ meterStart: 49_000 })
  await metered(charge, transactionId, [placed('Inlet', 50_000)])
  t.equal(charge.session(transactionId).cost_so_far, 1)
  charge.restart()
  await charge.attach(1, 200)
  await metered(charge, transactionId, [placed('Inlet', 51_000), placed('Body', 1)])
  t.equal(charge.session(transactionId).cost_so_far, 2)
  await metered(charge, transactionId, [placed('Outlet', 50_700)])
  t.equal(charge.session(transactionId).cost_so_far, 1.7)
  await metered(charge, transactionId, [placed('Inlet', 52_000)])
  await charge.start({ meterStart: 51_000, idTag: 'TAG-2' })
  t.match(charge.session(transactionId), { status: 'estimated', energy_wh: 1_700 })
})

test('places - phases are summed once each, also where a message tells each to neutral as well', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start({ meterStart: 3_000 })
  const phases = ['L1', 'L2', 'L3', 'L1-N', 'L2-N', 'L3-N']
  await metered(
    charge,
    transactionId,
    phases.map((phase) => ({ value: '1.5', unit: 'kWh', phase })),
  )
  t.match(charge.view().list(meterValuesTable, []).at(-1), { energy_wh: 4_500 })
  t.equal(charge.session(transactionId).cost_so_far, 1.5)
})

test('places - phases that come as elements of their own are one reading', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start({ meterStart: 3_000 })
  charge.pass(5 * minuteMs)
  const timestamp = charge.now()
  const meterValue = ['L1', 'L2', 'L3'].map((phase) => ({ timestamp, sampledValue: [{ value: '1500', phase }] }))
  await charge.call(1, 'MeterValues', { connectorId: 1, transactionId, meterValue })
  t.equal(charge.session(transactionId).cost_so_far, 1.5)
})

test('places - the values of one connector are never another’s, whatever transaction they name', async (t) => {
  const charge = await charging(perKwh)
  const first = await charge.start({ meterStart: 1_000 })
  await charge.put(chargePointsTable, {
    ...(charge.view().get(chargePointsTable, ['CP-1']) as ChargePoint),
    connector_count: 1,
  })
  charge.restart()
  await charge.attach(1, 200)
  charge.pass(5 * minuteMs)
  const values = (connectorId: number, transactionId: number, value: number) => {
    const meterValue = [{ timestamp: charge.now(), sampledValue: [{ value: String(value) }] }]
    return charge.call(1, 'MeterValues', { connectorId, transactionId, meterValue })
  }
  await values(0, 999_999, 1_100)
  await values(2, 999_999, 20_040)
  await values(2, first, 20_050)
  t.match(
    charge.view().list(meterValuesTable, ['CP-1/2']),
    [{ energy_wh: 20_050 }],
    'it is kept as the connector’s own',
  )
  t.match(charge.view().list(meterValuesTable, [charge.session(first).session_id]), [{ energy_wh: 1_100 }])
  await charge.stop(first, { meterStop: undefined })
  t.match(charge.session(first), { energy_wh: 100 }, 'the only outlet may be called 0')
})

test('registers - a stop that names no transaction finds the session whose register has rolled over or was reset', async (t) => {
  const rolled = await charging(perKwh)
  const first = await rolled.start({ meterStart: 99_999_500 })
  rolled.pass(5 * minuteMs)
  await rolled.stop(-1, { meterStop: 500 })
  t.match(rolled.session(first), { status: 'completed', energy_wh: 1_000, flags: ['reconciled', 'meter_rolled_over'] })
  const reset = await charging(perKwh)
  const second = await reset.start({ meterStart: 5_000 })
  reset.pass(5 * minuteMs)
  await reset.meter(second, 100)
  reset.pass(5 * minuteMs)
  await reset.stop(-1, { meterStop: 500 })
  t.match(reset.session(second), { status: 'completed', energy_wh: 500 })
})

test('registers - a reading after which less, or nothing that is a number, had been taken is not taken over', (t) => {
  const unreadable = { ...registerAt(1_000), taken: Number.NaN }
  const reading = { at: minuteMs, wh: 2_000 }
  t.match(
    readRegister(registerAt(1_000), reading, 0, () => 10_000),
    { taken: 1_000 },
  )
  t.throws(() => readRegister(unreadable, reading, 0, () => 10_000), { message: /does not fall, and is not below 0/ })
  t.end()
})
