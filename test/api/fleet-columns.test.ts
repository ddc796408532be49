// The fleet in columns over a store in memory: the snapshot, what its stream tells, and who may ask.

import { gunzipSync } from 'node:zlib'
import { type Test, test } from 'tap'
import { limits } from '../../src/api/areas/fleet/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { chargePointRegistered } from '../../src/events/charge-point.js'
import { domainEvent } from '../../src/events/define-event.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { eventChange } from '../../src/runtime/actor/outbox.js'
import { registeredRow } from '../support/registration.js'
import { until } from '../support/until.js'
import { as, signInWith } from './console.js'
import { createTestApi, type TestApi } from './fixture.js'

const path = '/api/v1/cpo/fleet'

interface Columns {
  readonly [name: string]: readonly unknown[]
}

/** The rows of an answer, by id, with what dictionaries say in the place of their indexes. */
function rowsOf({ columns, dictionaries }: { columns: Columns; dictionaries: Record<string, readonly unknown[]> }) {
  const plural = {
    site: 'sites',
    address: 'addresses',
    model: 'models',
    firmware: 'firmwares',
    error_code: 'error_codes',
  } as const
  const ids = columns.charge_point_id as readonly string[]
  return new Map(
    ids.map((id, at) => [
      id,
      Object.fromEntries(
        Object.entries(columns).map(([name, values]) => {
          const dictionary = dictionaries[plural[name as keyof typeof plural]]
          const value = values[at]
          return [name, dictionary === undefined || value === null ? value : dictionary[value as number]]
        }),
      ),
    ]),
  )
}

async function snapshot(service: TestApi, query = '', key = service.operator.key) {
  const { status, body } = await service.call('GET', `${path}/snapshot${query}`, undefined, { key })
  if (status !== 200) throw new Error(`the snapshot was answered ${status}`)
  return body
}

/** A reader of the stream, which asks when it was woken. */
async function follow(t: Test, service: TestApi, query: string, key = service.operator.key) {
  const { status, stream } = await service.call('GET', `${path}/stream${query}`, undefined, { key })
  t.equal(status, 200)
  let isWoken = true
  let isOver = false
  let text = ''
  const reader = stream?.open(() => {
    isWoken = true
  })
  t.teardown(() => reader?.close())
  function read(): void {
    while (isWoken && !isOver) {
      isWoken = false
      const part = reader?.read()
      if (part === null) isOver = true
      else if (part !== undefined) {
        text += Buffer.from(part).toString()
        isWoken = true
      }
    }
  }
  // A socket asks at once, before the first tick.
  read()
  t.notMatch(text, /data: ?\n/, 'no message is without data')
  return {
    /** What comes within one tick of the front. */
    async tick() {
      await service.settled()
      service.fleets.tick()
      await service.settled()
      read()
    },
    /** What comes without one. */
    async wait() {
      await service.settled()
      read()
    },
    messages: (name: string) =>
      [...text.matchAll(/event: (\S+)\ndata: (.*)\n\n/g)]
        .filter(([, event]) => event === name)
        .map(([, , data]) => JSON.parse(data as string)),
    isOver: () => isOver,
    text: () => text,
    close: () => reader?.close(),
  }
}

test('fleet - the snapshot has all charge points of the organization as they are now', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  for (const id of ['B-2', 'A-1']) await service.register(id)
  await service.register('C-3', { address: 'Quay 1' })
  await service.register('Z-9', {}, other.key)
  const connection = service.connect('A-1')
  await service.settled()
  service.tellFrom(connection, 'StatusNotification', { connectorId: 1, errorCode: 'GroundFailure', status: 'Faulted' })
  service.tellFrom(connection, 'StatusNotification', { connectorId: 2, errorCode: 'NoError', status: 'Charging' })
  const site = (
    await service.call('POST', '/api/v1/sites', {
      name: 'Harbour',
      address: 'Quay 1',
      max_grid_power_kw: 100,
      latitude: 52,
      longitude: 4,
    })
  ).body.site_id
  for (const id of ['B-2', 'C-3']) await service.call('POST', `/api/v1/sites/${site}/chargers/${id}/link`)
  await service.settled()
  const body = await snapshot(service)
  t.same(body.columns.charge_point_id, ['A-1', 'B-2', 'C-3'], 'in the order of their ids, and none of others')
  t.match(body, { total: 3, next: null, as_of: String, cursor: /^evt_/ })
  const rows = rowsOf(body)
  t.match(rows.get('A-1'), {
    name: 'Charger A-1',
    latitude: 52.37,
    status: 3,
    connectors: 'XC',
    error_code: 'GroundFailure',
    model: { vendor: 'Example', model: 'One' },
    max_power_watts: 22_000,
    site: null,
    flags: 8,
  })
  t.match(rows.get('B-2'), {
    status: 0,
    connectors: 'OO',
    status_since: null,
    site: { name: 'Harbour', address: 'Quay 1' },
    address: 'Example street 1',
  })
  t.equal(rows.get('C-3')?.address, null, 'its address is that of its site')
  const theirs = await snapshot(service, '', other.key)
  t.same(theirs.columns.charge_point_id, ['Z-9'])
})

