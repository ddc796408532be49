// What happened around a session, put together from everything that is stored of it.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { alertsTable } from '../../src/records/alert.js'
import { type AuditEntry, auditTable } from '../../src/records/audit-entry.js'
import { commandsTable } from '../../src/records/command.js'
import { type Message, messagesTable } from '../../src/records/message.js'
import { addToRollUp, emptyRollUp, powerRollUpsTable, rollUpStart, rollUps } from '../../src/records/power-roll-up.js'
import { type Session, sessionsTable } from '../../src/records/session.js'
import { eventChange } from '../../src/runtime/actor/outbox.js'
import { makeId } from '../../src/runtime/ids.js'
import { billedSession } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

const minute = 60_000

interface Entry {
  readonly at: string
  readonly source: string
  readonly name: string
  readonly title: string
  readonly detail: string | null
  readonly reference: string | null
}

/** A session of an hour that ended five minutes ago. */
async function session(
  api: TestApi,
  statuses: Session['statuses'] = [],
): Promise<{ session: Session; startedAt: number }> {
  const { organizationId } = api.operator
  const endedAt = api.now() - 5 * minute
  const billed = billedSession({ organizationId, endedAt: new Date(endedAt).toISOString() })
  const stored: Session = { ...billed.session, statuses, stop_reason: 'EVDisconnected' }
  await api.commit(...billed.changes, putRow(sessionsTable, stored))
  return { session: stored, startedAt: endedAt - 60 * minute }
}

function command(api: TestApi, at: number, parameters: Record<string, unknown>, name = 'unlock_connector') {
  return putRow(commandsTable, {
    command_id: makeId('cmd', at, Math.random),
    organization_id: api.operator.organizationId,
    charge_point_id: 'CP-1',
    command: name,
    status: 'Accepted' as const,
    parameters,
    charge_point_response: {},
    executed_at: new Date(at).toISOString(),
    executed_by: 'api_key:key_1',
    response_time_ms: 120,
  })
}

const storyOf = async (api: TestApi, id: string) => {
  const { status, body } = await api.call('GET', `/api/v1/sessions/${id}/story`)
  if (status !== 200) throw new Error(`the story was answered ${status}`)
  return body as { entries: Entry[]; entries_left_out: number; events_complete: boolean }
}

test('story - statuses, commands, limits, alerts, events and the bill in the order of time, each with its source', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const at = api.now() - 65 * minute
  const { session: own, startedAt } = await session(api, [
    { at: at + 1_000, status: 'Charging' },
    { at: at + 40 * minute, status: 'SuspendedEV' },
  ])
  const [rollUp] = rollUps
  const rows = new Map<number, ReturnType<typeof emptyRollUp>>()
  for (let index = 0; index < 60; index++) {
    const time = startedAt + index * minute
    const starts = rollUpStart(rollUp, time)
    const about = { organization_id: organizationId, subject_id: 'CP-1', site_id: 'site_1' }
    const row = rows.get(starts) ?? emptyRollUp(rollUp, about, starts)
    rows.set(starts, row)
    const allocatedWatts = index < 30 ? 22_000 : 11_000
    const reason = index < 30 ? 'demand' : 'share'
    addToRollUp(row, time, { budgetWatts: 50_000, allocatedWatts, drawnWatts: 9_000, active: 1, reason }, minute)
  }
  await api.commit(
    command(api, startedAt + 5 * minute, { connector_id: 1 }),
    command(api, startedAt + 6 * minute, { connector_id: 2 }),
    command(api, startedAt + 7 * minute, { transaction_id: 999_999 }, 'remote_stop_transaction'),
    command(api, startedAt - 60 * minute, { connector_id: 1 }),
    ...[...rows.values()].map((row) => putRow(powerRollUpsTable, row)),
    putRow(alertsTable, {
      alert_id: makeId('alr', startedAt + 8 * minute, Math.random),
      organization_id: organizationId,
      kind: 'connector_faulted',
      subject: 'CP-1/1',
      status: 'resolved',
      severity: 'warning',
      charge_point_id: 'CP-1',
      connector_id: 1,
      message: 'The connector has a fault.',
      triggered_at: new Date(startedAt + 8 * minute).toISOString(),
      resolved_at: new Date(startedAt + 9 * minute).toISOString(),
      resolution: 'It is over.',
    } as Parameters<typeof putRow<Parameters<typeof alertsTable.key>[0]>>[1]),
  )
  const event = (name: string, data: Record<string, unknown>, after: number) =>
    eventChange({ event: name, organizationId, subject: 'CP-1', data }, startedAt + after)
  const status = (name: string, after: number, connector_id = 1) =>
    event(
      'charge_point.status_changed',
      { charge_point_id: 'CP-1', connector_id, status: name, timestamp: new Date(startedAt + after).toISOString() },
      after,
    )
  await api.commit(
    status('Preparing', -minute),
    // The session has it already.
    status('Charging', 1_000),
    status('Charging', 2_000, 2),
    event('charge_point.disconnected', { charge_point_id: 'CP-1', code: 1006, reason: '' }, 20 * minute),
    event('charge_point.disconnected', { charge_point_id: 'CP-2', code: 1006, reason: '' }, 20 * minute),
  )
  const { entries, entries_left_out, events_complete } = await storyOf(api, own.session_id)
  t.same([entries_left_out, events_complete], [0, true])
  t.same(
    entries.map(({ source, name }) => `${source} ${name}`),
    [
      'event charge_point.status_changed',
      'session StartTransaction',
      'limit site',
      'status Charging',
      'command unlock_connector',
      'alert connector_faulted',
      'alert connector_faulted',
      'event charge_point.disconnected',
      'limit site',
      'status SuspendedEV',
      'session StopTransaction',
      'billing priced',
    ],
  )
  t.same(
    entries.map(({ at }) => at),
    entries.map(({ at }) => at).sort(),
  )
  t.same(
    entries.filter(({ source }) => source === 'limit').map(({ detail }) => detail),
    ['It had what its cars could take.', 'The power of the site was shared equally.'],
  )
  const found = (name: string) => entries.filter((entry) => entry.name === name)
  t.match(
    found('site').map(({ title }) => title),
    [/22\.0 kW/, /11\.0 kW/],
  )
  t.match(found('StopTransaction')[0], { detail: 'EVDisconnected, meter reading 10.000 kWh' })
  t.match(found('priced')[0], { title: 'The cost was calculated: 6.25 EUR' })
  t.match(found('unlock_connector')[0], { reference: /^cmd_/, detail: 'By api_key:key_1' })
})

