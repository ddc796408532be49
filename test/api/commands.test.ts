import { test } from 'tap'
import { CallError, createTestApi } from './fixture.js'

const accepted = () => ({ status: 'Accepted' })

test('operator commands - an accepted command answers its record and stands in the history', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const sent: unknown[] = []
  service.connect('CP-1', (action, payload) => {
    sent.push([action, payload])
    return { status: 'Unlocked' }
  })
  await service.settled()
  const command = { command: 'unlock_connector', parameters: { connector_id: 2 } }
  const answer = await service.call('POST', '/api/v1/cpo/commands/CP-1', command)
  t.equal(answer.status, 200)
  t.match(answer.body, { charge_point_id: 'CP-1', command: 'unlock_connector', status: 'Accepted' })
  t.same(answer.body.charge_point_response, { status: 'Unlocked' })
  t.same(sent, [['UnlockConnector', { connectorId: 2 }]])
  const history = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  t.equal(history.body.total, 1)
  t.same(history.body.commands[0], answer.body)
  t.match(answer.body.executed_by, /^api_key:key_/)
  const { name } = (await service.call('GET', '/api/v1/console/me')).body.key
  t.equal(answer.body.executed_by_name, name)
})

test('operator commands - how a command ends decides the answer, and every attempt is recorded', async (t) => {
  const service = await createTestApi()
  const cases = [
    { id: 'rejects', script: () => ({ status: 'Rejected' }), http: 422, code: 'ocpp_rejected', status: 'Rejected' },
    { id: 'fails', script: () => new CallError('InternalError'), http: 502, code: 'ocpp_error', status: 'Error' },
    { id: 'scheduled', script: () => ({ status: 'Scheduled' }), http: 200, code: undefined, status: 'Accepted' },
    { id: 'oddcase', script: () => ({ status: 'ACCEPTED' }), http: 200, code: undefined, status: 'Accepted' },
  ]
  for (const { id, script, http, code, status } of cases) {
    await service.register(id)
    service.connect(id, script)
    await service.settled()
    const answer = await service.call('POST', `/api/v1/cpo/commands/${id}`, { command: 'soft_reset' })
    t.equal(answer.status, http, id)
    t.equal(answer.body.error?.code, code, id)
    const { body } = await service.call('GET', `/api/v1/cpo/commands/${id}/history`)
    t.equal(body.commands[0].status, status, id)
    if (code !== undefined) t.equal(answer.body.error.command_id, body.commands[0].command_id, id)
  }
})

test('operator commands - an offline charge point is 422 charge_point_offline, recorded as Error', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const answer = await service.call('POST', '/api/v1/cpo/commands/CP-1', { command: 'hard_reset' })
  t.equal(answer.status, 422)
  t.match(answer.body.error, { code: 'charge_point_offline', charge_point_id: 'CP-1', command_id: /^cmd_/ })
  const { body } = await service.call('GET', '/api/v1/cpo/commands/history?status=Error')
  t.match(body.commands, [{ status: 'Error', error: 'charge_point_offline', response_time_ms: null }])
})

test('operator commands - no answer in time is 408, and an answer after it is kept beside the status', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const calls: string[] = []
  const connection = service.connect('CP-1', (action) => {
    calls.push(action)
    return undefined
  })
  await service.settled()
  const pending = service.call('POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset', timeout_seconds: 3 })
  await service.settled()
  t.same(calls, ['Reset'])
  await service.pass(3_000)
  const answer = await pending
  t.equal(answer.status, 408)
  t.equal(answer.body.error.code, 'timeout')
  const commandId = answer.body.error.command_id
  service.answerLate(connection, commandId, { status: 'Accepted' })
  await service.settled()
  const { body } = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  t.match(body.commands, [{ command_id: commandId, status: 'Timeout', error: 'timeout' }])
  t.same(body.commands[0].late_response, { status: 'Accepted' })
})

