// Commissionings that end in other ways than by their last step: what they leave behind at the charge point, and in the store.

import { type Test, test } from 'tap'
import { commissioningAddress } from '../../src/actors/commissioning/messages.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { commissioningSessionsTable, newestSession } from '../../src/records/commissioning.js'
import { configurationApplicationsTable } from '../../src/records/configuration.js'
import { sessionsTable } from '../../src/records/session.js'
import { wakeUpsTable } from '../../src/runtime/actor/wake-ups.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { registrationOf } from '../support/registration.js'
import { createTestApi, type Script } from './fixture.js'

const id = 'CP-1'
const own = `/api/v1/installer/charge-points/${id}`

/** A connected charge point of an installer, which says nothing unless `script` does. */
async function stage(script: Script = () => undefined) {
  const api = await createTestApi()
  const request = (method: string, target: string, body?: unknown, headers = {}) =>
    api.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>
  const installer = await installerOf({ request })
  const box = { charge_point_id: id, model: 'M', vendor: 'V', serial_number: 'SN-1', project_id: 'P' }
  await installer.request('POST', '/api/v1/installer/charge-points', box)
  const asked: string[] = []
  const connection = api.connect(id, (action, payload) => {
    asked.push(action)
    if (action === 'TriggerMessage') {
      const status = { connectorId: 1, status: 'Preparing', errorCode: 'NoError' }
      if (payload.requestedMessage === 'StatusNotification') api.tellFrom(connection, 'StatusNotification', status)
      return { status: payload.requestedMessage === 'MeterValues' ? 'Rejected' : 'Accepted' }
    }
    return script(action, payload)
  })
  await api.settled()
  const session = () => {
    const found = newestSession(api.store.view(), id)
    if (found === undefined) throw new Error('no commissioning was started')
    return found
  }
  const to = (what: string, body?: object) =>
    installer.request('POST', `/api/v1/installer/commissioning/${id}/${what}`, body)
  /** Seconds pass, one after the other, until it is so. */
  async function passUntil(isSo: () => boolean, t: Test, what: string): Promise<void> {
    for (let second = 0; second < 300 && !isSo(); second++) await api.pass(1_000)
    t.ok(isSo(), what)
  }
  return { ...api, installer, connection, asked, session, to, passUntil }
}

/** One that accepts each call, and charges when it is asked to. */
async function charging() {
  const accepts: Script = (action, payload) => {
    if (action === 'GetConfiguration') return { configurationKey: [], unknownKey: payload.key }
    if (action === 'ChangeConfiguration') return { status: 'NotSupported' }
    if (action === 'RemoteStartTransaction') {
      const timestamp = new Date(staged.now()).toISOString()
      const start = { connectorId: 1, idTag: payload.idTag, meterStart: 1_000, timestamp }
      setImmediate(() => staged.tellFrom(staged.connection, 'StartTransaction', start))
    }
    return { status: 'Accepted' }
  }
  const staged = await stage(accepts)
  const charge = () => staged.store.view().list(sessionsTable, [])[0]
  const stops = () => staged.asked.filter((action) => action === 'RemoteStopTransaction').length
  return { ...staged, charge, stops }
}

test('commissioning - one that fails by itself ends the application of the configuration that it has begun', async (t) => {
  // It never answers what it is asked of its configuration.
  const { to, session, store, passUntil, disconnect, connection } = await stage()
  t.equal((await to('start')).status, 202)
  const application = () => store.view().get(configurationApplicationsTable, [id])
  await passUntil(() => application()?.status === 'running', t, 'the configuration is being applied')
  disconnect(connection)
  await passUntil(() => session().status === 'failed', t, 'the charge point is away for too long')
  t.match(application(), { status: 'stopped', reason: 'stopped_by_request' })
})

test('commissioning - one that is paused goes with the registration of its charge point', async (t) => {
  const { to, store, services, installer, disconnect, connection, settled } = await stage()
  await to('start')
  t.equal((await to('pause')).body.status, 'paused')
  disconnect(connection)
  await settled()
  t.equal((await installer.request('DELETE', own)).status, 204)
  const wakeUps = store.view().list(wakeUpsTable, ['commissioning', id])
  t.equal(wakeUps.length, 1, 'it is woken')
  services.tell(commissioningAddress(id), { type: 'wake-up', reason: wakeUps[0]?.reason })
  await settled()
  t.same(store.view().list(commissioningSessionsTable, []), [])
  t.same(store.view().list(wakeUpsTable, ['commissioning', id]), [])
})

test('commissioning - a test transaction at a charge point that is away is stopped as soon as it is back', async (t) => {
  const { to, session, charge, stops, passUntil, disconnect, connection, connect, settled, pass } = await charging()
  await to('start')
  await passUntil(() => charge()?.status === 'active', t, 'it charges')
  disconnect(connection)
  await settled()
  await to('stop')
  t.match(session(), { status: 'stopped', owed_stop: { tries: 0 } })
  await pass(600_000)
  t.equal(stops(), 0)
  let asked = 0
  connect(id, (action) => {
    if (action === 'RemoteStopTransaction') asked++
    return { status: 'Accepted' }
  })
  for (let hop = 0; hop < 5; hop++) await settled()
  t.equal(asked, 1, 'it is stopped')
})

