// The configuration of an installer's charge point: its template, what is customized, and the download, before and after a claim.

import { test } from 'tap'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { registrationOf } from '../support/registration.js'
import { createTestApi, type TestApi } from './fixture.js'

const registry = '/api/v1/installer/charge-points'
const own = `${registry}/CP-1`

async function registered(): Promise<{ readonly service: TestApi; readonly installer: TestInstaller }> {
  const service = await createTestApi()
  const request = (method: string, target: string, body?: unknown, headers = {}) =>
    service.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>
  const installer = await installerOf({ request })
  const box = {
    charge_point_id: 'CP-1',
    model: 'Wall Box 22',
    vendor: 'Example',
    serial_number: 'WB-1',
    project_id: 'P',
  }
  const { status } = await installer.request('POST', registry, box)
  if (status !== 201) throw new Error(`it was not registered: ${status}`)
  return { service, installer }
}

const statusOf = async ({ request }: TestInstaller) => (await request('GET', own)).body.status

test('installer configuration - the template is the one that matches what was registered, of the operator', async (t) => {
  const { service, installer } = await registered()
  t.match((await installer.request('GET', `${own}/config/template`)).body, {
    template_id: 'standard',
    model: 'Wall Box 22',
    parameters: { HeartbeatInterval: 300, StopTransactionOnEVSideDisconnect: true },
  })
  const body = { name: 'Wall boxes', vendor: 'example', model: 'wall box *', parameters: { HeartbeatInterval: 900 } }
  const other = await service.addOrganization()
  await service.call('POST', '/api/v1/configuration-templates', body, { key: other.key })
  t.match((await installer.request('GET', `${own}/config/template`)).body, { template_id: 'standard' })
  await service.call('POST', '/api/v1/configuration-templates', body)
  t.match((await installer.request('GET', `${own}/config/template`)).body, {
    name: 'Wall boxes',
    parameters: { HeartbeatInterval: 900 },
  })
  t.equal(await statusOf(installer), 'registered', 'a look at it delivers nothing')
})

test('installer configuration - what is customized is merged into the download, and either makes it configured', async (t) => {
  const { installer } = await registered()
  const customize = (parameters: object) => installer.request('POST', `${own}/config/customize`, { parameters })
  t.match(await customize({ heartbeatinterval: 60, Custom: 'x', ConnectionTimeOut: null }), {
    status: 200,
    body: { charge_point_id: 'CP-1', updated_parameters: ['heartbeatinterval', 'Custom', 'ConnectionTimeOut'] },
  })
  t.equal(await statusOf(installer), 'configured')
  t.equal((await customize({ Custom: 'y' })).status, 200)
  const answer = await installer.request('GET', `${own}/config/download`)
  t.match(answer, { status: 200, headers: { 'content-disposition': /CP-1-configuration\.json/ } })
  t.match(answer.body, { template_id: 'standard', ocpp_endpoint: 'ws://127.0.0.1:8080/ocpp16/CP-1' })
  t.match(answer.body.parameters, { HeartbeatInterval: 60, Custom: 'y', LocalAuthListEnabled: true })
  t.notOk(Object.hasOwn(answer.body.parameters, 'ConnectionTimeOut'))
  for (const parameters of [{}, { AuthorizationKey: '00' }, { 'two words': 1 }, { A: 1, a: 2 }, { A: '1\n2' }])
    t.match(await customize(parameters), { status: 400, body: { error: { code: 'validation_error' } } })
  t.equal((await installer.request('POST', `${own}/config/customize`, {})).status, 400)
})

test('installer configuration - what cannot be set so is refused with what an installer can do', async (t) => {
  const { installer } = await registered()
  for (const [key, instead] of [
    ['AuthorizationKey', /client certificate \(POST \/api\/v1\/installer\/charge-points/],
    ['SecurityProfile', /set it at the charge point itself/],
    ['WiFiPassword', /set it at the charge point itself/],
  ] as const) {
    const { status, body } = await installer.request('POST', `${own}/config/customize`, { parameters: { [key]: '2' } })
    t.equal(status, 400)
    const [{ path, message }] = body.error.details
    t.equal(path, `/parameters/${key}`)
    t.match(message, instead)
    t.notMatch(message, /api\/v1\/(?!installer\/)/, 'a path of organizations is of no use')
  }
})

test('installer configuration - a download alone makes it configured, and another installer sees nothing', async (t) => {
  const { service, installer } = await registered()
  const { installer: stranger } = await (async () => {
    const request = (method: string, target: string, body?: unknown, headers = {}) =>
      service.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>
    return { installer: await installerOf({ request }) }
  })()
  for (const [method, path] of [
    ['GET', 'template'],
    ['GET', 'download'],
    ['POST', 'customize'],
  ] as const)
    t.equal(
      (
        await stranger.request(
          method,
          `${own}/config/${path}`,
          method === 'POST' ? { parameters: { A: 1 } } : undefined,
        )
      ).status,
      404,
    )
  t.equal(await statusOf(installer), 'registered')
  await installer.request('GET', `${own}/config/download`)
  t.equal(await statusOf(installer), 'configured')
})

test('installer configuration - after a claim its organization decides, and has what was customized', async (t) => {
  const { service, installer } = await registered()
  await installer.request('POST', `${own}/config/customize`, { parameters: { Custom: 'x' } })
  t.equal((await service.call('POST', '/api/v1/chargepoints', registrationOf('CP-1'))).status, 201)
  const customize = await installer.request('POST', `${own}/config/customize`, { parameters: { Custom: 'y' } })
  t.match(customize, { status: 409, body: { error: { code: 'charge_point_claimed' } } })
  const path = '/api/v1/chargepoints/CP-1/configuration'
  t.match((await service.call('GET', path)).body, { overrides: { Custom: 'x' }, wanted: { Custom: 'x' } })
  await service.call('PATCH', path, { overrides: { Custom: 'z' } })
  const download = await installer.request('GET', `${own}/config/download`)
  t.match(
    download,
    { status: 409, body: { error: { code: 'charge_point_claimed' } } },
    'what it sets is its own matter',
  )
})