test('story - what happened before the session before had ended, and after the next one had begun, is theirs', async (t) => {
  const api = await createTestApi()
  const { session: own, startedAt } = await session(api)
  const endedAt = startedAt + 60 * minute
  const beside = (id: string, change: Partial<Session>): Session => ({
    ...own,
    session_id: id,
    start_key: id,
    ...change,
  })
  const at = (ms: number) => new Date(ms).toISOString()
  await api.commit(
    putRow(
      sessionsTable,
      beside('ses_before', { started_at: at(startedAt - 30 * minute), ended_at: at(startedAt - 4 * minute) }),
    ),
    putRow(sessionsTable, beside('ses_after', { started_at: at(endedAt + 2 * minute) })),
    // At another connector, others charge whenever they like.
    putRow(
      sessionsTable,
      beside('ses_other', {
        connector_id: own.connector_id + 1,
        started_at: at(startedAt - 3 * minute),
        ended_at: at(startedAt - minute),
      }),
    ),
    ...[startedAt - 5 * minute, startedAt - 2 * minute, endedAt + minute, endedAt + 3 * minute].map((one) =>
      command(api, one, {}, `at_${Math.round((one - startedAt) / minute)}`),
    ),
    command(api, endedAt + 4 * minute, { transaction_id: own.transaction_id }, 'names_it'),
  )
  const { entries } = await storyOf(api, own.session_id)
  t.same(
    entries.filter(({ source }) => source === 'command').map(({ name }) => name),
    ['at_-2', 'at_61', 'names_it'],
  )
})

test('story - of more than 500 entries those of the middle are left out, and it says how many', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const at = api.now() - 64 * minute
  const statuses = Array.from({ length: 200 }, (_, index) => ({
    at: at + index * 1_000,
    status: index % 2 === 0 ? ('Charging' as const) : ('SuspendedEVSE' as const),
  }))
  const { session: own, startedAt } = await session(api, statuses)
  await api.commit(
    ...Array.from({ length: 250 }, (_, index) => command(api, startedAt + index * 2_000, { connector_id: 1 })),
    ...Array.from({ length: 250 }, (_, index) =>
      eventChange(
        {
          event: 'charge_point.connected',
          organizationId,
          subject: 'CP-1',
          data: { charge_point_id: 'CP-1', connected_at: new Date(startedAt + index * 3_000).toISOString() },
        },
        startedAt + index * 3_000,
      ),
    ),
  )
  const { entries, entries_left_out, events_complete } = await storyOf(api, own.session_id)
  t.equal(entries.length, 500)
  t.ok(entries_left_out > 50, `${entries_left_out}`)
  t.equal(events_complete, false, 'an answer has a bounded number of each source')
})