test('commissioning - a charge point that went away in its test transaction can be deleted', async (t) => {
  const { to, session, charge, store, installer, passUntil, disconnect, connection, settled } = await charging()
  await to('start')
  await passUntil(() => charge()?.status === 'active', t, 'it charges')
  t.equal((await installer.request('DELETE', own)).status, 409, 'it is connected')
  t.equal(charge()?.status, 'active')
  disconnect(connection)
  await settled()
  await to('stop')
  t.equal((await installer.request('DELETE', own)).status, 204)
  t.match(charge(), { status: 'estimated' })
  await settled()
  t.equal(store.view().get(chargePointsTable, [id]), undefined)
  t.equal(session().status, 'stopped')
})

test('commissioning - a test transaction runs on over a claim, and is stopped for the organization', async (t) => {
  const { to, session, call, charge, stops, passUntil, connection, tellFrom, settled } = await charging()
  await to('start')
  await passUntil(() => session().steps[4]?.evidence.length === 2, t, 'it charges, and sends no meter value by itself')
  t.equal((await call('POST', '/api/v1/chargepoints', registrationOf(id))).status, 201)
  await settled()
  await call('GET', `/api/v1/chargepoints/${id}/connection-status`)
  await passUntil(() => charge()?.status === 'estimated', t, 'the claim has closed the charge by estimate')
  t.equal(session().status, 'running')
  const { transaction_id: transactionId } = charge() as NonNullable<ReturnType<typeof charge>>
  const timestamp = new Date().toISOString()
  const sampledValue = [{ value: '1006', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }]
  tellFrom(connection, 'MeterValues', { connectorId: 1, transactionId, meterValue: [{ timestamp, sampledValue }] })
  await passUntil(() => stops() === 1, t, 'it is stopped')
  tellFrom(connection, 'StopTransaction', { transactionId, meterStop: 1_012, timestamp, reason: 'Remote' })
  await passUntil(() => session().status !== 'running', t, 'it ends')
  t.match(session(), { status: 'completed', result: 'passed' })
})

test('commissioning - one that is paused is over when its charge point is declared commissioned', async (t) => {
  const { to, session, store, services, installer, call, asked, settled } = await stage()
  await to('start')
  t.equal((await to('pause')).body.status, 'paused')
  t.equal((await installer.request('GET', `${own}/config/download`)).status, 200)
  t.equal((await installer.request('POST', `${own}/commission`)).status, 200)
  t.equal((await call('POST', '/api/v1/chargepoints', registrationOf(id))).status, 201)
  await settled()
  asked.length = 0
  t.match(await to('resume'), { status: 422, body: { error: { code: 'already_commissioned' } } })
  const isLook = ({ reason }: { reason: string }) => reason === 'look'
  t.equal(store.view().list(wakeUpsTable, ['commissioning', id]).filter(isLook).length, 1, 'it is woken')
  services.tell(commissioningAddress(id), { type: 'wake-up', reason: 'look' })
  await settled()
  t.match(session(), { status: 'stopped' })
  t.same(store.view().list(wakeUpsTable, ['commissioning', id]).filter(isLook), [])
  t.match(await to('resume'), { status: 409, body: { error: { code: 'commissioning_not_paused' } } })
  t.same(asked, [], 'nothing is sent to the charge point of the organization')
})

test('commissioning - a charge point has six test transactions an hour, also when it is paused and begun anew', async (t) => {
  const { to, session, stops, passUntil, connection, tellFrom, settled, store, pass, now } = await charging()
  const step = () => session().steps[4]
  const endCharge = async () => {
    const active = store
      .view()
      .list(sessionsTable, [])
      .filter(({ status }) => status === 'active')
    const timestamp = new Date(now()).toISOString()
    for (const { transaction_id: transactionId } of active)
      tellFrom(connection, 'StopTransaction', { transactionId, meterStop: 1_012, timestamp, reason: 'Remote' })
    await settled()
    await pass(2_000)
  }
  await to('start')
  for (let time = 1; time <= 6; time++) {
    const before = stops()
    await passUntil(() => step()?.evidence.length === 2, t, `it charges for the ${time}. time`)
    t.equal((await to(time % 2 === 0 ? 'restart' : 'pause')).body.error, undefined)
    await passUntil(() => stops() === before + 1, t, 'it is stopped')
    await endCharge()
    if (time % 2 === 1) t.equal((await to('resume')).status, 200)
  }
  await passUntil(() => session().status !== 'running', t, 'it ends')
  t.match(step(), { status: 'failed', detail: /at most 6 test transactions an hour/ })
})
