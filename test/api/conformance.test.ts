// What the reports of conformance say, of one charge point and of all of a model.

import fc from 'fast-check'
import { test } from 'tap'
import { limits } from '../../src/api/areas/conformance/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { answerFieldNames, fieldNamesOf, messages } from '../../src/ocpp16/index.js'
import { type Conformance, conformanceTable } from '../../src/records/conformance.js'
import { roleScopes } from '../../src/records/member.js'
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
  // What came since it was noted first is noted a minute later, and written within half a minute.
  await service.pass(60_000)
  await service.pass(30_000)
  const { body } = await service.call('GET', path)
  t.match(body, {
    charge_point_id: 'CP-1',
    ...model,
    counted_since: String,
    messages: 4,
    deviating_messages: 4,
    violations: 4,
    other_violations: 0,
    deviations: [
      {
        rule: 'unknown-field',
        count: 3,
        action: 'Authorize',
        path: '/surplus',
        outcome: 'repaired',
        standard: { section: 'OCPP 1.6, 6.1 (Authorize.req)', expects: 'no field of this name' },
        example: { message_id: String, received: true, frame: /Authorize/ },
        peers: { same_model: 3, deviating: 3 },
      },
      {
        rule: 'unknown-action',
        action: 'MakeCoffee',
        path: null,
        outcome: 'refused',
        standard: { section: 'OCPP-J 1.6, 4.2.1', expects: null },
        peers: { same_model: 3, deviating: 3 },
      },
    ],
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
  const fleet = async (query: string, key = service.operator.key) =>
    (await service.call('GET', `/api/v1/cpo/conformance${query}`, undefined, { key })).body
  t.match(await fleet('?deviations=1'), {
    total: 3,
    data: [
      {
        ...model,
        charge_points: 2,
        deviating: 2,
        violations: 8,
        more_deviations: true,
        deviations: [
          {
            rule: 'unknown-field',
            action: 'Authorize',
            path: '/surplus',
            count: 6,
            charge_points: 2,
            standard: { section: /6\.1/ },
            example: { charge_point_id: 'CP-1', received: true },
          },
        ],
      },
      { model: 'Alpha', firmware_version: '1.0.1', charge_points: 1, deviating: 1, violations: 4 },
      { model: 'Beta', firmware_version: '1.0' },
    ],
  })
  t.match(await fleet('?group_by=model'), {
    total: 2,
    data: [
      {
        model: 'Alpha',
        firmware_version: null,
        charge_points: 3,
        deviating: 3,
        violations: 12,
        more_deviations: false,
        deviations: [
          { rule: 'unknown-field', count: 9, charge_points: 3 },
          { rule: 'unknown-action', count: 3, charge_points: 3 },
        ],
      },
      { model: 'Beta', charge_points: 1 },
    ],
  })
  t.match(await fleet('?vendor=Maker&model=Alpha&firmware_version=1.0.1'), {
    total: 1,
    data: [{ firmware_version: '1.0.1' }],
  })
  t.match(await fleet('?vendor=Mak'), { total: 0, data: [] })
  t.match(await fleet('?group_by=model&firmware_version=1.0'), { error: { code: 'validation_error' } })
  t.notMatch(JSON.stringify([body, await fleet('?deviations=100')]), 'HIDDEN')
  const other = await service.addOrganization()
  t.match(await fleet('', other.key), { total: 0, data: [] })
  t.equal((await service.call('GET', path, undefined, { key: other.key })).status, 404)
  t.match((await service.call('GET', '/api/v1/conformance', undefined, { key: other.key })).body, {
    total: 0,
    data: [],
  })
})

test('conformance - of a charge point that breaks no rule, its messages are counted', async (t) => {
  const service = await createTestApi()
  await service.register('CP-GOOD')
  const connection = service.connect('CP-GOOD')
  const boot = { chargePointVendor: 'Maker', chargePointModel: 'Alpha', firmwareVersion: '1.0' }
  service.tellFrom(connection, 'BootNotification', boot)
  for (let at = 0; at < 3; at++) {
    service.tellFrom(connection, 'Heartbeat', {})
    await service.settled()
    await service.pass(60_000)
  }
  const { body } = await service.call('GET', '/api/v1/chargepoints/CP-GOOD/conformance')
  t.ok(body.messages >= 3, `${body.messages} messages`)
  t.match(body, { deviating_messages: 0, violations: 0, deviations: [], counted_since: null })
  t.match((await service.call('GET', '/api/v1/cpo/conformance')).body, { total: 0, data: [] })
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

/** What a charge point may send that is broken or means harm: `planted` stands in it wherever a text, a name or a long number can. */
function hostileFrames(planted: fc.Arbitrary<string>): fc.Arbitrary<readonly unknown[]> {
  const actions = [...messages.keys()]
  const names = [...new Set([...answerFieldNames, ...actions.flatMap((action) => [...fieldNamesOf(action)])])]
  const number = fc.integer({ min: 100_000_000, max: 999_999_999 })
  const { value, object } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      planted,
      number,
      fc.boolean(),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(fc.oneof(planted, fc.constantFrom(...names)), tie('value'), { maxKeys: 5 }),
  }))
  const action = fc.oneof(planted, fc.constantFrom(...actions))
  return fc.oneof(
    fc.tuple(fc.constant(2), planted, action, fc.oneof(object, value)),
    fc.tuple(fc.constant(2), planted, fc.constantFrom('Authorize', 'Heartbeat', 'StatusNotification'), object),
    fc.tuple(fc.constant(3), planted, value),
    fc.tuple(fc.constant(4), planted, planted, planted, value),
    fc.tuple(value, value, value),
  )
}

