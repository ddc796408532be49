// How many billing rules an organization has: all that are active run for each of its sessions.

import { test } from 'tap'
import { limits } from '../../src/api/areas/billing-rules/limits.js'
import { createTestApi } from './fixture.js'

const rule = { name: 'Free', priority: 1, conditions: [], actions: [{ type: 'set_total', value: 0 }] }

test('rules - an organization has only so many, another still has room', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  const make = (key?: string) =>
    service.call('POST', '/api/v1/billing/rules', rule, key === undefined ? undefined : { key })
  for (let at = 0; at < limits.billingRules; at++) if ((await make()).status !== 201) t.fail(`rule ${at} was refused`)
  const refused = await make()
  t.match(refused, { status: 409, body: { error: { code: 'conflict' } } })
  t.equal((await make(other.key)).status, 201)
  const { body } = await service.call('GET', '/api/v1/billing/rules?per_page=1')
  t.equal((await service.call('DELETE', `/api/v1/billing/rules/${body.data[0].rule_id}`)).status, 204)
  t.equal((await make()).status, 201)
})
