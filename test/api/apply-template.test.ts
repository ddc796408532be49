// A template of configurations that an installer applies: named, sent and waited for; and what counts as a configuration that was delivered.

import { test } from 'tap'
import { awaitApplication } from '../../src/api/areas/commissioning/await-application.js'
import { limits } from '../../src/api/areas/commissioning/limits.js'
import { type ConfigurationApplication, configurationApplicationsTable } from '../../src/records/configuration.js'
import { tables } from '../../src/records/index.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { neverSet } from '../support/fake-clock.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { registrationOf } from '../support/registration.js'
import { createTestApi } from './fixture.js'

const own = '/api/v1/installer/charge-points/CP-1'
const path = '/api/v1/installer/commissioning/CP-1/apply-template'
const template = { name: 'Short', vendor: 'NOBODY', parameters: { HeartbeatInterval: 60, LightIntensity: 40 } }

async function stage() {
  const api = await createTestApi()
  const request = (method: string, target: string, body?: unknown, headers = {}) =>
    api.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>
  const installer = await installerOf({ request })
  const box = { charge_point_id: 'CP-1', model: 'M', vendor: 'V', serial_number: 'SN-1', project_id: 'P' }
  await installer.request('POST', '/api/v1/installer/charge-points', box)
  const keys = new Map([
    ['HeartbeatInterval', '300'],
    ['LightIntensity', '100'],
  ])
  const changes: string[] = []
  /** Keys that it refuses; `isSilent`: it answers nothing. */
  const habits = { refuses: '', isSilent: false }
  const connect = () =>
    api.connect('CP-1', (action, payload) => {
      if (habits.isSilent) return undefined
      if (action === 'GetConfiguration') {
        const asked = payload.key as string[]
        const known = asked.filter((key) => keys.has(key))
        const configurationKey = known.map((key) => ({ key, readonly: false, value: keys.get(key) }))
        return { configurationKey, unknownKey: asked.filter((key) => !keys.has(key)) }
      }
      const { key, value } = payload as { key: string; value: string }
      changes.push(`${key}=${value}`)
      if (key === habits.refuses) return { status: 'Rejected' }
      if (!keys.has(key)) return { status: 'NotSupported' }
      keys.set(key, value)
      return { status: 'Accepted' }
    })
  const made = await api.call('POST', '/api/v1/configuration-templates', template)
  const template_id: string = made.body.template_id
  const apply = (id = template_id) => installer.request('POST', path, { template_id: id })
  const commission = () => installer.request('POST', `${own}/commission`)
  const application = () => api.store.view().get(configurationApplicationsTable, ['CP-1'])
  return { ...api, installer, keys, changes, habits, connect, template_id, apply, commission, application }
}

test('apply template - a template is named, applied key by key, and answered with what became of it', async (t) => {
  const { installer, keys, changes, connect, template_id, apply, settled, commission, habits } = await stage()
  t.match(await apply(), { status: 409, body: { error: { code: 'not_connected' } } })
  t.match((await installer.request('GET', `${own}/config/template`)).body, { template_id: 'standard' })
  connect()
  await settled()
  t.match(await apply('tpl_0'), { status: 404, body: { error: { code: 'not_found' } } })
  await installer.request('POST', `${own}/config/customize`, { parameters: { LightIntensity: 10 } })
  const answer = await apply()
  t.match(answer, {
    status: 200,
    body: { charge_point_id: 'CP-1', template_id, status: 'completed', applied_keys: 2, rejected_keys: [] },
  })
  t.match(answer.body.applied_at, /Z$/)
  t.same(Object.fromEntries(keys), { HeartbeatInterval: '60', LightIntensity: '10' }, 'with what was customized')
  t.match((await installer.request('GET', `${own}/config/template`)).body, { template_id, name: 'Short' })
  const before = changes.length
  t.match((await apply()).body, { status: 'completed', applied_keys: 2 })
  t.equal(changes.length, before, 'what the charge point has is not sent again')
  habits.refuses = 'LightIntensity'
  keys.set('LightIntensity', '99')
  t.match(await apply(), { status: 200, body: { applied_keys: 1, rejected_keys: ['LightIntensity'] } })
  t.equal((await commission()).status, 200, 'what was customized counts as delivered')
})

test('apply template - one that takes long is waited for again by the same request, and no other begins meanwhile', async (t) => {
  const { installer, connect, apply, habits, settled, pass, application, keys } = await stage()
  habits.isSilent = true
  connect()
  await settled()
  const waiting = apply()
  await settled()
  const id = application()?.application_id
  t.match(application(), { status: 'running', begun_by: /^installer:ins_/ })
  t.match(await apply('standard'), { status: 409, body: { error: { code: 'configuration_running' } } })
  t.match((await installer.request('GET', `${own}/config/template`)).body, { name: 'Short' }, 'it is not named either')
  await pass(31_000)
  t.match(await waiting, { status: 202, body: { status: 'running', applied_at: null } })
  habits.isSilent = false
  const again = apply()
  await settled()
  for (let second = 0; second < 60 && application()?.status === 'running'; second++) await pass(500)
  t.match(await again, { status: 200, body: { status: 'completed', applied_keys: 2 } })
  t.equal(application()?.application_id, id)
  t.equal(keys.get('HeartbeatInterval'), '60')
})

