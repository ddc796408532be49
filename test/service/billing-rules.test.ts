// Billing rules over the built service: made, listed in the order of their run, tried, replaced, removed.

import { test } from 'tap'
import { makeOrganization, tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

const shared = await sharedService()
const service = await tenantOf(shared)

const wanted = {
  name: 'Nights',
  priority: 10,
  conditions: [
    { field: 'start_hour', operator: 'between', value: [22, 5] },
    { field: 'day_of_week', operator: 'in', value: ['Saturday', 'sun'] },
  ],
  actions: [{ type: 'discount_percent', value: 15 }],
}

const rules = '/api/v1/billing/rules'

async function makeRule(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { status, body } = await service.request('POST', rules, { ...wanted, ...fields })
  if (status !== 201) throw new Error(`no rule was made: ${JSON.stringify(body)}`)
  return body.rule_id
}

test('rules - made active, read, replaced whole, removed', async (t) => {
  const made = await service.request('POST', rules, wanted)
  t.match(made, { status: 201, body: { rule_id: /^rul_/, name: 'Nights', priority: 10, active: true } })
  t.same(made.body.conditions[1].value, ['sat', 'sun'], 'days are kept by their short names')
  t.notOk('organization_id' in made.body || 'version' in made.body)
  const path = `${rules}/${made.body.rule_id}`
  t.same((await service.request('GET', path)).body, made.body)

  t.match(await service.request('PUT', path, wanted), {
    status: 400,
    body: { error: { details: [{ path: '/active' }] } },
  })
  const replaced = await service.request('PUT', path, { ...wanted, name: 'Off', conditions: [], active: false })
  t.match(replaced, { status: 200, body: { name: 'Off', conditions: [], active: false } })
  t.equal(replaced.body.created_at, made.body.created_at)
  t.same((await service.request('GET', path)).body, replaced.body)
  t.equal((await service.request('DELETE', path)).status, 204)
  for (const method of ['GET', 'DELETE']) t.equal((await service.request(method, path)).status, 404)
  t.equal((await service.request('POST', `${path}/test`, {})).status, 404)
})

test('rules - listed by priority, of equal ones the older first, all or those that are active or not', async (t) => {
  const third = await makeRule({ priority: 30 })
  const first = await makeRule({ priority: 2 })
  const fourth = await makeRule({ priority: 30 })
  const off = await makeRule({ priority: 7, active: false })
  const list = async (query = '') => {
    const { body } = await service.request('GET', rules + query)
    return [body.total, body.data.map((rule: { rule_id: string }) => rule.rule_id)]
  }
  t.same(await list(), [4, [first, off, third, fourth]])
  t.same(await list('?active=true'), [3, [first, third, fourth]])
  t.same(await list('?active=false'), [1, [off]])
  t.same(await list('?page=2&per_page=3'), [4, [fourth]])
  t.equal((await service.request('GET', `${rules}?active=perhaps`)).status, 400)
})

test('rules - what cannot be a rule is refused, with the place', async (t) => {
  const condition = { field: 'energy_kwh', operator: 'gt', value: 1 }
  const faults: readonly [Readonly<Record<string, unknown>>, string][] = [
    [{ name: undefined }, '/name'],
    [{ priority: 0 }, '/priority'],
    [{ priority: 1.5 }, '/priority'],
    [{ conditions: undefined }, '/conditions'],
    [{ conditions: [{ ...condition, field: 'colour' }] }, '/conditions/0/field'],
    [{ conditions: [{ ...condition, operator: 'like' }] }, '/conditions/0/operator'],
    [{ conditions: [condition, { field: 'id_tag', operator: 'gt', value: 'A' }] }, '/conditions/1/operator'],
    [{ conditions: [{ ...condition, value: null }] }, '/conditions/0/value'],
    [{ conditions: [{ ...condition, operator: 'between' }] }, '/conditions/0/value'],
    [{ conditions: Array.from({ length: 21 }, () => condition) }, '/conditions'],
    [{ actions: [] }, '/actions'],
    [{ actions: [{ type: 'gift', value: 1 }] }, '/actions/0/type'],
    [{ actions: [{ type: 'set_total', value: -1 }] }, '/actions/0/value'],
    [{ actions: [{ type: 'discount_percent', value: 101 }] }, '/actions/0/value'],
  ]
  for (const [change, where] of faults) {
    const answer = await service.request('POST', rules, { ...wanted, ...change })
    t.match(answer, { status: 400, body: { error: { code: 'validation_error' } } })
    const paths = answer.body.error.details.map(({ path }: { path: string }) => path)
    t.ok(paths.includes(where), `${where} of ${paths}`)
  }
})

test('rule test - each condition and action explained, nothing charged', async (t) => {
  const id = await makeRule({ active: false, actions: [...wanted.actions, { type: 'minimum_cost', value: 10 }] })
  const path = `${rules}/${id}/test`
  const hit = await service.request('POST', path, { start_hour: 23, day_of_week: 'Sunday', base_cost: 9.99 })
  t.equal(hit.status, 200)
  t.same(hit.body, {
    rule_id: id,
    matched: true,
    condition_results: [
      { field: 'start_hour', operator: 'between', value: [22, 5], actual: 23, matched: true, reason: null },
      { field: 'day_of_week', operator: 'in', value: ['sat', 'sun'], actual: 'Sunday', matched: true, reason: null },
    ],
    applied_actions: [
      { type: 'discount_percent', value: 15, effect: 'discount of 15%: 9.99 becomes 8.49' },
      { type: 'minimum_cost', value: 10, effect: 'minimum cost of 10.00: 8.49 becomes 10.00' },
    ],
    base_cost: 9.99,
    adjusted_cost: 10,
    difference: 0.01,
    missing_fields: [],
    unknown_fields: [],
  })

  const vague = await service.request('POST', path, { start_hour: 23, weekday: 'sun' })
  t.match(vague, {
    status: 200,
    body: { matched: false, applied_actions: [], base_cost: 0, adjusted_cost: 0, difference: 0 },
  })
  t.match(vague.body.condition_results[1], { actual: null, matched: false, reason: /does not have/ })
  t.same(vague.body.missing_fields, ['base_cost', 'day_of_week'])
  t.same(vague.body.unknown_fields, ['weekday'])

  const yen = await service.request('POST', path, {
    start_hour: 1,
    day_of_week: 'sat',
    base_cost: 333,
    currency: 'JPY',
  })
  t.match(yen.body, { adjusted_cost: 283, difference: -50 })

  const refused = await service.request('POST', path, { start_hour: 25, base_cost: 'much', currency: 'XXX' })
  t.equal(refused.status, 400)
  t.same(
    refused.body.error.details.map((detail: { path: string }) => detail.path),
    ['/start_hour', '/base_cost', '/currency'],
  )
  t.equal((await service.request('POST', path, [])).status, 400)
})

test('rules - another organization sees, changes and tries none of them', async (t) => {
  const id = await makeRule()
  const other = await makeOrganization(shared)
  const requests: readonly [string, string, unknown?][] = [
    ['GET', `${rules}/${id}`],
    ['PUT', `${rules}/${id}`, { ...wanted, active: true }],
    ['DELETE', `${rules}/${id}`],
    ['POST', `${rules}/${id}/test`, {}],
  ]
  for (const [method, path, body] of requests)
    t.match(await other.request(method, path, body), { status: 404, body: { error: { code: 'not_found' } } }, path)
  t.equal((await other.request('GET', rules)).body.total, 0)
  const period = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
  const simulated = await other.request('POST', `${rules}/simulate`, { rule_ids: [id], ...period })
  t.match(simulated, { status: 400, body: { error: { details: [{ path: '/rule_ids/0' }] } } })
})

test('rules - two replacements at the same time: both are whole, one after the other', async (t) => {
  const path = `${rules}/${await makeRule()}`
  const versions = ['A', 'B'].map((name, at) => ({ ...wanted, name, priority: at + 1, active: true }))
  const answers = await Promise.all(versions.map((body) => service.request('PUT', path, body)))
  t.same(
    answers.map(({ status }) => status),
    [200, 200],
  )
  const { body } = await service.request('GET', path)
  t.equal(body.priority, body.name === 'A' ? 1 : 2)
})