test('operator commands - a socket lost in the middle is an Error', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  await service.settled()
  const pending = service.call('POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset' })
  await service.settled()
  service.disconnect(connection)
  const answer = await pending
  t.match(answer, { status: 422, body: { error: { code: 'charge_point_offline', command_id: /^cmd_/ } } })
  const { body } = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  t.match(body.commands, [{ status: 'Error', error: 'connection_lost' }])
})

test('operator commands - unknown commands, missing and wrong parameters are told apart', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const codeOf = async (body: unknown) => (await service.call('POST', '/api/v1/cpo/commands/CP-1', body)).body.error
  t.equal((await codeOf({ command: 'self_destruct' })).code, 'invalid_command')
  const missing = await codeOf({ command: 'start_session', parameters: { connector_id: 1 } })
  t.equal(missing.code, 'missing_parameters')
  t.same(missing.details, [{ path: '/parameters/id_tag', message: 'is required' }])
  t.equal((await codeOf({ command: 'start_session' })).code, 'missing_parameters')
  const wrong = await codeOf({ command: 'start_session', parameters: { connector_id: 'one', id_tag: 'A' } })
  t.equal(wrong.code, 'validation_error')
  t.equal(wrong.details[0].path, '/parameters/connector_id')
  const long = await codeOf({ command: 'start_session', parameters: { connector_id: 1, id_tag: 'A'.repeat(21) } })
  t.equal(long.code, 'validation_error')
  t.equal((await codeOf({ command: 'soft_reset', timeout_seconds: 61 })).code, 'validation_error')
  t.equal((await codeOf({})).code, 'validation_error')
  const list = { list_version: 0, local_authorization_list: [] }
  const places = (error: { details: { path: string }[] }) => error.details.map(({ path }) => path)
  t.same(places(await codeOf({ command: 'send_local_list', parameters: list })), ['/parameters/list_version'])
  const partly = { ...list, list_version: 1, update_type: 'Partly' }
  t.same(places(await codeOf({ command: 'send_local_list', parameters: partly })), ['/parameters/update_type'])
})

test('operator commands - a parameter that the command does not have is refused, at any depth', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const junk = 'x'.repeat(10_000)
  const refusalOf = async (path: string, body: unknown) => {
    const answer = await service.call('POST', `/api/v1/cpo/commands/${path}`, body)
    return [answer.status, answer.body.error.code, answer.body.error.details]
  }
  const refused = [400, 'validation_error', [{ path: '/parameters/junk', message: 'is not a parameter of soft_reset' }]]
  const reset = { command: 'soft_reset', parameters: { junk } }
  t.same(await refusalOf('CP-1', reset), refused)
  t.same(await refusalOf('bulk', { ...reset, charge_point_ids: ['CP-1', 'NOWHERE'] }), refused)
  const list = { list_version: 1, local_authorization_list: [{ id_tag: 'A', junk }] }
  t.match(await refusalOf('CP-1', { command: 'send_local_list', parameters: list }), [
    400,
    'validation_error',
    [{ path: '/parameters/local_authorization_list/0/junk' }],
  ])
  t.equal((await service.call('GET', '/api/v1/cpo/commands/history')).body.total, 0)
})

test('bulk commands - nothing is recorded of ids that are not the own; what the others share is recorded once, within a bound', async (t) => {
  const service = await createTestApi()
  for (const id of ['A', 'B']) await service.register(id)
  await service.settled()
  const local_authorization_list = Array.from({ length: 2_000 }, (_, at) => ({ id_tag: `TAG-${at}` }))
  const answer = await service.call('POST', '/api/v1/cpo/commands/bulk', {
    charge_point_ids: ['A', 'NOWHERE', 'B'],
    command: 'send_local_list',
    parameters: { list_version: 7, local_authorization_list },
  })
  t.match(answer.body, { total: 3, results: [{ error: 'charge_point_offline' }, { error: 'not_found' }, {}] })
  const { commands, total } = (await service.call('GET', '/api/v1/cpo/commands/history')).body
  t.equal(total, 2)
  for (const { parameters, bulk_command_id } of commands) {
    t.equal(bulk_command_id, answer.body.bulk_command_id)
    t.match(parameters, { list_version: 7, local_authorization_list: /^\(\d+ characters left out\)$/ })
  }
})

