// Bulk commands over real sockets: the order of the results, and what continue_on_failure means.

import { test } from 'tap'
import { bootChargePoint, command } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import type { Answer } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'

const service = await tenantOf(await sharedService())

const bulk = (ids: readonly string[], fields: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
  service.request('POST', '/api/v1/cpo/commands/bulk', { charge_point_ids: ids, command: 'soft_reset', ...fields })

test('bulk commands - results come in the order of the ids, each once, whoever answers first', async (t) => {
  const clients = [await bootChargePoint(service, 'BO-A'), await bootChargePoint(service, 'BO-B')]
  await service.register('BO-OFF')
  const sent = bulk(['BO-B', 'BO-OFF', 'BO-NOBODY', 'BO-A', 'BO-B'])
  // The later one answers first.
  await clients[0]?.answerNext({ status: 'Rejected' })
  await clients[1]?.answerNext({ status: 'Accepted' })
  const { status, body } = await sent
  t.equal(status, 207)
  t.match(body, { command: 'soft_reset', total: 4, succeeded: 1, failed: 3, bulk_command_id: /^bulk_/ })
  t.match(body.results, [
    { charge_point_id: 'BO-B', status: 'Accepted', response_time_ms: Number },
    { charge_point_id: 'BO-OFF', status: 'Offline', response_time_ms: null },
    { charge_point_id: 'BO-NOBODY', status: 'Error', error: 'not_found' },
    { charge_point_id: 'BO-A', status: 'Rejected' },
  ])
  t.equal(body.results.length, 4)
  const history = await service.request('GET', '/api/v1/cpo/commands/history?charge_point_id=BO-OFF')
  t.match(history.body.commands, [{ status: 'Error', bulk_command_id: body.bulk_command_id }])
})

test('bulk commands - continue_on_failure false: one after the other, and none after the first that is not Accepted', async (t) => {
  const [one, two, three] = await Promise.all(['BO-1', 'BO-2', 'BO-3'].map((id) => bootChargePoint(service, id)))
  if (one === undefined || two === undefined || three === undefined) throw new Error('three were asked for')
  const sent = bulk(['BO-1', 'BO-2', 'BO-3'], { continue_on_failure: false })
  const first = await one.nextFrame()
  // If BO-2 had been sent its command already, it would be before this one.
  const probe = command(service, 'BO-2', 'unlock_connector', { connector_id: 1 })
  t.match(await two.answerNext({ status: 'Unlocked' }), [2, String, 'UnlockConnector'])
  await probe
  one.raw(JSON.stringify([3, first[1], { status: 'Accepted' }]))
  t.match(await two.answerNext({ status: 'Rejected' }), [2, String, 'Reset', { type: 'Soft' }])
  const { body } = await sent
  t.match(body, { total: 3, succeeded: 1, failed: 2 })
  t.match(body.results, [
    { charge_point_id: 'BO-1', status: 'Accepted' },
    { charge_point_id: 'BO-2', status: 'Rejected' },
    { charge_point_id: 'BO-3', status: 'Error', error: 'not_attempted' },
  ])
  const last = command(service, 'BO-3', 'unlock_connector', { connector_id: 1 })
  t.match(
    await three.answerNext({ status: 'Unlocked' }),
    [2, String, 'UnlockConnector'],
    'BO-3 was sent nothing before',
  )
  t.equal((await last).status, 200)
})

test('bulk commands - an unanswered target is Timeout and does not hold up the others', async (t) => {
  const silent = await bootChargePoint(service, 'BO-SILENT')
  const quick = await bootChargePoint(service, 'BO-QUICK')
  const sent = bulk(['BO-SILENT', 'BO-QUICK'], { timeout_seconds: 3 })
  await quick.answerNext({ status: 'Accepted' })
  await silent.nextFrame()
  t.match((await sent).body.results, [
    { charge_point_id: 'BO-SILENT', status: 'Timeout', response_time_ms: null, error: 'timeout' },
    { charge_point_id: 'BO-QUICK', status: 'Accepted' },
  ])
})
