// Simulated billing rules: what each session and all of them together would have cost.

import { test } from 'tap'
import type { BillingRule } from '../../src/records/billing-rule.js'
import { type PastSession, pastSession } from '../support/past-session.js'
import { createTestApi, type TestApi } from './fixture.js'

const path = '/api/v1/billing/rules/simulate'
const start = Date.parse('2026-10-01T00:00:00.000Z')
const period = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' }

function changesOf(service: TestApi, past: PastSession, organizationId = service.operator.organizationId) {
  return pastSession(service.newId, organizationId, past)
}

const half = {
  name: 'Half from 20 kWh',
  priority: 5,
  conditions: [{ field: 'energy_kwh', operator: 'gte', value: 20 }],
  actions: [{ type: 'discount_percent', value: 50 }],
}

test('simulate - per session and in total what would have changed, by currency, and nothing is', async (t) => {
  const service = await createTestApi()
  for (const [at, kwh] of [10, 20, 40].entries())
    await service.commit(...changesOf(service, { endedAt: start + at, kwh }))
  await service.commit(...changesOf(service, { endedAt: start + 9, kwh: 30, currency: 'JPY' }))
  const before = await service.call('GET', '/api/v1/billing/rules')
  const { status, body } = await service.call('POST', path, { rules: [half], ...period })
  t.equal(status, 200)
  t.match(body.sessions, [
    { charge_point_id: 'CP-1', currency: 'EUR', cost: 6, simulated_cost: 6, difference: 0, matched_rules: [] },
    { cost: 12, simulated_cost: 6, difference: -6, matched_rules: ['rules/0'] },
    { cost: 24, simulated_cost: 12, difference: -12 },
    { currency: 'JPY', cost: 18, simulated_cost: 10, difference: -8 },
  ])
  t.same(body.totals, [
    { currency: 'EUR', sessions: 3, changed_sessions: 2, cost: 42, simulated_cost: 24, difference: -18 },
    { currency: 'JPY', sessions: 1, changed_sessions: 1, cost: 18, simulated_cost: 10, difference: -8 },
  ])
  t.match(body, { total: 4, sessions_covered: 4, sessions_skipped: 0, cut: false, next_cursor: null })
  t.same((await service.call('GET', '/api/v1/billing/rules')).body, before.body)
  const changed = await service.call('POST', path, {
    rules: [half],
    ...period,
    changed_only: true,
    per_page: 2,
    page: 2,
  })
  t.match(changed.body, { sessions: [{ currency: 'JPY' }], total: 3, sessions_covered: 4 })
  t.equal(changed.body.sessions.length, 1)
})

test('simulate - stored rules by id run though inactive; without rules the sessions lose theirs', async (t) => {
  const service = await createTestApi()
  const made = await service.call('POST', '/api/v1/billing/rules', { ...half, active: false })
  const fee = { ...half, name: 'Fee', conditions: [], actions: [{ type: 'surcharge_fixed', value: 1 }] }
  const rule: BillingRule = {
    ...(fee as unknown as BillingRule),
    rule_id: 'rul_old',
    organization_id: service.operator.organizationId,
    version: 1,
    active: true,
    created_at: period.from,
    updated_at: period.from,
  }
  await service.commit(...changesOf(service, { endedAt: start, kwh: 20, rules: [rule] }))
  const simulated = async (fields: object) =>
    (await service.call('POST', path, { ...fields, ...period })).body.sessions[0]
  t.match(await simulated({ rule_ids: [made.body.rule_id] }), { cost: 13.2, simulated_cost: 6 })
  t.match(await simulated({ rules: [] }), { cost: 13.2, simulated_cost: 12, difference: -1.2 })
  t.match(await simulated({ rules: [fee] }), { cost: 13.2, simulated_cost: 13.2, difference: 0 }, 'as it was priced')
  // Of one priority: stored ones first, then as given. Half of 10 and 1 more are 6, and tax.
  const both = await simulated({ rules: [fee], rule_ids: [made.body.rule_id] })
  t.match(both, { simulated_cost: 7.2, matched_rules: [made.body.rule_id, 'rules/0'] })
})

test('simulate - the period, the charge point, the site and the organization bound it', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  const to = Date.parse(period.to)
  for (const endedAt of [start - 1, start, to - 1, to]) await service.commit(...changesOf(service, { endedAt }))
  await service.commit(...changesOf(service, { endedAt: start + 1, chargePointId: 'CP-2', siteId: 'site_1' }))
  await service.commit(...changesOf(service, { endedAt: start + 2 }, other.organizationId))
  const covered = async (fields: object) =>
    (await service.call('POST', path, { rules: [half], ...period, ...fields })).body.sessions_covered
  t.equal(await covered({}), 3, 'from is inclusive, to is not')
  t.equal(await covered({ charge_point_id: 'CP-2' }), 1)
  t.equal(await covered({ charge_point_id: 'CP-9' }), 0)
  t.equal(await covered({ site_id: 'site_1' }), 1)
  const theirs = await service.call('POST', path, { rules: [half], ...period }, { key: other.key })
  t.equal(theirs.body.sessions_covered, 1)
})

test('simulate - a session of which too little is stored is in no total', async (t) => {
  const service = await createTestApi()
  const [session, cost, snapshot] = changesOf(service, { endedAt: start })
  await service.commit(cost, snapshot)
  await service.commit(...changesOf(service, { endedAt: start + 1 }))
  const { body } = await service.call('POST', path, { rules: [half], ...period })
  t.match(body, { sessions_covered: 1, sessions_skipped: 1, total: 1, totals: [{ sessions: 1, cost: 6 }] })
  await service.commit(session)
  t.equal((await service.call('POST', path, { rules: [half], ...period })).body.sessions_skipped, 0)
})

test('simulate - what cannot be simulated is refused, with the place', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  const theirs = await service.call('POST', '/api/v1/billing/rules', half, { key: other.key })
  const faults: readonly [object, string][] = [
    [{ ...period }, ''],
    [{ rules: [half], from: period.from }, '/to'],
    [{ rules: [half], from: period.to, to: period.from }, '/to'],
    [{ rules: [half], ...period, from: 'yesterday' }, '/from'],
    [{ rules: [{ ...half, priority: 0 }], ...period }, '/rules/0/priority'],
    [
      { rules: [half, { ...half, conditions: [{ ...half.conditions[0], value: 'x' }] }], ...period },
      '/rules/1/conditions/0/value',
    ],
    [{ rule_ids: [theirs.body.rule_id], ...period }, '/rule_ids/0'],
    [{ rules: [], ...period, cursor: 'nothing' }, '/cursor'],
    [{ rules: [], ...period, per_page: 500 }, '/per_page'],
  ]
  for (const [body, where] of faults) {
    const answer = await service.call('POST', path, body)
    t.equal(answer.status, 400, where)
    t.equal(answer.body.error.details[0].path, where)
  }
})