test('fleet - pages of the snapshot have each charge point once', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 7; at++) await service.register(`CP-${at}`)
  const ids: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const page = await snapshot(service, `?limit=3${next === '' ? '' : `&after=${next}`}`)
    t.equal(page.total, 7)
    ids.push(...page.columns.charge_point_id)
    next = page.next
  }
  t.same(
    ids,
    Array.from({ length: 7 }, (_, at) => `CP-${at}`),
  )
  const beyond = await snapshot(service, '?after=CP-6')
  t.match(beyond, { next: null, columns: { charge_point_id: [] } })
})

test('fleet - the snapshot comes compressed to who takes it so', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const response = await service.api.handle({
    method: 'GET',
    path: `${path}/snapshot`,
    query: '',
    headers: { authorization: `Bearer ${service.operator.key}`, 'accept-encoding': 'gzip, br' },
    body: undefined,
    remoteAddress: '127.0.0.1',
  })
  t.match(response.headers, { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
  const { columns } = JSON.parse(gunzipSync(response.body as Uint8Array).toString())
  t.same(columns.charge_point_id, ['CP-1'])
})

test('fleet - a stream from the cursor of a snapshot tells what has changed since, and what is gone', async (t) => {
  const service = await createTestApi()
  for (const id of ['A', 'B', 'C']) await service.register(id)
  const { cursor } = await snapshot(service)
  const connection = service.connect('A')
  await service.settled()
  const stream = await follow(t, service, `?cursor=${cursor}`)
  await stream.tick()
  const [first] = stream.messages('rows')
  t.same(first.columns.charge_point_id, ['A'], 'only what has changed')
  t.equal(first.columns.status[0], 1)
  t.match(stream.messages('totals'), [{ total: 3, online: 1 }])

  service.tellFrom(connection, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' })
  await service.register('D')
  await service.call('PATCH', '/api/v1/chargepoints/B', { name: 'Renamed' })
  await service.call('DELETE', '/api/v1/chargepoints/C')
  await stream.tick()
  const last = stream.messages('rows').at(-1)
  t.same([...last.columns.charge_point_id].sort(), ['A', 'B', 'D'])
  t.same(last.removed, ['C'])
  t.equal(last.total, 3)
  t.equal(rowsOf(last).get('B')?.name, 'Renamed')
  t.equal(rowsOf(last).get('A')?.connectors, 'CO')

  const count = stream.messages('rows').length
  await stream.tick()
  t.equal(stream.messages('rows').length, count, 'nothing, where nothing has happened')
  const resumed = await follow(t, service, `?cursor=${cursor}`)
  await resumed.tick()
  t.same(
    [...resumed.messages('rows')[0].columns.charge_point_id].sort(),
    ['A', 'B', 'D'],
    'who comes again is told all',
  )
})

test('fleet - what a snapshot and its stream tell is what a later snapshot has', async (t) => {
  const service = await createTestApi()
  const ids = Array.from({ length: 30 }, (_, at) => `CP-${at}`)
  for (const id of ids.slice(0, 20)) await service.register(id)
  const begin = await snapshot(service)
  const stream = await follow(t, service, `?cursor=${begin.cursor}`)
  const connections = new Map<string, number>()
  for (let round = 0; round < 60; round++) {
    const id = ids[(round * 7) % ids.length] as string
    const open = connections.get(id)
    if (service.store.view().get(chargePointsTable, [id]) === undefined) await service.register(id)
    else if (open === undefined) connections.set(id, service.connect(id))
    else if (round % 3 === 0) {
      service.disconnect(open)
      connections.delete(id)
      if (round % 2 === 0) await service.call('DELETE', `/api/v1/chargepoints/${id}`)
    } else service.tellFrom(open, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' })
    if (round % 5 === 0) await stream.tick()
  }
  await service.settled()
  await stream.tick()
  const kept = rowsOf(begin)
  for (const message of stream.messages('rows')) {
    for (const id of message.removed) kept.delete(id)
    for (const [id, row] of rowsOf(message)) kept.set(id, row)
  }
  const end = rowsOf(await snapshot(service))
  t.same([...kept.keys()].sort(), [...end.keys()].sort())
  for (const [id, row] of end) t.same({ ...kept.get(id), last_seen_at: 0 }, { ...row, last_seen_at: 0 }, id)
})

test('fleet - a message of many charge points is made in steps, and wakes all streams that are there', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  await service.register('FIRST')
  const { cursor } = await snapshot(service)
  const streams = [await follow(t, service, `?cursor=${cursor}`), await follow(t, service, `?cursor=${cursor}`)]
  const at = new Date(service.now()).toISOString()
  const ids = Array.from({ length: 2 * limits.rowsAtOnce }, (_, at) => `CP-${at}`)
  await service.commit(
    ...ids.flatMap((id) => {
      const about = { organizationId, subject: id }
      const event = domainEvent(chargePointRegistered, about, { charge_point_id: id, name: id, registered_at: at })
      const row = registeredRow(id, { organization_id: organizationId })
      return [putRow(chargePointsTable, row), eventChange(event, service.now())]
    }),
  )
  await streams[0]?.tick()
  for (const stream of streams) {
    await until(async () => {
      await stream.wait()
      return stream.messages('rows').length > 0
    })
    const told = stream.messages('rows').flatMap(({ columns }) => columns.charge_point_id)
    t.same([...new Set(told)].sort(), [...ids].sort())
    t.same(stream.messages('reload'), [])
  }
})

test('fleet - a stream that has more before it than it may wait for is told to read the snapshot again', async (t) => {
  const service = await createTestApi()
  await service.register('A')
  await snapshot(service)
  const stream = await follow(t, service, '?cursor=evt_00000000000000000000000001')
  await stream.tick()
  t.equal(stream.messages('reload').length, 1, 'nobody knows what has changed since then')
  await service.register('B')
  await stream.tick()
  t.same(stream.messages('rows').at(-1).columns.charge_point_id, ['B'], 'it goes on')
})

test('fleet - when more changes than can be followed, only totals are told until it is calm, and then the order to read again', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  await service.register('FIRST')
  const { cursor } = await snapshot(service)
  const stream = await follow(t, service, `?cursor=${cursor}`)
  await stream.tick()
  const before = stream.messages('rows').length
  const at = new Date(service.now()).toISOString()
  const many = Array.from({ length: limits.rowsFollowed + 1 }, (_, at) => `CP-${at}`)
  for (let from = 0; from < many.length; from += 500)
    await service.commit(
      ...many.slice(from, from + 500).flatMap((id) => {
        const about = { organizationId, subject: id }
        const event = domainEvent(chargePointRegistered, about, { charge_point_id: id, name: id, registered_at: at })
        const row = registeredRow(id, { organization_id: organizationId })
        return [putRow(chargePointsTable, row), eventChange(event, service.now())]
      }),
    )
  for (let ticks = 0; ticks < 3; ticks++) await stream.tick()
  const told = stream
    .messages('rows')
    .slice(before)
    .flatMap(({ columns }) => columns.charge_point_id)
  t.ok(told.length <= limits.sweptPerSecond, 'no rows but those that are read again in turn')
  await service.pass(2_000)
  await stream.tick()
  t.equal(stream.messages('totals').at(-1).total, many.length + 1, 'the totals are told')
  await until(async () => {
    await stream.tick()
    return stream.messages('reload').length > 0
  })
  t.equal((await snapshot(service)).total, many.length + 1)
  await service.call('DELETE', '/api/v1/chargepoints/FIRST')
  await stream.tick()
  t.same(stream.messages('rows').at(-1).removed, ['FIRST'], 'it is followed again')
})

test('fleet - the power of watched charge points is told although no event speaks of it', async (t) => {
  const service = await createTestApi()
  await service.register('A')
  const connection = service.connect('A')
  await service.settled()
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 0, timestamp })
  await service.settled()
  const { cursor } = await snapshot(service)
  const stream = await follow(t, service, `?cursor=${cursor}&watch=A`)
  await stream.tick()
  const transactionId = (await service.call('GET', '/api/v1/sessions')).body.sessions[0].transaction_id
  const sampledValue = [{ value: '7400', measurand: 'Power.Active.Import', unit: 'W' }]
  service.tellFrom(connection, 'MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp, sampledValue }],
  })
  await service.settled()
  for (let ticks = 0; ticks < limits.watchMs / limits.tickMs; ticks++) await stream.tick()
  t.equal(rowsOf(stream.messages('rows').at(-1)).get('A')?.power_watts, 7_400)
})

