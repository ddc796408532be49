// What two requests, or a request and a charge point, do at the same moment: a check that one of them made holds at its commit.

import { test } from 'tap'
import { newAlert } from '../../src/alerts/alert.js'
import { limits } from '../../src/api/areas/billing-rules/limits.js'
import { defaultTimeoutSeconds } from '../../src/api/areas/commands/run-command.js'
import { limits as organizationsLimits } from '../../src/api/areas/organizations/limits.js'
import { removeRow } from '../../src/api/pipeline/changes.js'
import { authenticate } from '../../src/edge/authenticate.js'
import { alertsTable } from '../../src/records/alert.js'
import { billingRulesTable } from '../../src/records/billing-rule.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../src/records/charge-point-state.js'
import { guestConnectorsTable } from '../../src/records/guest-session.js'
import { receiptsTable } from '../../src/records/receipt.js'
import { sessionsTable } from '../../src/records/session.js'
import { billedSession } from './billed-sessions.js'
import { createTestApi } from './fixture.js'
import { addMember } from './member.js'

const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp: '2026-11-01T10:00:00Z' }

test('races - a charge point on which a session starts at the moment of its removal is kept', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  await service.settled()
  // The start is taken at the end of this turn: behind the removal's look for running sessions, before its commit.
  service.tellFrom(connection, 'StartTransaction', start)
  const removing = service.call('DELETE', '/api/v1/chargepoints/CP-1')
  t.match(await removing, { status: 409, body: { error: { code: 'conflict' } } })
  await service.settled()
  t.match(service.store.view().list(sessionsTable, []), [{ status: 'active', charge_point_id: 'CP-1' }])
  t.equal((await service.call('GET', '/api/v1/chargepoints/CP-1')).status, 200)
})

test('races - no session starts on a charge point that is removed, though it has not heard of it yet', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  await service.settled()
  // Another front has removed it; its word to the charge point is on the way.
  await service.commit(removeRow(chargePointsTable, ['CP-1']))
  service.tellFrom(connection, 'StartTransaction', start)
  await service.settled()
  t.same(service.store.view().list(sessionsTable, []), [])
})

test('races - what a charge point has said of itself goes with it', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  service.connect('CP-1')
  await service.settled()
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  await service.settled()
  t.same(service.store.view().list(chargePointStatesTable, []), [])
})

