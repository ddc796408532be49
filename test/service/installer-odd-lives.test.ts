// What installers and their boxes do that nobody expects, each with its answer. A commissioning that is claimed in the middle, or whose test
// transaction is refused, is in commissioning.test.ts; requests that must not be signed are in sign-certificate.test.ts.

import { t, test } from 'tap'
import {
  type Box,
  type BoxOptions,
  commissioningOf,
  commissioningPath,
  connectBox,
  installedBox,
} from '../support/commissioning.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { tenantOf } from '../support/organization.js'
import { registrationOf } from '../support/registration.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

// They mostly wait.
t.jobs = 4
const service = await sharedService()

/** Two keys, and none of the template. */
const parameters = {
  HeartbeatInterval: 300,
  MeterValueSampleInterval: 60,
  ConnectionTimeOut: null,
  AuthorizationCacheEnabled: null,
  LocalAuthListEnabled: null,
  AllowOfflineTxForUnknownId: null,
  StopTransactionOnEVSideDisconnect: null,
}

async function withTwoKeys(installer: TestInstaller, id: string): Promise<void> {
  await installedBox(installer, id)
  const customized = { parameters }
  await installer.request('POST', `/api/v1/installer/charge-points/${id}/config/customize`, customized)
}

/** Of a box that sends no meter value when it is asked, so that its test transaction goes on. */
const unmetered: BoxOptions['answer'] = (_action, { requestedMessage }) =>
  requestedMessage === 'MeterValues' ? { status: 'Rejected' } : undefined

async function meter({ client }: Box, transactionId: number): Promise<void> {
  const sampledValue = [{ value: '1006', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }]
  const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }]
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
}

const start = (installer: TestInstaller, id: string) => installer.request('POST', commissioningPath(id, 'start'))
const over = (installer: TestInstaller, id: string) =>
  commissioningOf(installer, id, ({ status }) => status !== 'running')

test('odd lives - other hardware that comes under the id ends a commissioning: what has passed was of the one before', async (t) => {
  const installer = await installerOf(service)
  const id = 'ODD-1'
  await withTwoKeys(installer, id)
  // It leaves the configuration unanswered.
  const before = await connectBox(service, id, {
    boot: { chargePointSerialNumber: 'FIRST' },
    answer: (action) => (action === 'GetConfiguration' ? null : undefined),
  })
  t.equal((await start(installer, id)).status, 202)
  await until(() => before.asked.includes('GetConfiguration GetConfigurationMaxKeys'))
  await before.client.close()
  const same = await connectBox(service, id, {
    boot: { chargePointSerialNumber: 'FIRST', firmwareVersion: '2' },
    answer: (action) => (action === 'GetConfiguration' ? null : undefined),
  })
  await until(() => same.asked.some((one) => one.startsWith('GetConfiguration')))
  t.match((await installer.request('GET', commissioningPath(id, 'status'))).body, { status: 'running' })
  await same.client.close()
  const other = await connectBox(service, id, { boot: { chargePointSerialNumber: 'SECOND' } })
  const failed = await over(installer, id)
  t.match(failed, { status: 'failed', result: 'failed' })
  const detail = /^Other hardware has booted under the id \(.*SECOND; it was .*FIRST\): begin again/
  t.match(failed.steps[2], { name: 'configuration', status: 'failed', detail })
  t.match(failed.steps[4], { status: 'skipped' })
  t.match(await installer.request('GET', `/api/v1/installer/charge-points/${id}`), {
    body: { identity_verified: false },
  })
  await start(installer, id)
  t.match(await over(installer, id), { status: 'completed' }, 'the other one passes by itself')
  await other.client.close()
})

test('odd lives - a box that restarts at each key is not restarted for ever: its commissioning fails, and names the keys', async (t) => {
  const installer = await installerOf(service)
  const id = 'ODD-2'
  await withTwoKeys(installer, id)
  let restarts = 0
  let box: Box
  let life: Promise<void> = Promise.resolve()
  async function restart(): Promise<void> {
    restarts++
    await box.client.close()
    box = await connectBox(service, id, { answer })
  }
  function answer(action: string): null | undefined {
    if (action !== 'ChangeConfiguration') return undefined
    life = restart()
    return null
  }
  box = await connectBox(service, id, { answer })
  await start(installer, id)
  const failed = await over(installer, id)
  t.match(failed, { status: 'failed' })
  const detail = /did not take: HeartbeatInterval \(reboots\), MeterValueSampleInterval \(reboots\)\./
  t.match(failed.steps[2], { status: 'failed', detail })
  t.equal(restarts, 4, 'twice over each of them')
  await life
  await box.client.close()
})

test('odd lives - a box that accepts a value and keeps its own fails its commissioning, which says which', async (t) => {
  const installer = await installerOf(service)
  const id = 'ODD-3'
  await withTwoKeys(installer, id)
  const box = await connectBox(service, id, {
    answer: (action, { key }) =>
      action === 'ChangeConfiguration' && key === 'HeartbeatInterval' ? { status: 'Accepted' } : undefined,
  })
  await start(installer, id)
  const failed = await over(installer, id)
  t.match(failed.steps[2], {
    status: 'failed',
    detail: 'The charge point did not take: HeartbeatInterval (other_value).',
    evidence: [
      {
        sent: 'Configuration',
        outcome: 'answered',
        answer: '1 written, 1 refused',
        response_time_ms: Number,
        keys: [
          { key: 'HeartbeatInterval', wanted: '300', reported: '0', outcome: 'other_value', answer: 'Accepted' },
          { key: 'MeterValueSampleInterval', wanted: '60', reported: null, outcome: 'applied', answer: 'Accepted' },
        ],
      },
    ],
  })
  t.equal(box.asked.filter((one) => one === 'ChangeConfiguration MeterValueSampleInterval').length, 1)
  await box.client.close()
})

test('odd lives - the token of an account that was deleted opens nothing, and what it has begun goes on for whoever claims the charge point', async (t) => {
  const [installer, organization] = [await installerOf(service), await tenantOf(service)]
  const id = 'ODD-4'
  await installedBox(installer, id)
  const box = await connectBox(service, id, { answer: unmetered })
  await start(installer, id)
  await commissioningOf(installer, id, ({ steps }) => steps[4].evidence.length === 2)
  const { body: charges } = await installer.request('GET', `/api/v1/installer/charge-points/${id}/status`)
  t.equal((await service.request('DELETE', `/api/v1/installers/${installer.id}`)).status, 204)
  for (const [method, path] of [
    ['GET', commissioningPath(id, 'status')],
    ['POST', commissioningPath(id, 'stop')],
    ['GET', `/api/v1/installer/charge-points/${id}`],
    ['POST', `/api/v1/installer/charge-points/${id}/certificates/generate`],
  ] as const)
    t.match(await installer.request(method, path), { status: 401, body: { error: 'unauthorized' } }, path)
  await meter(box, Number(charges.connectors[0].active_transaction_id))
  await until(() => box.asked.some((one) => one.startsWith('RemoteStopTransaction')), 20_000)
  const claimed = await organization.request('POST', '/api/v1/chargepoints', registrationOf(id))
  t.match(claimed, { status: 201, body: { handover: Object } })
  await box.client.close()
})