test('apply template - what an organization has claimed is its own, and templates of other organizations are absent', async (t) => {
  const { addOrganization, call, connect, settled, apply, installer } = await stage()
  const other = await addOrganization()
  connect()
  await settled()
  const theirs = await call('POST', '/api/v1/configuration-templates', template, { key: other.key })
  t.equal((await apply(theirs.body.template_id)).status, 404)
  const stranger = await installerOf({ request: installer.request })
  t.equal((await stranger.request('POST', path, { template_id: 'standard' })).status, 404)
  t.equal((await call('POST', '/api/v1/chargepoints', registrationOf('CP-1'))).status, 201)
  t.match(await apply(), { status: 409, body: { error: { code: 'charge_point_claimed' } } })
})

test('apply template - a template of the operator that the installer has named stays behind when another organization claims', async (t) => {
  const { addOrganization, call, connect, settled, apply, template_id } = await stage()
  const other = await addOrganization()
  connect()
  await settled()
  t.equal((await apply()).status, 200)
  const registered = await call('POST', '/api/v1/chargepoints', registrationOf('CP-1'), { key: other.key })
  t.equal(registered.status, 201)
  const path = '/api/v1/chargepoints/CP-1/configuration'
  const named = async () => (await call('GET', path, undefined, { key: other.key })).body.named_template_id
  t.equal(await named(), null)
  await call('PATCH', path, { overrides: { HeartbeatInterval: 77 } }, { key: other.key })
  t.equal(await named(), null)
  t.notMatch(JSON.stringify((await call('GET', path, undefined, { key: other.key })).body.overrides), template_id)
})

test('apply template - a configuration that the organization has applied counts as delivered, unless a key was refused', async (t) => {
  const { call, connect, settled, commission, application, habits, pass } = await stage()
  connect()
  await settled()
  t.equal((await call('POST', '/api/v1/chargepoints', registrationOf('CP-1'))).status, 201)
  const configuration = '/api/v1/chargepoints/CP-1/configuration'
  async function applyAll(): Promise<void> {
    t.equal((await call('POST', `${configuration}/apply`)).status, 202)
    for (let turn = 0; turn < 60 && application()?.status === 'running'; turn++) await pass(500)
    t.equal(application()?.status, 'completed')
  }
  habits.refuses = 'HeartbeatInterval'
  await call('PATCH', configuration, { overrides: { HeartbeatInterval: 77 } })
  await applyAll()
  t.match(await commission(), { status: 409, body: { error: { code: 'configuration_incomplete' } } })
  habits.refuses = ''
  await applyAll()
  t.match(
    application()?.keys.map(({ outcome }) => outcome),
    /not_supported/,
    'keys that it does not have do no harm',
  )
  t.equal((await commission()).status, 200)
})

test('apply template - requests that wait for the same application share their looks, and an installer waits for few', async (t) => {
  const store = openMemoryStore(tables)
  let looks = 0
  let isDraining = false
  const services = {
    view() {
      looks++
      return store.view()
    },
    clock: neverSet({ now: () => 0, monotonic: () => 0 }),
    draining: () => isDraining,
  }
  async function running(id: string): Promise<ConfigurationApplication> {
    const begun: ConfigurationApplication = {
      charge_point_id: id,
      organization_id: 'org_1',
      application_id: `cfg_${id}`,
      status: 'running',
      begun_by: 'installer:ins_1',
      begun_at: '2026-01-01T00:00:00.000Z',
      progress_at: '2026-01-01T00:00:00.000Z',
      to_read: [],
      keys: [],
      reboots: 0,
      unanswered: 0,
    }
    const { name } = configurationApplicationsTable
    await store.commit(unowned([{ type: 'put', table: name, key: [id], row: encodeRow(begun) }]))
    return begun
  }
  const first = await running('CP-1')
  const waiting = Array.from({ length: 50 }, () => awaitApplication(first, 'ins_1', services))
  t.equal(looks, 1)
  for (let more = 2; more <= limits.templateWaitsOfInstaller; more++)
    waiting.push(awaitApplication(await running(`CP-${more}`), 'ins_1', services))
  const before = looks
  t.match(await awaitApplication(await running('CP-9'), 'ins_1', services), { status: 'running' }, 'at once')
  t.equal(looks, before, 'without a look')
  waiting.push(awaitApplication(await running('CP-10'), 'ins_2', services))
  t.equal(looks, before + 1, 'another installer waits')
  isDraining = true
  t.equal((await Promise.all(waiting)).length, 50 + limits.templateWaitsOfInstaller)
  waiting.length = 0
  await awaitApplication(first, 'ins_1', services)
  t.ok(looks > before + 1, 'what has ended is not kept')
})
