import { type Test, test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { type Session, sessionsTable } from '../../src/records/session.js'
import { makeId } from '../../src/runtime/ids.js'
import { runningSession } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

const dayMs = 24 * 3_600_000

interface Made extends Partial<Session> {
  /** How long ago, in days. */
  readonly started: number
  readonly received?: number
}

/** Puts a session into the store, and gives its id. */
async function add(api: TestApi, { started, received = started, ...fields }: Made): Promise<string> {
  const at = (days: number): string => new Date(api.now() - days * dayMs).toISOString()
  const session: Session = {
    ...runningSession({ organizationId: api.operator.organizationId, endedAt: at(started) }),
    session_id: makeId('ses', api.now() - received * dayMs, Math.random),
    started_at: at(started),
    received_at: at(received),
    status: 'completed',
    ...fields,
  }
  await api.commit(putRow(sessionsTable, session))
  return session.session_id
}

function listed(api: TestApi, t: Test, path = '/api/v1/sessions') {
  return async (query: string, expected: readonly string[], what: string): Promise<void> => {
    const { status, body } = await api.call('GET', `${path}?${query}`)
    t.equal(status, 200, what)
    t.same(
      body.data.map(({ session_id }: { session_id: string }) => session_id),
      expected,
      what,
    )
    t.equal(body.total, expected.length, what)
  }
}

const ago = (api: TestApi, days: number): string => new Date(api.now() - days * dayMs).toISOString()

for (const path of ['/api/v1/sessions', '/api/v1/portal/sessions']) {
  test(`sessions - ${path} goes by the start, however late a session was uploaded`, async (t) => {
    const api = await createTestApi()
    const late = await add(api, { started: 40, received: 0 })
    const yesterday = await add(api, { started: 1 })
    const longAgo = await add(api, { started: 50 })
    const lists = listed(api, t, path)
    await lists('', [yesterday, late, longAgo], 'newest start first')
    await lists(`from=${ago(api, 41)}&to=${ago(api, 39)}`, [late], 'on the day of its start')
    await lists(`from=${ago(api, 2)}`, [yesterday], 'not on the day of its arrival')
    await lists(`received_from=${ago(api, 0.5)}`, [late], 'by its arrival, when asked')
    await lists(`received_from=${ago(api, 60)}&received_to=${ago(api, 0.5)}`, [yesterday, longAgo], 'until an arrival')
    await lists(`received_from=${ago(api, 60)}&to=${ago(api, 20)}`, [late, longAgo], 'both, in the order of arrival')
    await lists(`received_from=${ago(api, 0.5)}&id_tag=ANOTHER`, [], 'with a filter')
  })
}

test('sessions - a start that is corrected later moves the session in the list', async (t) => {
  const api = await createTestApi()
  const first = await add(api, { started: 3 })
  const second = await add(api, { started: 2 })
  const row = api.store.view().get(sessionsTable, [first]) as Session
  await api.commit(putRow(sessionsTable, { ...row, started_at: ago(api, 1) }))
  const lists = listed(api, t)
  await lists('', [first, second], 'in its new place')
  await lists(`to=${ago(api, 2.5)}`, [], 'and not in its old one')
})

test('sessions - filters are each alone and all together', async (t) => {
  const api = await createTestApi()
  const base = { tariff_id: 'trf_1', site_id: 'site_1', flags: ['clock_suspect', 'reconciled'] }
  const all = await add(api, { started: 1, id_tag: 'Tag-A', charge_point_id: 'CP-1', ...base })
  const tag = await add(api, { started: 2, id_tag: 'TAG-B', charge_point_id: 'CP-1', ...base })
  const place = await add(api, { started: 3, id_tag: 'TAG-A', charge_point_id: 'CP-2', ...base, flags: [] })
  const { tariff_id: _, ...free } = base
  const open = await add(api, { started: 4, id_tag: 'TAG-A', charge_point_id: 'CP-1', ...free, status: 'active' })
  await api.commit(
    putRow(sessionsTable, { ...(api.store.view().get(sessionsTable, [open]) as Session), tariff_id: 'trf_2' }),
  )
  const lists = listed(api, t)
  await lists('id_tag=tag-a', [all, place, open], 'an id tag, in any case')
  await lists('tariff_id=trf_2', [open], 'a tariff')
  await lists('site_id=site_1', [all, tag, place, open], 'a site')
  await lists('flag=reconciled', [all, tag, open], 'a flag')
  const unknown = await api.call('GET', '/api/v1/sessions?flag=nope')
  t.equal(unknown.status, 400)
  t.match(JSON.stringify(unknown.body), 'energy_implausible', 'it says which flags there are')
  await lists('flag=clock_suspect&charge_point_id=CP-1&status=completed', [all, tag], 'three')
  const every = 'id_tag=TAG-A&tariff_id=trf_1&site_id=site_1&flag=reconciled&charge_point_id=CP-1&status=completed'
  await lists(every, [all], 'all')
  await lists(`${every}&to=${ago(api, 2)}`, [], 'all and a period')
  await lists(`received_from=${ago(api, 5)}&${every}`, [all], 'all, by arrival')
  await lists('id_tag=NOBODY', [], 'a tag that nobody has')
})

test('sessions - in the order of arrival, a filter gives the same whether the period or the filter is the shorter', async (t) => {
  const api = await createTestApi()
  const lists = listed(api, t)
  const first = await add(api, { started: 3, received: 9, charge_point_id: 'CP-1' })
  const second = await add(api, { started: 4, received: 8, charge_point_id: 'CP-1', id_tag: 'TAG-A' })
  for (const days of [7, 6, 5]) await add(api, { started: days, charge_point_id: 'CP-2' })
  const last = await add(api, { started: 2, charge_point_id: 'CP-1' })
  const long = `received_from=${ago(api, 20)}`
  await lists(`${long}&charge_point_id=CP-1`, [last, second, first], 'a long period')
  const page = await api.call('GET', `/api/v1/sessions?${long}&charge_point_id=CP-1&per_page=1&page=2`)
  t.match(page.body, { data: [{ session_id: second }], total: 3 }, 'a page of it')
  await lists(`${long}&charge_point_id=CP-1&id_tag=tag-a`, [second], 'with another filter')
  await lists(`${long}&charge_point_id=CP-1&from=${ago(api, 3.5)}`, [last, first], 'with a time of the start')
  await lists(`${long}&received_to=${ago(api, 8.5)}&charge_point_id=CP-1`, [first], 'until an arrival')
  await lists(`received_from=${ago(api, 4)}&charge_point_id=CP-1`, [last], 'a short period')
})

test('sessions - a driver pages through all of their own sessions in the portal', async (t) => {
  const api = await createTestApi()
  const own = []
  for (let day = 1; day <= 5; day++) {
    own.push(await add(api, { started: day, id_tag: 'MINE' }))
    await add(api, { started: day, id_tag: 'THEIRS' })
  }
  const met: string[] = []
  for (const page of [1, 2, 3, 4]) {
    const { body } = await api.call('GET', `/api/v1/portal/sessions?id_tag=MINE&limit=2&page=${page}`)
    t.match(body, { total: 5, page, per_page: 2 })
    for (const row of body.data) {
      t.equal(row.id_tag, 'MINE')
      met.push(row.session_id)
    }
  }
  t.same(met, own)
})
