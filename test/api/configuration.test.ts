// Configurations through the API: templates and which of them counts, overrides, what is wanted beside what is reported.

import { test } from 'tap'
import { createTestApi, type TestApi } from './fixture.js'

const path = '/api/v1/chargepoints/CP-1/configuration'

/** A charge point with these keys. */
function box(keys: Record<string, string>) {
  return (action: string, { key, value }: Record<string, unknown>): unknown => {
    if (action === 'ChangeConfiguration') {
      keys[String(key)] = String(value)
      return { status: 'Accepted' }
    }
    if (action !== 'GetConfiguration') return undefined
    const wanted = Array.isArray(key) ? key : Object.keys(keys)
    const configurationKey = wanted
      .filter((name) => Object.hasOwn(keys, name))
      .map((name) => ({ key: name, readonly: name === 'NumberOfConnectors', value: keys[name] }))
    return { configurationKey, unknownKey: wanted.filter((name) => !Object.hasOwn(keys, name)) }
  }
}

function makeTemplate(service: TestApi, name: string, fields: Record<string, unknown>) {
  return service.call('POST', '/api/v1/configuration-templates', { name, parameters: { Named: name }, ...fields })
}

async function wantedOf(service: TestApi): Promise<Record<string, unknown>> {
  return (await service.call('GET', path)).body.wanted
}

test('configuration - the template that says most of vendor, model and firmware counts', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  t.match(await wantedOf(service), { HeartbeatInterval: 300 }, 'nothing is known of it yet')
  const connection = service.connect('CP-1')
  const boot = { chargePointVendor: 'Example', chargePointModel: 'EX-22T', firmwareVersion: '2.4.1' }
  service.tellFrom(connection, 'BootNotification', boot)
  await service.settled()
  const expected: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['any', {}, 'any'],
    ['another vendor', { vendor: 'Other*' }, 'any'],
    ['vendor', { vendor: 'EXAMPLE' }, 'vendor'],
    ['models', { model: '*-22*' }, 'models'],
    ['model', { vendor: 'Example', model: 'ex-22t' }, 'model'],
    ['firmware', { firmware: '2.*' }, 'firmware'],
    ['firmware 2.4', { firmware: '2.4*', model: 'EX*' }, 'firmware 2.4'],
    ['firmware 1', { firmware: '1*2.4.1', model: 'EX-22T' }, 'firmware 2.4'],
  ]
  for (const [name, match, counts] of expected) {
    t.equal((await makeTemplate(service, name, match)).status, 201)
    t.same(await wantedOf(service), { Named: counts }, name)
  }
  const other = await service.addOrganization()
  t.same((await service.call('GET', '/api/v1/configuration-templates', undefined, { key: other.key })).body.total, 0)
})

test('configuration - overrides are merged, whatever the case of a key, and null leaves a key alone', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const { template_id } = (await makeTemplate(service, 'T', { parameters: { A: 1, B: true, C: 'x' } })).body
  const patch = (body: object) => service.call('PATCH', path, body)
  t.match(await patch({ overrides: { a: 5, B: null, D: 'new' } }), { status: 200, body: { overrides: { a: 5 } } })
  t.same(await wantedOf(service), { A: 5, C: 'x', D: 'new' })
  await patch({ overrides: { C: 'y' } })
  t.same(await wantedOf(service), { A: 5, C: 'y', D: 'new' })
  await patch({ template_id: 'standard', overrides: {}, replace: true })
  t.match((await service.call('GET', path)).body, { named_template_id: 'standard', overrides: {} })
  t.match(await wantedOf(service), { ConnectionTimeOut: 60 })
  t.match(await patch({ template_id: 'tpl_nobody' }), { status: 400 })
  await patch({ template_id })
  const remove = () => service.call('DELETE', `/api/v1/configuration-templates/${template_id}`)
  t.match(await remove(), { status: 409, body: { error: { code: 'template_in_use' } } })
  await patch({ template_id: null })
  t.equal((await remove()).status, 204)
})

