// Operator commands over real sockets: the queue, its bounds, timeouts, late answers, the history.

import { test } from 'tap'
import { bootChargePoint, command, historyOf } from '../support/charge-point.js'
import { makeOrganization, tenantOf } from '../support/organization.js'
import type { Answer } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await tenantOf(await sharedService())

const codeOf = (answer: Answer): string | undefined => answer.body.error?.code

test('commands - an offline charge point fails at once, and the attempt is in the history', async (t) => {
  await service.register('CM-OFFLINE')
  const answer = await command(service, 'CM-OFFLINE', 'unlock_connector', { connector_id: 1 })
  t.match(answer, { status: 422, body: { error: { code: 'charge_point_offline', charge_point_id: 'CM-OFFLINE' } } })
  t.match(await historyOf(service, 'CM-OFFLINE'), [
    {
      command_id: answer.body.error.command_id,
      command: 'unlock_connector',
      status: 'Error',
      error: 'charge_point_offline',
      parameters: { connector_id: 1 },
      charge_point_response: null,
      response_time_ms: null,
      executed_by: /^api_key:/,
    },
  ])
})

test('commands - the answer of the charge point decides: Accepted, Rejected, CALLERROR', async (t) => {
  const client = await bootChargePoint(service, 'CM-ANSWERS')
  const accepted = command(service, 'CM-ANSWERS', 'set_unavailable', { connector_id: 0 })
  await client.answerNext({ status: 'Scheduled' })
  t.match(await accepted, { status: 200, body: { status: 'Accepted', charge_point_response: { status: 'Scheduled' } } })
  const rejected = command(service, 'CM-ANSWERS', 'set_unavailable', { connector_id: 0 })
  await client.answerNext({ status: 'Rejected' })
  t.match(await rejected, { status: 422, body: { error: { code: 'ocpp_rejected' } } })
  const refused = command(service, 'CM-ANSWERS', 'soft_reset')
  const [, messageId] = await client.nextFrame()
  client.raw(JSON.stringify([4, messageId, 'InternalError', 'no', {}]))
  t.match(await refused, { status: 502, body: { error: { code: 'ocpp_error', command_id: messageId } } })
  const history = await historyOf(service, 'CM-ANSWERS')
  t.same(
    history.map(({ status }) => status),
    ['Error', 'Rejected', 'Accepted'],
  )
})

test('commands - a late answer is kept beside the Timeout and does not change it', async (t) => {
  const client = await bootChargePoint(service, 'CM-LATE')
  const late = command(service, 'CM-LATE', 'soft_reset', {}, 1)
  const [, messageId] = await client.nextFrame()
  t.match(await late, { status: 408, body: { error: { code: 'timeout', command_id: messageId } } })
  const next = command(service, 'CM-LATE', 'hard_reset')
  const [, nextId] = await client.nextFrame()
  client.raw(JSON.stringify([3, messageId, { status: 'Accepted' }]))
  client.raw(JSON.stringify([3, nextId, { status: 'Rejected' }]))
  t.equal((await next).status, 422, 'the next call has its own answer')
  const record = await until(async () => {
    const [, older] = await historyOf(service, 'CM-LATE')
    return older.late_response === null ? undefined : older
  })
  t.match(record, {
    status: 'Timeout',
    error: 'timeout',
    late_response: { status: 'Accepted' },
    charge_point_response: null,
  })
})

test('commands - the timeout counts from the request: one that waited too long is never sent', async (t) => {
  const client = await bootChargePoint(service, 'CM-WAITING')
  const first = command(service, 'CM-WAITING', 'unlock_connector', { connector_id: 1 }, 30)
  const [, firstId] = await client.nextFrame()
  const before = Date.now()
  const waited = await command(service, 'CM-WAITING', 'hard_reset', {}, 1)
  t.equal(waited.status, 408)
  t.ok(Date.now() - before >= 950, 'not before its time')
  client.raw(JSON.stringify([3, firstId, { status: 'Unlocked' }]))
  t.equal((await first).status, 200)
  const third = command(service, 'CM-WAITING', 'unlock_connector', { connector_id: 2 })
  t.match(await client.answerNext({ status: 'Unlocked' }), [2, String, 'UnlockConnector', { connectorId: 2 }])
  t.equal((await third).status, 200)
})

