// Receivers that do what no receiver should: the client has an outcome for each, in its time, and goes on.

import { createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { test } from 'tap'
import type { OutboundOutcome } from '../../../src/runtime/outbound-jobs.js'
import { makeCertificate } from '../../edge/certificates.js'
import type { Teardowns } from '../../support/service.js'
import { until } from '../../support/until.js'
import { makeClient, post } from './canary.js'
import { answerOf, startReceiver } from './receiver.js'

/** Writes pieces for as long as the other side takes them. */
function flood(socket: Socket, piece: string): void {
  const bytes = Buffer.from(piece)
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', more)
  more()
}

/** One piece now and then, never an end. */
function drip(socket: Socket, pieces: () => string): void {
  const timer = setInterval(() => socket.write(pieces()), 20)
  socket.on('close', () => clearInterval(timer))
}

const long = 'x'.repeat(16_000)
type Failed = Extract<OutboundOutcome, { type: 'failed' }>['reason']
const faults: readonly (readonly [what: string, answer: (socket: Socket) => void, reason: Failed])[] = [
  ['garbage', (socket) => socket.write('\u0000\u0001garbage\r\n\r\n'), 'protocol'],
  ['another protocol', (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'), 'protocol'],
  ['HTTP/2', (socket) => socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 'protocol'],
  ['a status that is no number', (socket) => socket.write('HTTP/1.1 2x0 OK\r\n\r\n'), 'protocol'],
  ['a header that is none', (socket) => socket.write('HTTP/1.1 200 OK\r\n: x\r\n\r\n'), 'protocol'],
  ['a folded header', (socket) => socket.write('HTTP/1.1 200 OK\r\na: b\r\n\u0000c\r\n\r\n'), 'protocol'],
  ['a negative length', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'), 'protocol'],
  [
    'two lengths',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
    'protocol',
  ],
  [
    'a length and chunks',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    'protocol',
  ],
  [
    'a chunk without a size',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab\r\n'),
    'protocol',
  ],
  [
    'a chunk of a size beyond numbers',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\nab`),
    'protocol',
  ],
  ['a long header', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${long}${long}\r\n\r\n`), 'protocol'],
  ['endless headers', (socket) => flood(start(socket, 'HTTP/1.1 200 OK\r\n'), 'x: y\r\n'.repeat(100)), 'protocol'],
  ['an endless header', (socket) => flood(start(socket, 'HTTP/1.1 200 OK\r\nx: '), long), 'protocol'],
  ['endless interim answers', (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 'protocol'],
  ['a continuation that nobody asked for', (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'), 'protocol'],
  [
    'a change of protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'protocol',
  ],
  [
    'endless trailers',
    (socket) => flood(start(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n'), `t: ${long}\r\n`),
    'protocol',
  ],
  ['nothing but an end', (socket) => socket.end(), 'connection'],
  ['a reset', (socket) => socket.resetAndDestroy(), 'connection'],
  ['an end within the head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'), 'connection'],
  ['an end within the body', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'), 'connection'],
  [
    'a reset within the body',
    (socket) => resetLater(start(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')),
    'connection',
  ],
  [
    'an end within a chunk',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\nabc'),
    'connection',
  ],
  ['silence', () => {}, 'timeout'],
  ['a head that drips', (socket) => drip(socket, () => 'x'), 'protocol'],
  ['headers that drip', (socket) => drip(start(socket, 'HTTP/1.1 200 OK\r\n'), () => 'x: y\r\n'), 'timeout'],
  ['interim answers that drip', (socket) => drip(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'protocol'],
  [
    'a body that drips',
    (socket) => drip(start(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n'), () => 'x'),
    'timeout',
  ],
  [
    'a body without an end',
    (socket) => void start(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'),
    'timeout',
  ],
  ['a body until the end of the connection', (socket) => void start(socket, 'HTTP/1.1 200 OK\r\n\r\nabc'), 'timeout'],
  ['an endless reason', (socket) => flood(start(socket, 'HTTP/1.1 200 '), long), 'protocol'],
  [
    'an endless extension of a chunk',
    (socket) => flood(start(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;'), long),
    'protocol',
  ],
]

function start(socket: Socket, text: string): Socket {
  socket.write(text)
  return socket
}

function resetLater(socket: Socket): void {
  setTimeout(() => socket.resetAndDestroy(), 50)
}

for (const [what, answer, reason] of faults)
  test(`outbound - a receiver that answers with ${what}: ${reason}`, async (t) => {
    let hostile = true
    const receiver = await startReceiver(t, (socket) => {
      if (hostile) answer(socket)
      else socket.write(answerOf('200 OK', 'ok'))
    })
    const client = makeClient(t, true)
    const timeoutMs = reason === 'timeout' ? 400 : 20_000
    const outcome = await client.request(post(receiver.url, { timeoutMs }))
    t.match(outcome, { type: 'failed', reason, message: /\w/ })
    if (reason === 'timeout') t.ok(outcome.milliseconds >= timeoutMs - 1)
    await until(() => receiver.open() === 0)
    t.ok(receiver.connections() <= 2, 'it is not tried again without end')
    hostile = false
    t.match(
      await client.request(post(receiver.url)),
      { type: 'answered', status: 200, body: 'ok' },
      'the next is served',
    )
  })

test('outbound - an endless body is cut, however it comes', async (t) => {
  const heads = ['content-length: 9000000000', 'transfer-encoding: chunked', 'content-encoding: gzip']
  for (const head of heads) {
    const receiver = await startReceiver(t, (socket) =>
      flood(
        start(socket, `HTTP/1.1 200 OK\r\n${head}\r\n\r\n`),
        head.includes('chunked') ? '10\r\n0123456789abcdef\r\n' : long,
      ),
    )
    const outcome = await makeClient(t, true).request(post(receiver.url))
    t.match(outcome, { type: 'answered', status: 200 }, head)
    await until(() => receiver.open() === 0)
  }
})

test("outbound - what comes after an answer, unasked, is nobody's answer", async (t) => {
  const receiver = await startReceiver(t, (socket, nth) =>
    socket.write(answerOf('200 OK', `right ${nth}`) + answerOf('200 OK', 'wrong')),
  )
  const client = makeClient(t, true)
  for (let nth = 1; nth <= 5; nth++) t.match(await client.request(post(receiver.url)), { body: `right ${nth}` })
})

test('outbound - nobody listens: the connection is refused', async (t) => {
  const receiver = await startReceiver(t, () => {})
  const gone = createTcpServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => gone.once('listening', resolve))
  const address = gone.address()
  const port = typeof address === 'object' ? address?.port : 0
  await new Promise((resolve) => gone.close(resolve))
  t.match(await makeClient(t, true).request(post(`http://127.0.0.1:${port}/`)), {
    type: 'failed',
    reason: 'connection',
    message: 'the connection was refused',
  })
  t.equal(receiver.connections(), 0)
})

test('outbound - a connection that is closed at once, again and again, is not tried again without end', async (t) => {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
  const client = makeClient(t, true)
  t.match(await client.request(post(url)), { type: 'failed', reason: 'connection' })
  const afterOne = connections
  t.ok(afterOne <= 2, String(afterOne))
  t.match(await client.request(post(url)), { type: 'failed', reason: 'connection' })
  t.ok(connections <= 2 * afterOne)
})

async function startTls(t: Teardowns, options: object, answer: (socket: Socket) => void): Promise<string> {
  const server = createTlsServer(options, (socket) => {
    socket.on('error', () => {})
    answer(socket)
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.address()
  return `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
}

test('outbound - a certificate that nobody vouches for, in a laboratory too, fails as TLS', async (t) => {
  const authority = makeCertificate({ commonName: 'An authority of its own' })
  const server = makeCertificate({ commonName: '127.0.0.1', issuer: authority, server: true })
  const url = await startTls(t, { key: server.keyPem, cert: server.certificatePem }, (socket) =>
    socket.write(answerOf('200 OK', 'ok')),
  )
  t.match(await makeClient(t, true).request(post(url)), { type: 'failed', reason: 'tls', message: /certificate/ })
})

test('outbound - a server that speaks no TLS, or ends in its handshake, fails as TLS', async (t) => {
  const client = makeClient(t, true)
  const plain = await startReceiver(t, () => {})
  const servers = [
    createTcpServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    ),
    createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.destroy())),
  ]
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const address = server.address()
    const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
    t.match(await client.request(post(url)), { type: 'failed', reason: 'tls', message: /TLS handshake/ })
  }
  t.match(await client.request(post(`https://127.0.0.1:${plain.port}/`, { timeoutMs: 300 })), {
    type: 'failed',
    reason: 'timeout',
  })
})
