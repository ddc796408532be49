// How many tariffs an organization has.

import { test } from 'tap'
import { limits } from '../../src/api/areas/tariffs/limits.js'
import { tariffsTable } from '../../src/records/tariff.js'
import { createTestApi } from './fixture.js'

test('tariffs - an organization has only so many, another still has room', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  const body = { name: 'Public', currency: 'EUR', components: [{ type: 'energy', price: 0.4 }] }
  const make = (key?: string) =>
    service.call('POST', '/api/v1/billing/tariffs', body, key === undefined ? undefined : { key })
  const { tariff_id } = (await make()).body
  const row = service.store.view().get(tariffsTable, [tariff_id])
  if (row === undefined) throw new Error('the tariff was not stored')
  for (let at = 1; at < limits.tariffs; at++)
    await service.put(tariffsTable, { ...row, tariff_id: `${tariff_id}-${at}` })
  t.match(await make(), { status: 409, body: { error: { code: 'conflict', message: /at most 2000 tariffs/ } } })
  t.equal((await make(other.key)).status, 201)
  t.equal((await service.call('DELETE', `/api/v1/billing/tariffs/${tariff_id}`)).status, 204)
  t.equal((await make()).status, 201)
})
