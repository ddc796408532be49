// Why a session costs what it costs, as operators read it.

import { Decimal } from 'decimal.js'
import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import type { BillingRule } from '../../src/records/billing-rule.js'
import { sessionsTable } from '../../src/records/session.js'
import { sessionCostsTable } from '../../src/records/session-cost.js'
import { pastSession } from '../support/past-session.js'
import { billedSession, runningSession, snapshotChange } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

const explanation = (api: TestApi, id: string, caller?: Parameters<TestApi['call']>[3]) =>
  api.call('GET', `/api/v1/sessions/${id}/cost-explanation`, undefined, caller)

const sumOf = (steps: readonly { amount: string }[]): Decimal =>
  steps.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0))

function rule(api: TestApi, fields: Partial<BillingRule>): BillingRule {
  return {
    rule_id: 'rul_1',
    organization_id: api.operator.organizationId,
    version: 1,
    name: 'Five percent less',
    priority: 1,
    conditions: [],
    actions: [{ type: 'discount_percent', value: 5 }],
    active: true,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...fields,
  }
}

test('cost explanation - the stored trace as it is, the steps to the total, and the rules that changed nothing', async (t) => {
  const api = await createTestApi()
  const night = rule(api, {
    rule_id: 'rul_2',
    name: 'Nights',
    conditions: [{ field: 'energy_kwh', operator: 'gt', value: 50 }],
  })
  await api.commit(
    ...pastSession(api.newId, api.operator.organizationId, {
      endedAt: api.now() - 3_600_000,
      kwh: 42.318,
      rules: [rule(api, {}), night],
    }),
  )
  const later = { name: 'Later', priority: 3, conditions: [], actions: [{ type: 'set_total', value: 1 }] }
  await api.call('POST', '/api/v1/billing/rules', later)
  const [row] = api.store.view().list(sessionCostsTable, [])
  if (row === undefined) throw new Error('no cost is stored')
  const { status, body } = await explanation(api, row.session_id)
  t.equal(status, 200)
  t.match(body.trace, row.priced.trace)
  t.same(Object.keys(body.trace), Object.keys(row.priced.trace))
  const { trace: _, ...breakdown } = row.priced
  t.match(body.breakdown, breakdown)
  t.match(body, { final: true, priced_at: row.priced_at, currency: 'EUR', total: row.priced.total.toFixed(2) })
  t.match(body.steps, [
    { kind: 'line', exact_amount: '21.159', amount: '21.16', sum: '21.16' },
    { kind: 'rule', rule_id: 'rul_1', exact_amount: '-1.058', amount: '-1.06', sum: '20.10' },
    { kind: 'tax', exact_amount: '4.02', amount: '4.02', sum: '24.12' },
  ])
  t.ok(sumOf(body.steps).equals(row.priced.total))
  t.match(body.rules_not_applied, [
    {
      rule_id: 'rul_2',
      reason: 'conditions_not_met',
      words: ['The energy was 42.318 kWh, and the rule asks for more than 50 kWh.'],
    },
    { name: 'Later', reason: 'created_later' },
  ])
})

test('cost explanation - a running session is explained as of now, by the same function', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const session = runningSession({ organizationId, endedAt: new Date(api.now()).toISOString() })
  await api.commit(snapshotChange(), putRow(sessionsTable, session))
  const { body } = await explanation(api, session.session_id)
  const shown = await api.call('GET', `/api/v1/sessions/${session.session_id}`)
  t.match(body, { final: false, trace: { time: { running: true } }, total: '0.42' })
  t.equal(Number(body.total), shown.body.cost)
  t.ok(sumOf(body.steps).equals(body.total))
})

test('cost explanation - a session without a tariff has none, and nobody else sees one', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const { session, changes } = billedSession({ organizationId, endedAt: new Date(api.now()).toISOString() })
  await api.commit(...changes)
  const running = runningSession({ organizationId, endedAt: new Date(api.now()).toISOString() })
  const { tariff_id: _, tariff_snapshot: __, currency: ___, ...free } = running
  await api.commit(putRow(sessionsTable, free))
  t.match(await explanation(api, free.session_id), { status: 409, body: { error: { code: 'session_not_priced' } } })
  const another = await api.addOrganization()
  t.equal((await explanation(api, session.session_id, another)).status, 404)
  const keyOf = async (scope: 'read:sessions' | 'read:billing') => ({
    organizationId,
    key: await api.addKey(organizationId, [scope]),
  })
  t.equal((await explanation(api, session.session_id, await keyOf('read:sessions'))).status, 403)
  t.equal((await explanation(api, session.session_id, await keyOf('read:billing'))).status, 200)
})
