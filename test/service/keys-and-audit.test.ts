// Keys, plans and the audit log over the built service: a tenant's first day, a restart, and what is nowhere in clear.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import { membersTable } from '../../src/records/member.js'
import { openWriter } from '../../src/runtime/store/lmdb-store.js'
import { type Change, unowned } from '../../src/runtime/store/store.js'
import { settableClock } from '../chaos/shims.js'
import { bootChargePoint } from '../support/charge-point.js'
import { makeOrganization } from '../support/organization.js'
import { priceEnergyAt } from '../support/sell.js'
import { type Answer, type Service, startService } from '../support/service.js'

const keysPath = '/api/v1/org/api-keys'
const auditPath = '/api/v1/org/audit-log'
const minuteMs = 60_000

/** Writes to a store whose service is stopped. */
async function write(data: string, change: Change): Promise<void> {
  const store = openWriter(data, tables, { schemaVersion })
  await store.commit(unowned([change]))
  await store.close()
}

const as = (key: string) => ({ authorization: `Bearer ${key}` })
const statusOf = async (service: Service, key: string): Promise<number> =>
  (await service.request('GET', '/api/v1/chargepoints', undefined, as(key))).status

test('keys - made, rotated, expired, bound to a member, and the log of it all over restarts', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  const { environment, now, set } = settableClock(t.testdir({}))
  const start = (key?: string) =>
    startService(t, { data, environment, flags: ['--log-level', 'trace'], ...(key !== undefined && { key }) })
  let service = await start()
  const secrets: string[] = [service.key]
  const tenant = await makeOrganization(service, { plan: 'free' })
  secrets.push(tenant.key)

  // A plan that is set holds at the next request.
  const quota = async () => (await tenant.request('GET', '/api/v1/chargepoints')).headers.get('x-ratelimit-limit')
  t.equal(await quota(), '1000')
  const plan = { plan: 'enterprise', requests_per_hour: 5_000 }
  t.equal((await service.request('PUT', `/api/v1/organizations/${tenant.id}/plan`, plan)).status, 200)
  t.equal(await quota(), '5000')

  // An end that comes, and a rotation with an overlap.
  const scopes = ['write:charge_points', 'write:sessions']
  const expires_at = new Date(now() + minuteMs).toISOString()
  const short = (await service.request('POST', keysPath, { name: 'Short', scopes, expires_at })).body
  t.equal(await statusOf(service, short.key), 200)
  const made = (await service.request('POST', keysPath, { name: 'Depot', scopes })).body
  const turned = (await service.request('POST', `${keysPath}/${made.id}/rotate`, { overlap_seconds: 3_600 })).body
  t.same([await statusOf(service, made.key), await statusOf(service, turned.key)], [200, 200])
  secrets.push(short.key, made.key, turned.key)
  set(minuteMs)
  t.equal(await statusOf(service, short.key), 401)

  // A guest pays with a token, and a charge point gets a password: neither may be found anywhere.
  const client = await bootChargePoint(service, 'CP-1')
  await priceEnergyAt(service, 'CP-1', 0.5)
  const wish = { charge_point_id: 'CP-1', connector_id: 1, payment_method_id: 'pm_card_ok' }
  const asked = service.request('POST', '/api/v1/sessions/guest/authorize', wish)
  await client.answerNext({ status: 'Accepted' })
  const token: string = (await asked).body.session_token
  t.equal((await service.request('POST', `/api/v1/sessions/guest/${token}/stop`)).status, 200)
  const password = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334'
  const change = { command: 'ChangeConfiguration', payload: { key: 'AuthorizationKey', value: password } }
  const changing = service.request('POST', '/api/v1/ocpp16/send_command', { charge_point_id: 'CP-1', ...change })
  await client.answerNext({ status: 'Rejected' })
  t.equal((await changing).status, 200)
  secrets.push(token, password)
  client.close()

  const log = async (query = ''): Promise<Answer['body']> => (await service.request('GET', auditPath + query)).body
  const before = await log()
  t.same(
    before.data.map(({ action }: { action: string }) => action),
    [
      'sendOcppCommand',
      'stopGuestSession',
      'authorizeGuestSession',
      'assignChargePointTariff',
      'createTariff',
      'registerChargePoint',
      'rotateApiKey',
      'createApiKey',
      'createApiKey',
      'setOrganizationPlan',
      'createOrganization',
    ],
  )
  t.match(before.data, [
    {
      request_body: { payload: { key: 'AuthorizationKey', value: '(redacted)' } },
      resources: { charge_point_id: 'CP-1' },
    },
    { path: '/api/v1/sessions/guest/(redacted)/stop', resources: {} },
    { request_body: { payment_method_id: '(redacted)' } },
  ])
  const operator: string = (await service.request('GET', '/api/v1/organizations')).body.data[0].id
  t.match(
    (await tenant.request('GET', auditPath)).body,
    { total: 1, data: [{ action: 'setOrganizationPlan', key_id: null, request_id: null }] },
    "the tenant's is its own",
  )

  // Killed and started again: nothing is missing, and what comes next is newer.
  await service.stop('SIGKILL')
  const output = [service.output()]
  const member = {
    organization_id: operator,
    user_id: 'usr_01TEST',
    version: 1,
    email: 'someone@example.com',
    name: 'Someone',
    role: 'viewer',
    joined_at: new Date().toISOString(),
  } as const
  await write(data, putRow(membersTable, member))
  service = await start(service.key)
  t.same(await log(), before)
  t.same([await statusOf(service, made.key), await statusOf(service, turned.key)], [200, 200])
  const bound = await service.request('POST', keysPath, { name: 'Mine', scopes, user_id: member.user_id })
  t.match(bound, { status: 201, body: { effective_scopes: ['read:charge_points', 'read:sessions'] } })
  secrets.push(bound.body.key)
  t.equal(await statusOf(service, bound.body.key), 200)
  const tag = { id_tag: 'A' }
  t.equal((await service.request('POST', '/api/v1/id-tags', tag, as(bound.body.key))).status, 403)
  t.match(await log('?action=createApiKey&per_page=1'), { total: 3, data: [{ resources: { id: bound.body.id } }] })
  t.equal((await log()).data[0].id > before.data[0].id, true)
  const members = `/api/v1/organizations/${operator}/members`
  t.equal((await service.request('DELETE', `${members}/${member.user_id}`)).status, 204)
  await service.stop()
  output.push(service.output())

  service = await start(service.key)
  t.equal(await statusOf(service, bound.body.key), 401)
  t.equal((await service.request('GET', `${keysPath}?user_id=${member.user_id}`)).body.total, 0)
  await service.stop()
  output.push(service.output())

  const stored = readFileSync(join(data, 'data.mdb'), 'latin1')
  t.ok(stored.includes(bound.body.id), 'the file holds what it is searched for')
  for (const secret of secrets) {
    const hidden = secret.replace(/^ak_[^_]+_/, '')
    t.notOk(
      output.some((text) => text.includes(hidden)),
      'no secret is in the log',
    )
    t.notOk(stored.includes(hidden), 'no secret is on the disk')
  }
})
