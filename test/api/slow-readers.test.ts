// Answers that are read slowly, or not at all.

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'tap'
import { limits } from '../../src/api/http/limits.js'
import { createUnreadAnswers } from '../../src/api/http/unread-answers.js'
import { exchange, get, openSocket, statusesIn } from './exchange.js'
import { createTestApi } from './fixture.js'
import { listenFor } from './listening.js'

/** Reads on until `body` has come. */
function takes(socket: Socket, body: string): Promise<boolean> {
  const expected = Buffer.from(body)
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    let length = 0
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > expected.length && Buffer.concat(chunks).subarray(-expected.length).equals(expected)) resolve(true)
    })
    socket.once('close', () => resolve(false))
    socket.resume()
  })
}

test('slow readers - an answer of any length arrives whole, whenever it is read', async (t) => {
  const service = await createTestApi()
  const body = Array.from({ length: 400_000 }, (_, at) => `line ${at} ä`).join('\n')
  const answered = { status: 200, headers: {}, body }
  const { port } = await listenFor(t, { ...service.api, handle: () => Promise.resolve(answered) })
  const socket = openSocket(t, port)
  socket.pause()
  socket.write(get('/'))
  // The other connection is answered after the first has been sent what it takes.
  const second = await exchange(t, port, get('/', 'Connection: close'))
  t.ok(await takes(socket, body))
  t.ok(Buffer.from(second, 'latin1').includes(Buffer.from(body)))
})

test('slow readers - an answer that is longer than all that may wait ends its own connection alone', async (t) => {
  const service = await createTestApi()
  const body = Buffer.alloc(limits.unreadAnswerBytes + 1, 'x')
  const { handle } = service.api
  const { port, refused } = await listenFor(t, {
    ...service.api,
    handle: (request) =>
      request.path === '/long' ? Promise.resolve({ status: 200, headers: {}, body }) : handle(request),
  })
  const socket = openSocket(t, port)
  socket.write(get('/long'))
  await once(socket.resume(), 'close')
  t.equal(refused.get('answer_not_read'), 1)
  t.same(statusesIn(await exchange(t, port, get('/healthz'), 1)), [200])
})

test('slow readers - the party that has most that nobody reads loses its oldest connection', (t) => {
  const closed: string[] = []
  const unread = createUnreadAnswers(() => {})
  const shared = Buffer.alloc(limits.unreadAnswerBytes / 4)
  for (let count = 0; count < 100; count++) unread.hold(shared, 'reader of assets', () => closed.push('reader'))
  t.equal(unread.bytes, shared.length, 'what all are sent is in memory once')
  const hold = (name: string, share: number, party = 'greedy') =>
    unread.hold(Buffer.alloc(limits.unreadAnswerBytes / share), party, () => closed.push(name))
  const read = hold('first', 8)
  hold('second', 3)
  hold('third', 8)
  hold('of another', 8, 'modest')
  t.same(closed, [])
  hold('fourth', 8, 'modest')
  t.same(closed, ['first'])
  read()
  hold('fifth', 8)
  t.same(closed, ['first', 'second'])
  t.ok(unread.bytes <= limits.unreadAnswerBytes)
  t.end()
})