test('operator commands - the eleventh command within a second is 429 rate_limited', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  service.connect('CP-1', accepted)
  await service.settled()
  const send = () => service.call('POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset' })
  // Together, so that they are within a second on any machine.
  const answers = await Promise.all(Array.from({ length: 11 }, send))
  const [refused, ...others] = answers.filter(({ status }) => status !== 200)
  t.equal(others.length, 0)
  t.match(refused, { status: 429, body: { error: { code: 'rate_limited' } }, headers: { 'Retry-After': /^\d+$/ } })
  await service.pass(1_001)
  t.equal((await send()).status, 200)
})

test('bulk commands - results keep the order of the ids, each once, whatever became of them', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  for (const id of ['A', 'B', 'C']) await service.register(id)
  await service.register('FOREIGN', {}, other.key)
  service.connect('A', accepted)
  service.connect('B', () => ({ status: 'Rejected' }))
  await service.settled()
  const ids = ['C', 'B', 'FOREIGN', 'A', 'B', 'NOWHERE']
  const answer = await service.call('POST', '/api/v1/cpo/commands/bulk', {
    charge_point_ids: ids,
    command: 'soft_reset',
  })
  t.equal(answer.status, 207)
  t.match(answer.body, { total: 5, succeeded: 1, failed: 4, command: 'soft_reset', bulk_command_id: /^bulk_/ })
  const outcomes = answer.body.results.map((result: { charge_point_id: string; status: string; error?: string }) => [
    result.charge_point_id,
    result.status,
    result.error,
  ])
  t.same(outcomes, [
    ['C', 'Offline', 'charge_point_offline'],
    ['B', 'Rejected', undefined],
    ['FOREIGN', 'Error', 'not_found'],
    ['A', 'Accepted', undefined],
    ['NOWHERE', 'Error', 'not_found'],
  ])
})

test('bulk commands - without continue_on_failure the first failure is the last attempt', async (t) => {
  const service = await createTestApi()
  const sent: string[] = []
  for (const id of ['A', 'B', 'C']) {
    await service.register(id)
    service.connect(id, () => {
      sent.push(id)
      return { status: id === 'B' ? 'Rejected' : 'Accepted' }
    })
  }
  await service.settled()
  const answer = await service.call('POST', '/api/v1/cpo/commands/bulk', {
    charge_point_ids: ['A', 'B', 'C'],
    command: 'soft_reset',
    continue_on_failure: false,
  })
  t.same(sent, ['A', 'B'])
  t.match(answer.body.results, [
    { status: 'Accepted' },
    { status: 'Rejected' },
    { charge_point_id: 'C', status: 'Error', error: 'not_attempted' },
  ])
})

test('operator commands - ten seconds are waited unless the caller says otherwise', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  service.connect('CP-1')
  await service.settled()
  let ended = false
  const pending = service.call('POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset' }).then((answer) => {
    ended = true
    return answer
  })
  await service.settled()
  await service.pass(9_000)
  t.notOk(ended)
  await service.pass(1_000)
  t.match(await pending, { status: 408, body: { error: { command_id: /^cmd_/ } } })
})

test('operator commands - one for a connector that the charge point is known not to have is refused', async (t) => {
  const service = await createTestApi()
  await service.register('ONE', { connector_count: 1 })
  await service.register('TWO', { connector_count: 2 })
  const sent: unknown[] = []
  const connection = service.connect('ONE', (action, { connectorId }) => {
    sent.push([action, connectorId])
    return { status: 'Unlocked' }
  })
  service.connect('TWO', () => ({ status: 'Unlocked' }))
  await service.settled()
  const unlock = { command: 'unlock_connector', parameters: { connector_id: 2 } }
  const send = () => service.call('POST', '/api/v1/cpo/commands/ONE', unlock)
  t.match(await send(), { status: 400, body: { error: { details: [{ path: '/parameters/connector_id' }] } } })
  const { body } = await service.call('POST', '/api/v1/cpo/commands/bulk', {
    charge_point_ids: ['ONE', 'TWO'],
    ...unlock,
  })
  t.match(body.results, [
    { charge_point_id: 'ONE', status: 'Error', error: 'unknown_connector' },
    { charge_point_id: 'TWO', status: 'Accepted' },
  ])
  t.same(sent, [])
  service.tellFrom(connection, 'StatusNotification', { connectorId: 2, errorCode: 'NoError', status: 'Available' })
  await service.settled()
  t.equal((await send()).status, 200, 'it has named the connector')
  t.same(sent, [['UnlockConnector', 2]])
})