test('fleet - a stream ends with its key, and streams have a bound', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  const key = await service.addKey(organizationId, ['read:charge_points'])
  const stream = await follow(t, service, '', key)
  await stream.tick()
  const own = await service.call('GET', '/api/v1/org/api-keys')
  const shown = own.body.data.find(({ scopes }: { scopes: string[] }) => scopes.join() === 'read:charge_points')
  await service.call('DELETE', `/api/v1/org/api-keys/${shown.id}`)
  await stream.tick()
  t.ok(stream.isOver())
  stream.close()
  const streams = []
  for (let count = 0; count < 50; count++) streams.push(await follow(t, service, ''))
  const refused = await service.call('GET', `${path}/stream`)
  t.same([refused.status, refused.body.error.code], [429, 'too_many_streams'])
  const cookie = await signInWith(service, { api_key: service.operator.key })
  t.equal(
    (await as(service, cookie, 'GET', `${path}/stream`)).status,
    429,
    'a session of the key has no room of its own',
  )
  streams[0]?.close()
  t.equal((await service.call('GET', `${path}/stream`)).status, 200)
})

test('fleet - a key needs the scope of charge points', async (t) => {
  const service = await createTestApi()
  const key = await service.addKey(service.operator.organizationId, ['read:sessions'])
  for (const route of ['snapshot', 'stream', 'attention']) {
    const { status, body } = await service.call('GET', `${path}/${route}`, undefined, { key })
    t.same([status, body.required_scope], [403, 'read:charge_points'])
  }
})

