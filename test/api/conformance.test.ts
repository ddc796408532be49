// What the reports of conformance say, of one charge point and of all of a model.

import { test } from 'tap'
import { limits } from '../../src/api/areas/conformance/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { type Conformance, conformanceTable } from '../../src/records/conformance.js'
import { createTestApi } from './fixture.js'

test('conformance - what charge points break is reported for each, and summed up by model and firmware', async (t) => {
  const service = await createTestApi()
  const models = [
    ['CP-1', 'Alpha', '1.0'],
    ['CP-2', 'Alpha', '1.0'],
    ['CP-3', 'Alpha', '1.0.1'],
    ['CP-4', 'Beta', '1.0'],
  ] as const
  for (const [id, chargePointModel, firmwareVersion] of models) {
    await service.register(id)
    const connection = service.connect(id)
    service.tellFrom(connection, 'BootNotification', { chargePointVendor: 'Maker', chargePointModel, firmwareVersion })
    for (let at = 0; at < 3; at++) service.tellFrom(connection, 'Authorize', { idTag: 'HIDDEN', surplus: true })
    service.tellFrom(connection, 'MakeCoffee', {})
    await service.settled()
  }
  const path = '/api/v1/chargepoints/CP-1/conformance'
  const model = { vendor: 'Maker', model: 'Alpha', firmware_version: '1.0' }
  t.match((await service.call('GET', path)).body, { ...model, counted_since: null, violations: 0, rules: [] })
  await service.pass(60_000)
  const { body } = await service.call('GET', path)
  t.match(body, {
    charge_point_id: 'CP-1',
    ...model,
    counted_since: String,
    violations: 4,
    rules: [
      { rule: 'unknown-field', meaning: String, count: 3, sample: { frame: /Authorize/, path: '/surplus' } },
      { rule: 'unknown-action', count: 1, first_at: String, sample: { frame: /MakeCoffee/, path: null } },
    ],
  })
  t.notMatch(JSON.stringify(body), 'HIDDEN')
  const list = await service.call('GET', '/api/v1/conformance')
  t.match(list.body, {
    total: 3,
    data: [
      {
        vendor: 'Maker',
        model: 'Alpha',
        firmware_version: '1.0',
        charge_points: 2,
        example_charge_point_id: 'CP-1',
        violations: 8,
        rules: [
          { rule: 'unknown-field', count: 6 },
          { rule: 'unknown-action', count: 2 },
        ],
      },
      { model: 'Alpha', firmware_version: '1.0.1', charge_points: 1, violations: 4 },
      { model: 'Beta', firmware_version: '1.0' },
    ],
  })
  t.match((await service.call('GET', '/api/v1/conformance?page=2&per_page=2')).body, {
    total: 3,
    data: [{ model: 'Beta' }],
  })
  const other = await service.addOrganization()
  t.equal((await service.call('GET', path, undefined, { key: other.key })).status, 404)
  t.match((await service.call('GET', '/api/v1/conformance', undefined, { key: other.key })).body, {
    total: 0,
    data: [],
  })
})

test('conformance - a list passes from model to model, however many charge points each has', async (t) => {
  const service = await createTestApi()
  const row = (at: number, model: string): Conformance => ({
    charge_point_id: `CP-${model}-${at}`,
    organization_id: service.operator.organizationId,
    vendor: 'Maker',
    model,
    firmware_version: '',
    since: 0,
    rules: { 'wrong-type': { count: 2, first_at: 0, last_at: 0, frame: '[]' } },
  })
  const models = Array.from({ length: limits.modelsPerStep + 1 }, (_, at) => `M${String(at).padStart(4, '0')}`)
  const rows = models.flatMap((model) => [row(1, model), row(2, model), row(3, model)])
  await service.services.commit(rows.map((one) => putRow(conformanceTable, one)))
  const { body } = await service.call('GET', '/api/v1/conformance?page=3&per_page=100')
  t.match(body, {
    total: models.length,
    data: [{ model: 'M0200', firmware_version: null, charge_points: 3, violations: 6 }],
  })
})