test('operator commands - a key that may start and stop sessions may send these two commands', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  service.connect('CP-1', accepted)
  await service.settled()
  const key = await service.addKey(service.operator.organizationId, ['write:sessions'])
  const send = (path: string, body: object) => service.call('POST', `/api/v1/cpo/commands/${path}`, body, { key })
  const start = { command: 'start_session', parameters: { connector_id: 1, id_tag: 'A' } }
  const stop = { command: 'stop_session', parameters: { transaction_id: 1 } }
  const bulk = { charge_point_ids: ['CP-1'] }
  for (const command of [start, stop]) {
    t.equal((await send('CP-1', command)).status, 200)
    t.equal((await send('bulk', { ...bulk, ...command })).body.succeeded, 1)
  }
  const forbidden = { status: 403, body: { error: 'forbidden', required_scope: 'write:charge_points' } }
  t.match(await send('CP-1', { command: 'soft_reset' }), forbidden)
  t.match(await send('bulk', { ...bulk, command: 'soft_reset' }), forbidden)
})

test('bulk commands - more than 100 targets are 400 too_many_targets', async (t) => {
  const service = await createTestApi()
  const charge_point_ids = Array.from({ length: 101 }, (_, at) => `CP-${at}`)
  const { status, body } = await service.call('POST', '/api/v1/cpo/commands/bulk', {
    charge_point_ids,
    command: 'soft_reset',
  })
  t.equal(status, 400)
  t.equal(body.error.code, 'too_many_targets')
})

test('command history - filters, times and pages', async (t) => {
  const service = await createTestApi()
  for (const id of ['A', 'B']) {
    await service.register(id)
    service.connect(id, (action) => ({ status: action === 'Reset' ? 'Rejected' : 'Accepted' }))
  }
  await service.settled()
  const send = (id: string, command: string) =>
    service.call('POST', `/api/v1/cpo/commands/${id}`, {
      command,
      ...(command === 'set_available' && { parameters: { connector_id: 1 } }),
    })
  for (const id of ['A', 'B', 'A']) await send(id, 'set_available')
  await service.pass(60_000)
  const later = new Date(service.now() - 30_000).toISOString()
  await send('A', 'soft_reset')
  const list = async (query: string) => (await service.call('GET', `/api/v1/cpo/commands/history?${query}`)).body
  t.equal((await list('')).total, 4)
  t.equal((await list('charge_point_id=A')).total, 3)
  t.equal((await list('command=set_available')).total, 3)
  t.equal((await list('status=Rejected')).total, 1)
  t.equal((await list('charge_point_id=A&command=set_available')).total, 2)
  t.equal((await list(`to=${later}`)).total, 3)
  t.equal((await list(`from=${later}`)).total, 1)
  t.equal((await list(`from=${later}&charge_point_id=B`)).total, 0)
  const page = await list('charge_point_id=A&command=set_available&page=2&per_page=1')
  t.match(page, { total: 2, page: 2, per_page: 1 })
  t.equal(page.commands.length, 1)
  t.same((await list('page=9')).commands, [])
  t.equal((await list('page=9')).total, 4)
  const newest = await list('per_page=1')
  t.equal(newest.commands[0].command, 'soft_reset')
  for (const bad of ['page=0', 'per_page=201', 'from=yesterday', 'status=Fine'])
    t.equal((await service.call('GET', `/api/v1/cpo/commands/history?${bad}`)).status, 400, bad)
})
