// Results of commands that a partner is owed: what is posted, how often, and what becomes of them when the service ends in between.

import { test } from 'tap'
import { limits } from '../../../src/actors/ocpi-partner/limits.js'
import { createStage, minute, partnerId, type Stage, second } from './stage.js'

const url = 'https://emsp.example/results/1'
const posted = (stage: Stage, at = 'results/1') =>
  stage.pushed.filter(({ path }) => path === at).map(({ body }) => body.result)

test('ocpi partner - the result of a command is sent at most three times', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => 'unreachable')
  const first = await stage.accept('one', url, { correlation_id: 'asked' })
  await stage.tell({ type: 'command-result', owed: first, result: { result: 'ACCEPTED' } })
  await stage.pass(minute)
  t.equal(posted(stage).length, limits.ocpiResultAttempts)
  t.match(stage.pushed[0]?.call, { body: { result: 'ACCEPTED' }, correlationId: 'asked', method: 'POST' })
  t.same(stage.owedResults(), [])
  stage.partner(() => ({}))
  const second = await stage.accept('two', url)
  await stage.tell({ type: 'command-result', owed: second, result: { result: 'REJECTED' } })
  await stage.pass(minute)
  t.equal(posted(stage).length, limits.ocpiResultAttempts + 1)
  t.same(stage.owedResults(), [])
})

test('ocpi partner - a result that was on its way is posted after a restart, and no more than three times in all', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => 'never')
  const owed = await stage.accept('one', url)
  await stage.tell({ type: 'command-result', owed, result: { result: 'EVSE_OCCUPIED' } })
  t.same(posted(stage), ['EVSE_OCCUPIED'])
  await stage.restartProcess()
  t.same(posted(stage), ['EVSE_OCCUPIED', 'EVSE_OCCUPIED'])
  await stage.restartProcess()
  await stage.restartProcess()
  await stage.restartProcess()
  await stage.pass(minute)
  t.equal(posted(stage).length, limits.ocpiResultAttempts)
  t.same(stage.owedResults(), [])
  const again = await stage.accept('two', `${url}0`)
  stage.partner(() => ({}))
  await stage.tell({ type: 'command-result', owed: again, result: { result: 'ACCEPTED' } })
  await stage.restartProcess()
  t.same(posted(stage, 'results/10'), ['ACCEPTED'], 'one that has been taken is not posted again')
})

test('ocpi partner - a command that a process has carried out to no end is answered TIMEOUT after the next start', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.accept('one', url)
  await stage.restartProcess()
  t.same(posted(stage), ['TIMEOUT'])
  t.same(stage.owedResults(), [])
  await stage.restartProcess()
  await stage.pass(minute)
  t.equal(posted(stage).length, 1)
})

test('ocpi partner - when a shard has ended alone, the result is the real one, or TIMEOUT in the time that was said', async (t) => {
  const stage = createStage()
  await stage.register()
  const [one, other] = [await stage.accept('one', url), await stage.accept('other', `${url}0`)]
  await stage.restart()
  await stage.pass(20 * second)
  t.same(stage.pushed, [], 'they may come to their end')
  await stage.tell({ type: 'command-result', owed: one, result: { result: 'ACCEPTED' } })
  t.same(posted(stage), ['ACCEPTED'])
  await stage.pass(15 * second)
  t.same(posted(stage, 'results/10'), ['TIMEOUT'])
  await stage.tell({ type: 'command-result', owed: other, result: { result: 'ACCEPTED' } })
  await stage.pass(minute)
  t.equal(stage.pushed.length, 2, 'what comes after that is not posted')
  t.same(
    stage.owedResults().filter(({ partner_id }) => partner_id === partnerId),
    [],
  )
})
