// Who waits for a ping is told once, whatever becomes of the socket; and few may wait.

import { test } from 'tap'
import { limits } from '../../../src/actors/charge-point/limits.js'
import { actorOverStore } from './actor-over-store.js'

const asks = { type: 'test-connection' }
const pong = { type: 'ping-ended', connection: 1, latencyMs: 3, answersPings: true, wasHeard: true }

async function waitedFor(testers: number) {
  const actor = await actorOverStore('CP-1')
  await actor.attach(1, 100)
  for (let at = 0; at < testers; at++) expectNone(await actor.ask(asks))
  return actor
}

/** Nobody is answered before the ping has ended. */
function expectNone(reply: unknown): void {
  if (reply !== undefined) throw new Error(`it was answered at once: ${JSON.stringify(reply)}`)
}

test('test connection - of those who ask about one charge point at once, so many wait; the others are sent away', async (t) => {
  const actor = await waitedFor(limits.connectionTesters)
  t.same(await actor.ask(asks), { type: 'busy' })
  const ended = await actor.ask(pong)
  t.match(ended, { type: 'pinged', latencyMs: 3, answersPings: true })
})

test('test connection - what is told of a socket that has been replaced says nothing of the new one', async (t) => {
  const actor = await waitedFor(1)
  await actor.attach(2, 200)
  t.same(await actor.ask({ type: 'call-timed-out', messageId: 'none' }), { type: 'offline' }, 'it is told at once')
  const other = await waitedFor(0)
  await other.attach(2, 200)
  expectNone(await other.ask(asks))
  expectNone(await other.ask(pong))
  t.match(await other.ask({ ...pong, connection: 2 }), { type: 'pinged' })
})
