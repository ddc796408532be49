// The search: what is found by which text, and by whom.

import { test } from 'tap'
import { alertsTable } from '../../src/records/alert.js'
import { commandsTable } from '../../src/records/command.js'
import { idTagsTable } from '../../src/records/id-tag.js'
import { type Session, sessionsTable } from '../../src/records/session.js'
import { createTestApi, type TestApi } from './fixture.js'

const at = '2026-11-20T09:30:00.000Z'

async function found(api: TestApi, text: string, key = api.operator.key): Promise<readonly string[]> {
  const { status, body } = await api.call('GET', `/api/v1/search?q=${encodeURIComponent(text)}`, undefined, { key })
  if (status !== 200) throw new Error(`the search was answered ${status}`)
  return body.data.map(({ type, id }: { readonly type: string; readonly id: string }) => `${type} ${id}`)
}

async function addSession(
  api: TestApi,
  organizationId: string,
  fields: Pick<Session, 'transaction_id' | 'id_tag'>,
): Promise<string> {
  const session: Session = {
    session_id: api.newId('ses'),
    organization_id: organizationId,
    charge_point_id: 'CP-1',
    connector_id: 1,
    authorization: 'Accepted',
    status: 'completed',
    started_at: at,
    ended_at: at,
    received_at: at,
    meter_start: 0,
    flags: [],
    start_key: api.newId('key'),
    ...fields,
  }
  await api.put(sessionsTable, session)
  return session.session_id
}

test('search - a charge point is found by the beginning of its id, in any case, and by its serial number', async (t) => {
  const api = await createTestApi()
  await api.register('AMP-10421-02', { name: 'Dammtor', serial_number: 'SN-77-1' })
  await api.register('AMP-10421-03')
  await api.register('OTHER-1')
  t.same(await found(api, 'AMP-10421'), ['charge_point AMP-10421-02', 'charge_point AMP-10421-03'])
  t.same(await found(api, ' amp-10421-02 '), ['charge_point AMP-10421-02'])
  t.same(await found(api, 'sn-77-1'), ['charge_point AMP-10421-02'])
  t.same(await found(api, '10421'), [])
  t.same(await found(api, '   '), [])
  const { body } = await api.call('GET', '/api/v1/search?q=AMP-10421-02')
  t.match(body.data, [{ type: 'charge_point', name: 'Dammtor', charge_point_id: 'AMP-10421-02', at: null }])
})

test('search - a session is found by its id, its transaction and its id tag; a tag by its beginning', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const session = await addSession(api, organizationId, { transaction_id: 1526726657, id_tag: 'c4e5f6' })
  const tag = {
    organization_id: organizationId,
    version: 1,
    status: 'Accepted',
    created_at: at,
    updated_at: at,
  } as const
  await api.put(idTagsTable, { ...tag, id_tag: 'FLEET-7', label: 'Pool car' })
  t.same(await found(api, session), [`session ${session}`])
  t.same(await found(api, session.slice(0, -3)), [`session ${session}`])
  t.same(await found(api, '1526726657'), [`session ${session}`])
  t.same(await found(api, 'C4E5F6'), [`session ${session}`])
  t.same(await found(api, 'fleet'), ['id_tag FLEET-7'])
})

test('search - a command and an alert are found by their ids', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const command = api.newId('cmd')
  await api.put(commandsTable, {
    command_id: command,
    organization_id: organizationId,
    charge_point_id: 'CP-1',
    command: 'reset',
    status: 'Accepted',
    parameters: {},
    charge_point_response: {},
    executed_at: at,
    executed_by: 'api_key:key_1',
    response_time_ms: 4,
  })
  const alert = api.newId('alr')
  await api.put(alertsTable, {
    alert_id: alert,
    organization_id: organizationId,
    kind: 'charge_point_offline',
    subject: 'CP-1',
    status: 'open',
    severity: 'warning',
    charge_point_id: 'CP-1',
    message: 'CP-1 is offline.',
    triggered_at: at,
  })
  t.same(await found(api, command), [`command ${command}`])
  t.same(await found(api, alert), [`alert ${alert}`])
  t.same(await found(api, 'cmd_'), [`command ${command}`])
})

test('search - nobody finds what is of another organization, or what they may not read', async (t) => {
  const api = await createTestApi()
  await api.register('AMP-1', { serial_number: 'SN-1' })
  const session = await addSession(api, api.operator.organizationId, { transaction_id: 77, id_tag: 'TAG-1' })
  const other = await api.addOrganization()
  for (const text of ['AMP-1', 'amp-1', 'sn-1', session, '77', 'TAG-1', 'ses_', 'AMP'])
    t.same(await found(api, text, other.key), [], text)
  const ofSessions = await api.addKey(api.operator.organizationId, ['read:sessions'])
  t.same(await found(api, 'AMP-1', ofSessions), [])
  t.same(await found(api, '77', ofSessions), [`session ${session}`])
  const ofChargePoints = await api.addKey(api.operator.organizationId, ['write:charge_points'])
  t.same(await found(api, 'AMP-1', ofChargePoints), ['charge_point AMP-1'])
  t.same(await found(api, '77', ofChargePoints), [])
  const ofNeither = await api.addKey(api.operator.organizationId, ['read:billing'])
  t.equal((await api.call('GET', '/api/v1/search?q=77', undefined, { key: ofNeither })).status, 403)
})

test('search - an answer has a bound, however much begins alike', async (t) => {
  const api = await createTestApi()
  for (let count = 0; count < 12; count++) await api.register(`A-${count}`)
  const hits = await found(api, 'A-')
  t.equal(hits.length, 8)
  t.equal((await api.call('GET', '/api/v1/search')).status, 400)
  t.equal((await api.call('GET', `/api/v1/search?q=${'x'.repeat(65)}`)).status, 400)
})