test('races - ids that differ in case alone are one charge point, also at the same moment', async (t) => {
  const service = await createTestApi()
  const outcomes = await Promise.allSettled(['CP-1', 'cp-1', 'Cp-1'].map((id) => service.register(id)))
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('races - no more integration requests wait than may', async (t) => {
  const service = await createTestApi()
  const request = { type: 'roaming_hub', partner_name: 'Hub' }
  const most = organizationsLimits.submittedIntegrationRequests
  const answers = await Promise.all(
    Array.from({ length: most + 3 }, () => service.call('POST', '/api/v1/integration-requests', request)),
  )
  t.equal(answers.filter(({ status }) => status === 201).length, most)
  t.equal(answers.filter(({ body }) => body.error?.code === 'conflict').length, 3)
})

test('races - no more billing rules are made than an organization may have', async (t) => {
  const service = await createTestApi()
  const rule = {
    name: 'R',
    priority: 1,
    conditions: [{ field: 'energy_kwh', operator: 'gte', value: 10 }],
    actions: [{ type: 'discount_percent', value: 15 }],
  }
  const make = () => service.call('POST', '/api/v1/billing/rules', rule)
  t.equal((await make()).status, 201)
  const [made] = service.store.view().list(billingRulesTable, [])
  for (let at = 2; at < limits.billingRules; at++)
    await service.put(billingRulesTable, { ...(made as NonNullable<typeof made>), rule_id: `rul_${at}` })
  const answers = await Promise.all([make(), make(), make()])
  t.same(answers.map(({ status }) => status).sort(), [201, 409, 409])
})

const tariffs = '/api/v1/billing/tariffs'

test('races - no charge point and no organization is left with a tariff that is deleted at the same moment', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const make = async (): Promise<string> => {
    const body = { name: 'T', currency: 'EUR', components: [{ type: 'energy', price: 0.5 }] }
    return (await service.call('POST', tariffs, body)).body.tariff_id
  }
  const settings = `/api/v1/organizations/${service.operator.organizationId}/settings`
  const uses = [
    (tariff_id: string) => service.call('PUT', '/api/v1/chargepoints/CP-1/tariff', { tariff_id }),
    (default_tariff_id: string) => service.call('PUT', settings, { default_tariff_id }),
  ]
  for (const use of uses)
    for (const order of [0, 1]) {
      const id = await make()
      const requests = [() => use(id), () => service.call('DELETE', `${tariffs}/${id}`)]
      const answers = await Promise.all((order === 0 ? requests : requests.toReversed()).map((request) => request()))
      const [used, deleted] = order === 0 ? answers : answers.toReversed()
      if (used?.status === 200) t.match(deleted, { status: 409, body: { error: { code: 'tariff_in_use' } } })
      else t.match([used, deleted], [{ status: 404 }, { status: 204 }])
    }
})

const keys = '/api/v1/org/api-keys'

/** Requests that were made have been decided, and wait for their commits, which take a turn of the event loop. */
async function decided(): Promise<void> {
  for (let step = 0; step < 100; step++) await undefined
}

test('races - a member who becomes a viewer leaves no key behind that may more', async (t) => {
  const service = await createTestApi()
  await addMember(service, 'admin')
  const member = await addMember(service, 'admin')
  const bound = await service.call('POST', keys, { name: 'M', scopes: ['write:api_keys'], user_id: member.user_id })
  const path = `/api/v1/organizations/${service.operator.organizationId}/members/${member.user_id}/role`
  const changing = service.call('PUT', path, { role: 'viewer' })
  await decided()
  const fields = { name: 'Left behind', scopes: ['write:api_keys'] }
  const made = await service.call('POST', keys, fields, { key: bound.body.key })
  t.equal((await changing).status, 200)
  t.match(made, { status: 403, body: { error: 'forbidden' } })
  const { body } = await service.call('GET', keys)
  t.notOk(body.data.some(({ name }: { name: string }) => name === 'Left behind'))
})

test('races - a key that is revoked gets hold of no other by a rotation', async (t) => {
  const service = await createTestApi()
  const make = (name: string) => service.call('POST', keys, { name, scopes: ['write:api_keys'] })
  const [revoked, other] = [(await make('Revoked')).body, (await make('Other')).body]
  const ending = service.call('DELETE', `${keys}/${revoked.id}`)
  await decided()
  const rotated = await service.call('POST', `${keys}/${other.id}/rotate`, undefined, { key: revoked.key })
  t.equal((await ending).status, 204)
  t.match(rotated, { status: 401, body: { error: 'unauthorized' } })
  t.equal((await service.call('GET', keys, undefined, { key: other.key })).status, 200)
})

test('races - the password that a charge point has stays good, however many pushes of others it leaves unanswered', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const path = '/api/v1/chargepoints/CP-1/authorization-key'
  const { authorization_key: first } = (await service.call('POST', path)).body
  const login = (key: string) => {
    const row = service.store.view().get(chargePointsTable, ['CP-1'])
    const authorization = `Basic ${Buffer.from(`CP-1:${key}`).toString('base64')}`
    return authenticate(row as NonNullable<typeof row>, {
      authorization,
      certificatePem: '',
      tls: true,
      now: Date.now(),
    }).ok
  }
  service.connect('CP-1')
  await service.settled()
  for (let push = 1; push <= 2; push++) {
    const pushing = service.call('POST', path, { push: true })
    await service.settled()
    await service.pass(defaultTimeoutSeconds * 1_000)
    t.equal((await pushing).status, 408)
    t.ok(login(first), `after push ${push}`)
  }
  const shown = await service.call('GET', '/api/v1/chargepoints/CP-1')
  t.notMatch(JSON.stringify(shown.body), /sha256/)
})

