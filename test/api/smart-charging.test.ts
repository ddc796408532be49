// The smart-charging configuration of a site: what is taken and can be sent again, what is refused, and what is taken with a warning.

import * as fc from 'fast-check'
import { test } from 'tap'
import { createTestApi, type TestApi } from './fixture.js'

const carPark = { name: 'Quayside', address: 'Quay 1', max_grid_power_kw: 50, latitude: 52.37, longitude: 4.9 }

async function siteOf(service: TestApi, members: readonly string[] = []) {
  const { site_id } = (await service.call('POST', '/api/v1/sites', carPark)).body
  const link = (id: string) => service.call('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
  for (const id of members) {
    await service.register(id)
    await link(id)
  }
  const path = `/api/v1/smart-charging/sites/${site_id}`
  return {
    link,
    summary: async () => (await service.call('GET', `/api/v1/sites/${site_id}/summary`)).body,
    allocation: async () => (await service.call('GET', `${path}/allocation`)).body,
    get: () => service.call('GET', `${path}/config`),
    put: (body: object) => service.call('PUT', `${path}/config`, body),
    simulate: (configuration: object) => service.call('POST', `${path}/simulate`, { configuration }),
  }
}

const budget = { max_power_kw: 40, strategy: 'equal' }
const warned = (answer: { readonly body: { readonly warnings: readonly { readonly code: string }[] } }) =>
  answer.body.warnings.map(({ code }) => code)

const time = fc.constantFrom('00:00', '06:30', '17:00', '23:59')
const kilowatts = fc.constantFrom(0, 4.2, 11, 50)
const entry = fc.record(
  {
    days: fc.constantFrom(['mon'], ['sat', 'sun'], null),
    start_time: time,
    end_time: time,
    max_power_kw: kilowatts,
  },
  { requiredKeys: ['start_time', 'end_time', 'max_power_kw'] },
)
const configuration = fc.record(
  {
    max_power_kw: kilowatts,
    strategy: fc.constantFrom('equal', 'priority', 'scheduled'),
    min_power_kw: fc.constantFrom(0, 1.4, 60),
    max_current_per_phase_a: fc.constantFrom(0, 6, 80, null),
    priority_order: fc.constant(['R-2', 'R-1']),
    schedule: fc.array(entry, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['max_power_kw', 'strategy', 'priority_order', 'schedule'] },
)

test('smart charging - a configuration that was read can be sent back and simulated as it is', async (t) => {
  const service = await createTestApi()
  const { get, put, simulate } = await siteOf(service, ['R-1', 'R-2'])
  await fc.assert(
    fc.asyncProperty(configuration, async (given) => {
      t.match(await put(given), { status: 200 })
      const { updated_at, ...read } = (await get()).body
      t.match(await put({ ...read, updated_at }), { status: 200 })
      const { updated_at: _, ...again } = (await get()).body
      t.strictSame(again, read)
      t.match(await simulate(read), { status: 200 })
    }),
    { numRuns: 30 },
  )
  const { body: read } = await get()
  await service.call('DELETE', '/api/v1/chargepoints/R-2')
  const sent = await put({ ...read, strategy: 'priority' })
  t.equal(sent.status, 200, 'also when a charge point of its order was deleted meanwhile')
  t.ok(warned(sent).includes('not_in_site'))
})

test('smart charging - a configuration that cannot work is refused with its path, also in a simulation', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  await service.register('THEIRS', {}, other.key)
  const { get, put, simulate } = await siteOf(service, ['F-1'])
  const wrong: readonly (readonly [object, string])[] = [
    [{ strategy: 'priority' }, '/priority_order'],
    [{ strategy: 'scheduled' }, '/schedule'],
    [{ strategy: 'scheduled', schedule: [] }, '/schedule'],
    [{ max_current_per_phase_a: 5.9 }, '/max_current_per_phase_a'],
    [{ priority_order: ['F-1', 'F-l'] }, '/priority_order/1'],
    [{ priority_order: ['THEIRS'] }, '/priority_order/0'],
  ]
  for (const [fields, path] of wrong)
    for (const send of [put, simulate])
      t.match(
        await send({ ...budget, ...fields }),
        { status: 400, body: { error: { code: 'validation_error', details: [{ path }] } } },
        JSON.stringify(fields),
      )
  t.equal((await get()).status, 404)
})

test('smart charging - what cannot work yet is taken with a warning', async (t) => {
  const service = await createTestApi()
  const { link, put } = await siteOf(service, ['W-1'])
  const connection = service.connect('W-1')
  await service.settled()
  t.same(warned(await put(budget)), [])
  const entry = { start_time: '17:00', end_time: '21:00', max_power_kw: 30 }
  t.same(warned(await put({ ...budget, schedule: [entry] })), ['schedule_not_used'])
  t.same(warned(await put({ ...budget, max_power_kw: 1 })), ['nobody_can_charge'])
  t.same(warned(await put({ ...budget, min_power_kw: 41 })), [], 'a car has all that its connector gives')
  t.same(warned(await put({ ...budget, max_power_kw: 20, min_power_kw: 41 })), ['nobody_can_charge'])
  t.same(warned(await put({ ...budget, max_current_per_phase_a: 0 })), ['nobody_can_charge'])
  t.match((await put({ ...budget, max_power_kw: 4 })).body.warnings, [
    {
      code: 'nobody_can_charge',
      message: 'No car can charge: the highest budget is 4 kW and a car is charged with 4.14 kW at least.',
    },
  ])
  t.same(warned(await put({ ...budget, max_power_kw: 4.14 })), [], 'which is 6 A on three phases')
  t.same(warned(await put({ ...budget, min_power_kw: 10, max_current_per_phase_a: 10 })), ['nobody_can_charge'])
  const scheduled = { ...budget, max_power_kw: 1, strategy: 'scheduled', schedule: [entry] }
  t.same(warned(await put(scheduled)), [], 'in the evening, cars can charge')

  await service.register('W-2')
  t.match(await put({ ...budget, priority_order: ['W-2'] }), {
    status: 200,
    body: { warnings: [{ code: 'not_in_site', charge_point_id: 'W-2' }] },
  })
  const never = [{ code: 'never_connected', charge_point_id: 'W-2', message: /all that it can draw/ }]
  const nobody = [{ code: 'nobody_can_charge', message: /44 kW of it are set aside/ }]
  t.match(await link('W-2'), { status: 200, body: { warnings: [...never, ...nobody] } })
  t.match((await put(budget)).body.warnings, [...nobody, ...never])
  service.disconnect(connection)
  await service.settled()
  t.same(
    (await put(budget)).body.warnings.map((one: { charge_point_id: string }) => one.charge_point_id),
    [null, 'W-2'],
    'one that is offline has been connected',
  )
})

test('smart charging - summary and allocation know the same draw, also where only currents are metered, and none is negative', async (t) => {
  const service = await createTestApi()
  const { put, summary, allocation } = await siteOf(service, ['D-1'])
  await put(budget)
  const connection = service.connect('D-1')
  await service.settled()
  const timestamp = new Date(service.now()).toISOString()
  const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp }
  service.tellFrom(connection, 'StartTransaction', start)
  await service.settled()
  const [session] = (await service.call('GET', '/api/v1/sessions?charge_point_id=D-1')).body.sessions
  const meter = async (sampledValue: readonly object[]): Promise<readonly number[]> => {
    const meterValue = [{ timestamp, sampledValue }]
    service.tellFrom(connection, 'MeterValues', { connectorId: 1, transactionId: session.transaction_id, meterValue })
    await service.settled()
    const { drawn_kw, chargers } = await allocation()
    t.ok(chargers[0].demand_kw >= 0)
    return [(await summary()).current_draw_kw, drawn_kw, chargers[0].drawn_kw]
  }
  const currents = ['L1', 'L2', 'L3'].map((phase) => ({ value: '10', measurand: 'Current.Import', unit: 'A', phase }))
  t.same(await meter(currents), [6.9, 6.9, 6.9])
  const power = (value: string) => [{ value, measurand: 'Power.Active.Import', unit: 'W' }]
  t.same(await meter(power('7400')), [7.4, 7.4, 7.4])
  t.same(await meter(power('-500000')), [0, 0, 0])
})