test('configuration - secrets, and what is no key, are refused with their place', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const cases: readonly (readonly [key: string, value: unknown, words: RegExp])[] = [
    ['AuthorizationKey', '0011223344556677', /authorization-key/],
    ['authorizationkey', '0011223344556677', /authorization-key/],
    ['WiFiPassword', 'hunter22', /secret/],
    ['SecurityProfile', 2, /not part of a configuration/],
    ['Backend', 'wss://user:hunter22@example.com', /password/],
    ['two words', 1, /without blanks/],
    ['K'.repeat(51), 1, /1 to 50/],
    ['Big', 'x'.repeat(501), /500/],
    ['Nested', {}, /.*/],
  ]
  for (const [key, value, words] of cases) {
    const { status, body } = await service.call('PATCH', path, { overrides: { [key]: value } })
    t.match({ status, code: body.error.code }, { status: 400, code: 'validation_error' }, key)
    t.match(body.error.details[0].path, '/overrides/')
    t.match(body.error.details[0].message, words)
    t.equal((await makeTemplate(service, 'T', { parameters: { [key]: value } })).status, 400)
  }
  const many = Object.fromEntries([...Array(150).keys()].map((number) => [`Key${number}`, 1]))
  t.equal((await service.call('PATCH', path, { overrides: many })).status, 200)
  const more = Object.fromEntries([...Array(51).keys()].map((number) => [`More${number}`, 1]))
  const full = await service.call('PATCH', path, { overrides: more })
  t.match(full.body.error.details, [{ path: '/overrides', message: /200 keys/ }])
  const long = Object.fromEntries([...Array(33).keys()].map((number) => [`Long${number}`, 'x'.repeat(500)]))
  t.match((await makeTemplate(service, 'T', { parameters: long })).body.error.details, [{ path: '/parameters' }])
  const twice = await service.call('PATCH', path, { overrides: { A: 1, a: 2 } })
  t.match(twice.body.error.details, [{ path: '/overrides/a', message: /twice/ }])
  t.notMatch(JSON.stringify((await service.call('GET', '/api/v1/org/audit-log')).body), /hunter22|00112233/)
})

test('configuration - it is applied, shown beside what is reported, and applied once at a time', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const apply = () => service.call('POST', `${path}/apply`)
  await makeTemplate(service, 'T', { parameters: { HeartbeatInterval: 600, LocalAuthListEnabled: true } })
  t.match(await apply(), { status: 202, body: { status: 'running', total_keys: 2, done_keys: 0 } })
  t.match(await apply(), { status: 409, body: { error: { code: 'configuration_running' } } })
  t.match(await service.call('POST', `${path}/stop`), { status: 200, body: { status: 'stopped' } })
  t.match(await service.call('POST', `${path}/stop`), { body: { error: { code: 'configuration_not_running' } } })
  const keys = { HeartbeatInterval: '300', LocalAuthListEnabled: 'True', NumberOfConnectors: '2' }
  const connection = service.connect('CP-1', box(keys))
  service.tellFrom(connection, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  await service.settled()
  await service.call('POST', '/api/v1/ocpp16/send_command', {
    charge_point_id: 'CP-1',
    command: 'GetConfiguration',
    payload: {},
  })
  t.match((await service.call('GET', path)).body, {
    differing: ['HeartbeatInterval'],
    unread: [],
    read_only: ['NumberOfConnectors'],
    drifted: [],
    complete_at: String,
  })
  t.equal((await apply()).status, 202)
  await service.settled()
  const { body } = await service.call('GET', path)
  t.match(body, {
    application: { status: 'completed', applied_keys: 2, rejected_keys: [], begun_by: /^api_key:/ },
    differing: [],
    unknown: ['GetConfigurationMaxKeys'],
  })
  t.equal(keys.HeartbeatInterval, '600')
  await service.call('PATCH', path, { overrides: { Custom: 'x' } })
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  await service.settled()
  await service.register('CP-1')
  const { reported, application, overrides } = (await service.call('GET', path)).body
  const nothing = { reported: [], application: null, overrides: {} }
  t.same({ reported, application, overrides }, nothing, 'who has the id next begins anew')
})

test('configuration - nothing is applied where nothing is wanted', async (t) => {
  const service = await createTestApi({ configurationTemplates: [] })
  await service.register('CP-1')
  t.match(await service.call('POST', `${path}/apply`), {
    status: 409,
    body: { error: { code: 'configuration_empty' } },
  })
})
