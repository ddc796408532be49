// Commissionings that end in other ways than by their last step: what they leave behind at the charge point, and in the store.

import { type Test, test } from 'tap'
import { commissioningAddress } from '../../src/actors/commissioning/messages.js'
import { newestSession } from '../../src/records/commissioning.js'
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

test('commissioning - one that is paused ends when its charge point is removed', async (t) => {
  const { to, session, store, services, installer, disconnect, connection, settled } = await stage()
  await to('start')
  t.equal((await to('pause')).body.status, 'paused')
  disconnect(connection)
  await settled()
  t.equal((await installer.request('DELETE', own)).status, 204)
  const wakeUps = store.view().list(wakeUpsTable, ['commissioning', id])
  t.equal(wakeUps.length, 1, 'it is woken')
  services.tell(commissioningAddress(id), { type: 'wake-up', reason: 'look' })
  await settled()
  t.match(session(), { status: 'failed', result: 'failed' })
  t.same(store.view().list(wakeUpsTable, ['commissioning', id]), [])
})

test('commissioning - a test transaction at a charge point that is away is looked for less and less often, and stopped once it is back', async (t) => {
  const {
    to,
    session,
    store,
    services,
    now,
    charge,
    stops,
    passUntil,
    disconnect,
    connection,
    connect,
    settled,
    pass,
  } = await charging()
  await to('start')
  await passUntil(() => charge()?.status === 'active', t, 'it charges')
  disconnect(connection)
  await settled()
  await to('stop')
  t.match(session(), { status: 'stopped', owed_stop: { tries: 0 } })
  services.tell(commissioningAddress(id), { type: 'wake-up', reason: 'look' })
  await settled()
  const [wakeUp] = store.view().list(wakeUpsTable, ['commissioning', id])
  t.ok((wakeUp?.at ?? 0) - now() >= 50_000, 'it is written once a minute')
  await pass(600_000)
  t.equal(stops(), 0)
  let asked = 0
  connect(id, (action) => {
    if (action === 'RemoteStopTransaction') asked++
    return { status: 'Accepted' }
  })
  await settled()
  await passUntil(() => asked === 1, t, 'it is stopped')
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