test('races - a push that is refused puts the old password back, and keeps what was changed meanwhile', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const path = '/api/v1/chargepoints/CP-1/authorization-key'
  await service.call('POST', path)
  const before = service.store.view().get(chargePointsTable, ['CP-1'])
  let renaming: Promise<unknown> | undefined
  service.connect('CP-1', () => {
    renaming = service.call('PATCH', '/api/v1/chargepoints/CP-1', { name: 'Renamed' })
    return { status: 'Rejected' }
  })
  await service.settled()
  t.match(await service.call('POST', path, { push: true }), { status: 422, body: { error: { code: 'ocpp_rejected' } } })
  t.match(await renaming, { status: 200 })
  const after = service.store.view().get(chargePointsTable, ['CP-1'])
  t.equal(after?.name, 'Renamed')
  t.same(after?.authorization_key, before?.authorization_key)
  t.equal(after?.previous_authorization_key, undefined)
})

test('races - a key is pushed, and a new name kept, where both are asked for at the same moment', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const path = '/api/v1/chargepoints/CP-1'
  service.connect('CP-1', () => ({ status: 'Accepted' }))
  await service.settled()
  const renaming = service.call('PATCH', path, { name: 'Renamed' })
  const pushed = await service.call('POST', `${path}/authorization-key`, { push: true })
  t.match([await renaming, pushed], [{ status: 200 }, { status: 201, body: { pushed: true } }])
  t.match((await service.call('GET', path)).body, { name: 'Renamed', password_set: true })
})

test('races - a receipt that is issued after its seller has moved has the new address', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  const { session, changes } = billedSession({ organizationId, endedAt: new Date(service.now()).toISOString() })
  await service.commit(...changes)
  const path = `/api/v1/organizations/${organizationId}`
  const seller = { name: 'Seller', country: 'NL', contact_email: 'seller@example.com', street: 'New street 1' }
  const moving = service.call('PUT', path, seller)
  await decided()
  const issuing = service.call('GET', `/api/v1/portal/sessions/${session.session_id}/receipt`)
  t.same([(await moving).status, (await issuing).status], [200, 200])
  const issued = service.store.view().get(receiptsTable, [session.session_id])
  t.match(issued, { number: 'R-000001', revision: 1, document: { seller } })
})

test('races - no guest pays at a charge point that is removed at the same moment', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const tariff = { name: 'T', currency: 'EUR', components: [{ type: 'energy', price: 0.5 }] }
  const { tariff_id } = (await service.call('POST', tariffs, tariff)).body
  await service.call('PUT', '/api/v1/chargepoints/CP-1/tariff', { tariff_id })
  service.connect('CP-1', () => ({ status: 'Accepted' }))
  await service.settled()
  const removing = service.call('DELETE', '/api/v1/chargepoints/CP-1')
  await decided()
  const guest = { charge_point_id: 'CP-1', connector_id: 1, payment_method_id: 'pm_card_ok' }
  const authorizing = service.call('POST', '/api/v1/sessions/guest/authorize', guest)
  t.equal((await removing).status, 204)
  t.match(await authorizing, { status: 404, body: { error: { code: 'not_found' } } })
  t.same(service.store.view().list(guestConnectorsTable, []), [])
})

test('races - a notice whose time is over at the moment of its acknowledgement does not come back', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  const finding = {
    kind: 'security_event' as const,
    organizationId,
    subject: 'CP-1',
    chargePointId: 'CP-1',
    message: 'M',
  }
  const notice = newAlert(finding, service.newId('alr'), service.now())
  t.equal(notice.status, 'notice')
  await service.put(alertsTable, notice)
  const acknowledging = service.call('POST', `/api/v1/alerts/${notice.alert_id}/acknowledge`)
  await decided()
  await service.commit(removeRow(alertsTable, [notice.alert_id]))
  t.equal((await acknowledging).status, 404)
  t.same(service.store.view().list(alertsTable, []), [])
})
