// What one charge point can make the service keep has a bound, whatever it names and however often.

import { test } from 'tap'
import { limits } from '../../../src/actors/charge-point/limits.js'
import { placeRows, readRows } from '../../../src/actors/charge-point/samples.js'
import type { MeterValue } from '../../../src/ocpp16/index.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { meterValuesTable } from '../../../src/records/meter-values.js'
import { sessionsTable, unmatchedTransactionsTable } from '../../../src/records/session.js'
import type { ReadView } from '../../../src/runtime/store/store.js'
import type { ActorOverStore } from './actor-over-store.js'
import { charging } from './charge.js'

const stateOf = (actor: ActorOverStore) => actor.view().get(chargePointStatesTable, ['CP-1']) as ChargePointState

const energy = (value: string, more = {}) => ({
  value,
  measurand: 'Energy.Active.Import.Register',
  unit: 'Wh',
  ...more,
})
const power = (value: string) => ({ value, measurand: 'Power.Active.Import', unit: 'W' })

test('bounds - of more connectors than a charge point can have, the first are kept, and all are answered', async (t) => {
  const actor = await charging()
  const registration = actor.view().get(chargePointsTable, ['CP-1'])
  if (registration === undefined) throw new Error('it is not registered')
  await actor.put(chargePointsTable, { ...registration, connector_count: 1_000 })
  await actor.ask({ type: 'registration-changed' })
  for (let connectorId = 0; connectorId <= 150; connectorId++) {
    const answer = await actor.call(1, 'StatusNotification', { connectorId, errorCode: 'NoError', status: 'Available' })
    t.same(answer, {})
  }
  const { connectors } = stateOf(actor)
  t.equal(connectors.length, limits.connectors + 1)
  t.equal(connectors.at(-1)?.connector_id, limits.connectors)
  await actor.status('Faulted')
  t.equal(stateOf(actor).connectors[1]?.status, 'Faulted', 'those that are kept go on')
})

test('bounds - meter values of a connector that no charge point has are answered, and not stored', async (t) => {
  const actor = await charging()
  const meterValue = [{ timestamp: actor.now(), sampledValue: [energy('5')] }]
  t.same(await actor.call(1, 'MeterValues', { connectorId: 101, meterValue }), {})
  t.same(await actor.call(1, 'MeterValues', { connectorId: 100, meterValue }), {})
  t.same(
    actor
      .view()
      .list(meterValuesTable, [])
      .map(({ owner }) => owner),
    ['CP-1/100'],
  )
})

test('bounds - as many sessions run as there can be connectors; every start is kept', async (t) => {
  const actor = await charging()
  for (let connectorId = 1; connectorId <= 120; connectorId++)
    await actor.start({ connectorId, timestamp: new Date(actor.clock.wall + connectorId * 1_000).toISOString() })
  const sessions = actor.view().list(sessionsTable, [])
  t.equal(sessions.length, 120)
  t.equal(sessions.filter(({ status }) => status === 'active').length, 100)
  t.equal(sessions[0]?.status, 'estimated', 'the one that was quiet longest')
  const { assumed_charging = [], power_by_connector = {} } = stateOf(actor)
  t.ok(assumed_charging.length <= limits.connectors)
  t.ok(Object.keys(power_by_connector).length <= limits.connectors)
})

test('bounds - an instant has a bounded number of quantities, and its register goes on', async (t) => {
  const actor = await charging()
  const transactionId = await actor.start()
  const timestamp = actor.now()
  const phases = ['L1', 'L2', 'L3', 'N', 'L1-N', 'L2-N', 'L3-N', 'L1-L2', 'L2-L3', 'L3-L1']
  const places = ['Body', 'Cable', 'EV', 'Inlet', 'Outlet']
  for (const [at, location] of [...places, ...places, ...places].entries()) {
    const measurand = ['Voltage', 'Current.Import', 'Current.Export'][Math.floor(at / places.length)]
    const others = phases.map((phase) => ({ value: '1', measurand, location, phase }))
    const sampledValue = [energy(String(1_000 + at)), ...others]
    await actor.call(1, 'MeterValues', { connectorId: 1, transactionId, meterValue: [{ timestamp, sampledValue }] })
  }
  const rows = actor.view().list(meterValuesTable, [actor.session(transactionId).session_id])
  t.equal(rows.length, 1)
  t.equal(rows[0]?.samples.length, limits.samplesOfInstant)
  t.equal(rows[0]?.energy_wh, 1_014)
})

test('bounds - elements without samples are not looked for in the store, and an instant is placed once', async (t) => {
  const receivedAt = Date.UTC(2026, 0, 2)
  const at = (secondsAgo: number) => new Date(receivedAt - secondsAgo * 1_000).toISOString()
  const view = { gets: 0, lists: 0 }
  const reads = {
    get: () => void view.gets++,
    list: () => {
      view.lists++
      return [{ owner: 'ses_1', at: receivedAt, context: 'Sample.Periodic', samples: [], energy_wh: 1 }]
    },
  } as unknown as ReadView
  const read = (meterValues: readonly object[]) =>
    readRows('ses_1', meterValues as MeterValue[], receivedAt, placeRows('ses_1', new Map(), reads))
  t.same(read(Array.from({ length: 2_000 }, () => ({ timestamp: at(0), sampledValue: [] }))), [])
  t.same(view, { gets: 0, lists: 0 })
  const measurands = ['Voltage', 'Current.Import', 'Temperature', 'Energy.Active.Import.Register']
  const elements = Array.from({ length: 400 }, (_, index) => ({
    timestamp: at(10),
    sampledValue: [{ value: String(index), measurand: measurands[index % 4] }],
  }))
  const rows = read(elements)
  t.equal(rows.length, 1)
  t.equal(rows[0]?.energy_wh, 399, 'the last counts')
  t.equal(rows[0]?.samples.length, 4)
  t.same(view, { gets: 1, lists: 1 })
  t.equal(read(Array.from({ length: 300 }, (_, index) => ({ ...elements[3], timestamp: at(index) }))).length, 300)
  t.equal(view.lists, 2, 'the newest is looked for once in a message')
})

test('bounds - what no meter can show is no figure, and does not keep the charge point from going on', async (t) => {
  const actor = await charging()
  const transactionId = await actor.start({ meterStart: 0 })
  const say = async (...sampledValue: object[]) => {
    actor.pass(10_000)
    const meterValue = [{ timestamp: actor.now(), sampledValue }]
    t.same(await actor.call(1, 'MeterValues', { connectorId: 1, transactionId, meterValue }), {})
  }
  await say(power('10000000000000000'), energy('100'))
  await say(power('11000'), energy('1e308', { unit: 'kWh' }))
  await say(power('1e400'), energy('300'))
  const rows = actor.view().list(meterValuesTable, [actor.session(transactionId).session_id])
  t.same(
    rows.map(({ power_watts, energy_wh }) => [power_watts, energy_wh]),
    [
      [undefined, 100],
      [11_000, undefined],
      [undefined, 300],
    ],
  )
  await actor.stop(transactionId, { meterStop: 400 })
  t.equal(actor.session(transactionId).energy_wh, 400)
})

test('bounds - a StopTransaction that no session explains is kept once, however much comes in between', async (t) => {
  const actor = await charging()
  const timestamp = actor.now()
  const stop = (transactionId: number) => actor.call(1, 'StopTransaction', { transactionId, meterStop: 10, timestamp })
  for (let transactionId = 1; transactionId <= 30; transactionId++) await stop(transactionId)
  await stop(1)
  t.equal(actor.view().list(unmatchedTransactionsTable, []).length, 30)
})