test('fleet - faults of one firmware are told as one cause', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 12; at++) await service.register(`CP-${at}`)
  for (let at = 0; at < 12; at++) {
    const connection = service.connect(`CP-${at}`)
    await service.settled()
    const chargePointModel = at < 4 ? 'V22' : 'A11'
    service.tellFrom(connection, 'BootNotification', {
      chargePointVendor: 'Voltaris',
      chargePointModel,
      firmwareVersion: '1.19',
    })
    if (at < 3 || at === 11)
      service.tellFrom(connection, 'StatusNotification', {
        connectorId: 1,
        errorCode: at === 11 ? 'HighTemperature' : 'GroundFailure',
        status: 'Faulted',
      })
  }
  await service.settled()
  const attention = () => service.call('GET', `${path}/attention`)
  const { causes } = (await attention()).body
  const [wave, single] = causes.filter(({ kind }: { kind: string }) => kind === 'faults')
  t.match(wave, {
    charge_points: 3,
    share_of_group: 0.75,
    shared: { vendor: 'Voltaris', model: 'V22', firmware: '1.19', error_code: 'GroundFailure' },
    filter: 'error:GroundFailure model:V22 fw:1.19',
    examples: ['CP-0', 'CP-1', 'CP-2'],
  })
  t.match(single, { charge_points: 1, shared: { error_code: 'HighTemperature' }, share_of_group: null })
  const again = await attention()
  t.same(again.body.as_of, (await attention()).body.as_of, 'worked out once for a while')
  await service.pass(limits.attentionMs)
  t.not((await attention()).body.as_of, again.body.as_of)
})

test('fleet - a change of a charge point is an event, and nothing else is', async (t) => {
  const service = await createTestApi()
  const events = async () => {
    const { data } = (
      await service.call(
        'GET',
        '/api/v1/events?types=charge_point.registered,charge_point.changed,charge_point.removed',
      )
    ).body
    return data.map(({ event, subject, data }: { event: string; subject: string; data: { changed?: string[] } }) => [
      event,
      subject,
      data.changed,
    ])
  }
  await service.register('A')
  await service.call('PATCH', '/api/v1/chargepoints/A', { name: 'Charger A' })
  t.same(await events(), [['charge_point.registered', 'A', undefined]], 'nothing has changed')
  await service.call('PATCH', '/api/v1/chargepoints/A', { name: 'Another', max_power_kw: 11 })
  const connection = service.connect('A')
  await service.settled()
  service.tellFrom(connection, 'BootNotification', { chargePointVendor: 'Example', chargePointModel: 'One' })
  await service.settled()
  service.tellFrom(connection, 'BootNotification', {
    chargePointVendor: 'Example',
    chargePointModel: 'One',
    firmwareVersion: '2',
  })
  await service.settled()
  service.disconnect(connection)
  await service.call('DELETE', '/api/v1/chargepoints/A')
  t.same(await events(), [
    ['charge_point.registered', 'A', undefined],
    ['charge_point.changed', 'A', ['name', 'max_power_kw']],
    ['charge_point.changed', 'A', ['firmware_version']],
    ['charge_point.removed', 'A', undefined],
  ])
  await until(async () => (await events()).length === 4)
})
