// What an organization says of models that it has charge points of, where nothing was learned of them.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { learnedTraitsTable, modelIdOf } from '../../src/records/model-traits.js'
import { createTestApi } from './fixture.js'

const path = '/api/v1/charge-point-models'

test('charge point models - an organization corrects any model that it has a charge point of, and sees no model of others', async (t) => {
  const service = await createTestApi()
  const [one, other] = [await service.addOrganization(), await service.addOrganization()]
  const call = (method: string, target: string, key: string, body?: unknown) =>
    service.call(method, target, body, { key })
  for (const [id, chargePointModel] of [
    ['CP-1', 'Beta'],
    ['CP-2', 'Delta'],
    ['CP-3', 'Beta'],
  ] as const) {
    await service.register(id, {}, one.key)
    service.tellFrom(service.connect(id), 'BootNotification', { chargePointVendor: 'Maker', chargePointModel })
    await service.settled()
  }
  const learned = (model: string, organization_id: string) => {
    const named = { vendor: 'Maker', model, firmware_version: '' }
    const registered = { installer_id: 'ins_1', registered_at: '2026-01-01T00:00:00.000Z', learned_at: 1_000 }
    const row = { charge_point_id: `CP-${model}`, organization_id, ...registered, ...named, model_id: modelIdOf(named) }
    return putRow(learnedTraitsTable, { ...row, traits: { answers_pings: false } })
  }
  await service.commit(learned('Alpha', 'org_1'), learned('Delta', 'org_1'), learned('Gamma', 'ins_1'))

  const shown = async (key: string) => (await call('GET', path, key)).body.data
  const namesOf = (models: readonly { readonly model: string }[]) => models.map(({ model }) => model)
  t.same(namesOf(await shown(one.key)), ['Alpha', 'Beta', 'Delta'], 'each once, in their order')
  t.same(namesOf(await shown(other.key)), ['Alpha', 'Delta'])
  t.match(await call('GET', `${path}?per_page=1&page=2`, one.key), { body: { total: 3, data: [{ model: 'Beta' }] } })

  const [, beta, delta] = await shown(one.key)
  t.match(delta, { learned_at: String, learned: { answers_pings: false } })
  t.match(beta, { vendor: 'Maker', firmware_version: null, learned_at: null, learned: { answers_pings: null } })
  const correction = `${path}/${beta.model_id}/correction`
  t.match(await call('PUT', correction, one.key, { answers_pings: true }), {
    status: 200,
    body: { model: 'Beta', learned_at: null, traits: { answers_pings: true } },
  })
  t.match(await call('GET', `${path}/${beta.model_id}`, one.key), {
    status: 200,
    body: { traits: { answers_pings: true } },
  })
  t.equal((await call('PUT', correction, other.key, { answers_pings: true })).status, 404)
  t.equal((await call('GET', `${path}/${beta.model_id}`, other.key)).status, 404)
  const gamma = modelIdOf({ vendor: 'Maker', model: 'Gamma', firmware_version: '' })
  t.equal((await call('GET', `${path}/${gamma}`, one.key)).status, 404, 'nobody vouches for it')
  t.equal((await call('DELETE', correction, one.key)).status, 204)
})