test('commands - those that wait for an answer are listed until they have one, with what they have in common', async (t) => {
  const waiting = async (query = ''): Promise<Answer> =>
    service.request('GET', `/api/v1/cpo/commands/history/waiting${query}`)
  const [one, other] = await Promise.all([
    bootChargePoint(service, 'CM-LISTED-1'),
    bootChargePoint(service, 'CM-LISTED-2'),
  ])
  const single = command(service, 'CM-LISTED-1', 'set_available', { connector_id: 1 }, 30)
  const [, singleId] = await one.nextFrame()
  const many = service.request('POST', '/api/v1/cpo/commands/bulk', {
    charge_point_ids: ['CM-LISTED-2', 'CM-NOBODY'],
    command: 'set_unavailable',
    parameters: { connector_id: 0 },
    timeout_seconds: 30,
  })
  const [, partId] = await other.nextFrame()
  const { body } = await waiting()
  t.match(body, {
    count: 2,
    commands: [
      { command_id: partId, bulk_command_id: /^bulk_/, parameters: { connector_id: 0 }, executed_by: /^api_key:/ },
      { command_id: singleId, command: 'set_available', bulk_command_id: null, parameters: { connector_id: 1 } },
    ],
  })
  t.match((await waiting('?charge_point_id=CM-LISTED-1')).body, { count: 1, commands: [{ command_id: singleId }] })
  t.match((await waiting('?charge_point_id=CM-LISTED-3')).body, { count: 0, commands: [] })
  const stranger = await makeOrganization(await sharedService())
  t.match((await stranger.request('GET', '/api/v1/cpo/commands/history/waiting')).body, { count: 0, commands: [] })
  const answer = (id: unknown) => JSON.stringify([3, id, { status: 'Accepted' }])
  one.raw(answer(singleId))
  t.equal((await single).status, 200)
  other.raw(answer(partId))
  t.match((await many).body, { succeeded: 1, failed: 1 })
  t.match((await waiting()).body, { count: 0, commands: [] })
})

test('commands - ten a second for one charge point, then 429; another is not concerned', async (t) => {
  const client = await bootChargePoint(service, 'CM-FAST')
  const other = await bootChargePoint(service, 'CM-CALM')
  const startedAt = performance.now()
  const sent = Array.from({ length: 30 }, () => command(service, 'CM-FAST', 'soft_reset'))
  let answering = true
  void (async () => {
    while (answering) await client.answerNext({ status: 'Accepted' })
  })()
  const answers = await Promise.all(sent)
  answering = false
  // Ten, where all of them came within one second: as they do, but on a machine that does much else.
  const seconds = 1 + Math.floor((performance.now() - startedAt) / 1_000)
  const accepted = answers.filter(({ status }) => status === 200).length
  t.ok(accepted >= 10 && accepted <= 10 * seconds, `${accepted} in ${seconds} s`)
  const refused = answers.filter(({ status }) => status === 429)
  t.equal(accepted + refused.length, answers.length)
  t.ok(refused.every((answer) => codeOf(answer) === 'rate_limited' && answer.headers.get('retry-after') !== null))

  const calm = command(service, 'CM-CALM', 'soft_reset')
  await other.answerNext({ status: 'Accepted' })
  t.equal((await calm).status, 200)
})

test('commands - thirty-two wait in line and go out in order, one at a time; the next is refused', async (t) => {
  const client = await bootChargePoint(service, 'CM-QUEUE')
  // One is outstanding, 32 wait, and one is too many: whichever it is, it must not be the rate that refuses it.
  const patiently = (): Promise<Answer> =>
    until(async () => {
      const answer = await command(service, 'CM-QUEUE', 'soft_reset', {}, 60)
      return !/per second/.test(answer.body.error?.message ?? '') && answer
    })
  const refused: Answer[] = []
  const sent = Array.from({ length: 34 }, async () => {
    const answer = await patiently()
    if (answer.status === 429) refused.push(answer)
    return answer
  })
  t.match(await until(() => refused[0]), {
    body: { error: { code: 'rate_limited', message: /already waiting for this charge point/ } },
  })

  const order: string[] = []
  for (let taken = 0; taken < 33; taken++) order.push(String((await client.answerNext({ status: 'Accepted' }))[1]))
  const answers = await Promise.all(sent)
  t.equal(answers.filter(({ status }) => status === 200).length, 33)
  t.equal(refused.length, 1)
  t.same(order, [...order].sort(), 'in the order of their ids, which is that of the requests')
})

test('commands - only one call is outstanding at a time', async (t) => {
  const client = await bootChargePoint(service, 'CM-SINGLE')
  const first = command(service, 'CM-SINGLE', 'unlock_connector', { connector_id: 1 })
  const frame = await client.nextFrame()
  const second = command(service, 'CM-SINGLE', 'unlock_connector', { connector_id: 2 })
  let early = true
  const next = client.nextFrame().then((found) => {
    t.notOk(early, 'not before the first is answered')
    return found
  })
  // The service has taken the second command by then: both came over the same listener.
  await service.request('GET', '/api/v1/chargepoints/CM-SINGLE')
  t.match(await client.call('Heartbeat', {}), { error: undefined })
  early = false
  client.raw(JSON.stringify([3, frame[1], { status: 'Unlocked' }]))
  client.raw(JSON.stringify([3, (await next)[1], { status: 'Unlocked' }]))
  t.same([(await first).status, (await second).status], [200, 200])
})