test('story - a dispute and its answer are in it, and nobody else sees it', async (t) => {
  const api = await createTestApi()
  await api.register('CP-1')
  const { session: own } = await session(api)
  const dispute = await api.call('POST', `/api/v1/portal/sessions/${own.session_id}/dispute`, { reason: 'too much' })
  const path = `/api/v1/billing/disputes/${dispute.body.dispute_id}`
  await api.call('PATCH', path, { status: 'accepted', amount: 4, note: 'You are right.' })
  const { entries } = await storyOf(api, own.session_id)
  t.match(
    entries.filter(({ source }) => source === 'dispute'),
    [
      { name: 'opened', detail: 'too much', reference: dispute.body.dispute_id },
      { name: 'accepted', detail: /^You are right\. \(.+\)$/ },
    ],
  )
  const story = `/api/v1/sessions/${own.session_id}/story`
  t.equal((await api.call('GET', story, undefined, await api.addOrganization())).status, 404)
})

test('story - messages that nothing else tells of are in it: of this connector, odd ones, and no command twice', async (t) => {
  const api = await createTestApi()
  const { session: own, startedAt } = await session(api)
  const given = command(api, startedAt + minute, { connector_id: 1 })
  await api.commit(given)
  const [row] = api.store.view().list(commandsTable, [])
  let sent = 0
  const message = (action: string, fields: Partial<Message> = {}) => {
    const at = startedAt + 2 * minute + 1_000 * sent++
    return putRow(messagesTable, {
      id: makeId('msg', at, Math.random),
      organization_id: api.operator.organizationId,
      charge_point_id: 'CP-1',
      at,
      kind: 'transaction',
      direction: 'in',
      action,
      answer_type: 'result',
      milliseconds: 12,
      ...fields,
    })
  }
  await api.commit(
    message('Authorize'),
    message('StartTransaction', { transaction_id: own.transaction_id }),
    message('StatusNotification', { kind: 'status', connector_id: 1, violations: [{ rule: 'broken-json' }] }),
    message('StatusNotification', { kind: 'status', connector_id: 2, violations: [{ rule: 'broken-json' }] }),
    message('DataTransfer', { kind: 'other', answer_type: 'error', error_code: 'NotSupported' }),
    message('SetChargingProfile', { kind: 'command', direction: 'out', connector_id: 1, answer_type: 'timeout' }),
    message('UnlockConnector', { kind: 'command', direction: 'out', message_id: row?.command_id ?? 'none' }),
    message('Heartbeat', { kind: 'heartbeat' }),
  )
  const { entries } = await storyOf(api, own.session_id)
  t.match(
    entries.filter(({ source }) => source === 'message'),
    [
      { title: 'The charge point sent Authorize', detail: 'Answered in 12 ms', reference: /^msg_/ },
      { name: 'StatusNotification', detail: 'Answered in 12 ms; deviates from the standard (1)' },
      { name: 'DataTransfer', detail: 'Answered with the error NotSupported' },
      { title: 'The charge point was sent SetChargingProfile', detail: 'Not answered in time' },
    ],
  )
  t.equal(entries.filter(({ source }) => source === 'message').length, 4)
})

test('story - who has closed the session is in it, however many others were closed since it began', async (t) => {
  const api = await createTestApi()
  const { session: own, startedAt } = await session(api)
  const entry = (at: number, session_id: string, status = 200): AuditEntry => ({
    id: makeId('aud', at, Math.random),
    organization_id: api.operator.organizationId,
    key_name: 'Desk',
    action: 'closeSession',
    method: 'POST',
    path: `/api/v1/sessions/${session_id}/close`,
    resources: { session_id },
    status,
  })
  const others = Array.from({ length: 300 }, (_, at) => entry(startedAt + 1_000 + at, `ses_${at}`))
  const tried = Array.from({ length: 300 }, (_, at) => entry(startedAt + 2_000 + at, own.session_id, 409))
  const closed = entry(startedAt + minute, own.session_id)
  await api.commit(...[...others, ...tried, closed].map((row) => putRow(auditTable, row)))
  const { entries } = await storyOf(api, own.session_id)
  t.match(
    entries.filter(({ source }) => source === 'audit'),
    [{ name: 'closeSession', detail: 'By Desk', reference: closed.id }],
  )
  t.equal(entries.filter(({ source }) => source === 'audit').length, 1)
})

test('story - what a charge point calls its own actions and errors is not shown in it', async (t) => {
  const api = await createTestApi()
  const { session: own, startedAt } = await session(api)
  const message: Message = {
    id: makeId('msg', startedAt + minute, Math.random),
    organization_id: api.operator.organizationId,
    charge_point_id: 'CP-1',
    at: startedAt + minute,
    kind: 'other',
    direction: 'in',
    action: '04AABBCCDD',
    answer_type: 'error',
    error_code: '04AABBCCDE',
  }
  await api.commit(putRow(messagesTable, message))
  const { entries } = await storyOf(api, own.session_id)
  t.match(
    entries.filter(({ source }) => source === 'message'),
    [{ title: 'The charge point sent a request that OCPP 1.6 does not have', detail: 'Answered with an error' }],
  )
  t.notMatch(JSON.stringify(entries), '04AABBCC')
})