test('conformance - who may not read messages is shown none of the texts of a frame, whatever a charge point sends', async (t) => {
  const api = await createTestApi()
  const viewer = await api.addKey(api.operator.organizationId, roleScopes.viewer)
  const planted = fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 8, maxLength: 14 })
    .map((text) => `ZQ${text.toUpperCase()}`)
  const sent: string[] = []
  let points = 0
  await fc.assert(
    fc.asyncProperty(fc.array(hostileFrames(planted), { minLength: 1, maxLength: 12 }), async (frames) => {
      const id = `CP-${++points}`
      await api.register(id)
      const connection = api.connect(id)
      for (const frame of frames) api.send(connection, frame)
      await api.settled()
      await api.pass(60_000)
      await api.pass(30_000)
      sent.push(...frames.map((frame) => JSON.stringify(frame)))
      const path = `/api/v1/chargepoints/${id}/conformance`
      const seen = await api.call('GET', path, undefined, { key: viewer })
      const fleet = await api.call('GET', '/api/v1/cpo/conformance?deviations=100', undefined, { key: viewer })
      const shown = JSON.stringify([
        seen.body.rules,
        seen.body.deviations,
        fleet.body.data.map(({ deviations }: { deviations: object }) => deviations),
      ])
      if (seen.status !== 200 || fleet.status !== 200) throw new Error(shown)
      const found = /ZQ[0-9A-F]{4,}|[1-9]\d{8}(?!\d)/.exec(shown)
      if (found !== null) throw new Error(`${found[0]} is in ${shown}`)
      for (const { example } of seen.body.deviations)
        if (example.frame !== null || example.received !== null || example.message_id !== null)
          throw new Error('it has an example')
      await api.call('DELETE', `/api/v1/chargepoints/${id}`)
    }),
    { numRuns: 40 },
  )
  t.ok(sent.some((frame) => frame.includes('ZQ')))
})

test('conformance - what has no name is told apart by numbers, and members are shown what was sent', async (t) => {
  const api = await createTestApi()
  await api.register('CP-1')
  const viewer = await api.addKey(api.operator.organizationId, roleScopes.viewer)
  const connection = api.connect('CP-1')
  api.tellFrom(connection, 'Authorize', { idTag: 'TAG', '04AABBCCDD': 1, '04AABBCCDE': 1 })
  api.tellFrom(connection, '04AABBCCDF', {})
  api.tellFrom(connection, 'MeterValues', {
    connectorId: 1,
    meterValue: [{ timestamp: '2026-01-02T00:00:00Z', sampledValue: [{ value: '1,5' }] }],
  })
  await api.settled()
  await api.pass(60_000)
  await api.pass(30_000)
  const path = '/api/v1/chargepoints/CP-1/conformance'
  const read = async (key: string) => {
    const { body } = await api.call('GET', path, undefined, { key })
    return body.deviations.map(({ action, path }: { action: string; path: string }) => `${action} ${path}`).sort()
  }
  t.same(await read(viewer), [
    '(action 1) null',
    'Authorize /(name 1)',
    'Authorize /(name 2)',
    'MeterValues /meterValue/*/sampledValue/*/value',
  ])
  t.same(await read(api.operator.key), [
    '04AABBCCDF null',
    'Authorize /04AABBCCDD',
    'Authorize /04AABBCCDE',
    'MeterValues /meterValue/*/sampledValue/*/value',
  ])
  t.match((await api.call('GET', path)).body.deviations.at(-1), { example: { message_id: String, frame: String } })
})

test('conformance - models are counted up to a bound, and listed beyond it', async (t) => {
  const service = await createTestApi()
  const count = limits.modelsCounted + 30
  const rows = Array.from(
    { length: count },
    (_, at): Conformance => ({
      charge_point_id: `CP-${at}`,
      organization_id: service.operator.organizationId,
      vendor: 'Maker',
      model: 'M',
      firmware_version: `build ${String(at).padStart(5, '0')}`,
      since: 0,
      rules: { 'wrong-type': { count: 1, first_at: 0, last_at: 0, frame: '[]' } },
    }),
  )
  for (let at = 0; at < count; at += 500)
    await service.services.commit(rows.slice(at, at + 500).map((one) => putRow(conformanceTable, one)))
  const page = async (number: number, filter = '') => {
    const { body } = await service.call(
      'GET',
      `/api/v1/cpo/conformance?page=${number}&per_page=20&deviations=0${filter}`,
    )
    return [body.total, body.data.length, body.data[0]?.firmware_version]
  }
  const pages = limits.modelsCounted / 20
  t.same(await page(1), [limits.modelsCounted + 1, 20, 'build 00000'])
  t.same(await page(pages + 1), [limits.modelsCounted + 21, 20, `build 0${limits.modelsCounted}`])
  t.same(await page(pages + 2), [count, 10, `build 0${limits.modelsCounted + 20}`])
  t.same(await page(1, '&group_by=model'), [1, 1, null])
})
