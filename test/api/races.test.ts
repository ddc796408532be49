// What two requests, or a request and a charge point, do at the same moment: a check that one of them made holds at its commit.

import { test } from 'tap'
import { billingRulesTable } from '../../src/actors/records/billing-rule.js'
import { chargePointsTable } from '../../src/actors/records/charge-point.js'
import { chargePointStatesTable } from '../../src/actors/records/charge-point-state.js'
import { sessionsTable } from '../../src/actors/records/session.js'
import { removeRow } from '../../src/api/changes.js'
import { limits } from '../../src/runtime/limits.js'
import { createTestApi } from './fixture.js'

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
  const most = limits.submittedIntegrationRequests
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
