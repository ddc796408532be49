// The load generator's WebSocket client against the `ws` server: whatever a real server may send, it takes.

import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import forge from 'node-forge'
import { test } from 'tap'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Refusal } from '../../bench/charge-point/transport.js'
import {
  connectWebSocket,
  type WebSocketClient,
  type WebSocketHandlers,
  type WebSocketOptions,
} from '../../bench/client/websocket.js'

interface Closed {
  readonly code: number
  readonly reason: string
  readonly refusal: Refusal | undefined
}

interface Pair {
  readonly client: WebSocketClient
  readonly server: WebSocket
  readonly request: IncomingMessage
  /** The next message that the client gets. */
  next(): Promise<string>
  readonly closed: Promise<Closed>
}

async function listen(options: ConstructorParameters<typeof WebSocketServer>[0] = {}): Promise<WebSocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options })
  await once(server, 'listening')
  return server
}

function urlOf(server: WebSocketServer): string {
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp16/CP-1`
}

async function pair(
  server: WebSocketServer,
  options: Partial<WebSocketOptions> = {},
  handlers: WebSocketHandlers = {},
): Promise<Pair> {
  const messages: string[] = []
  let waiting: ((text: string) => void) | undefined
  const accepted = once(server, 'connection') as Promise<[WebSocket, IncomingMessage]>
  let closedWith: (closed: Closed) => void = () => undefined
  const closed = new Promise<Closed>((resolve) => {
    closedWith = resolve
  })
  const client = await new Promise<WebSocketClient>((resolve) => {
    const own = connectWebSocket(
      { url: urlOf(server), ...options },
      {
        opened: () => resolve(own),
        text(text) {
          if (waiting) waiting(text)
          else messages.push(text)
          waiting = undefined
        },
        closed: (code, reason, refusal) => closedWith({ code, reason, refusal }),
        ...handlers,
      },
    )
  })
  const [socket, request] = await accepted
  return {
    client,
    server: socket,
    request,
    next: () =>
      new Promise((resolve) => {
        const first = messages.shift()
        if (first === undefined) waiting = resolve
        else resolve(first)
      }),
    closed,
  }
}

test('websocket client - texts of every length class come back as they were sent', async (t) => {
  const server = await listen()
  t.teardown(() => server.close())
  const { client, server: peer, next } = await pair(server)
  peer.on('message', (data) => peer.send(data.toString()))
  for (const length of [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]) {
    const text = 'x'.repeat(length)
    client.send(text)
    t.equal(await next(), text, `${length} bytes`)
  }
  const beyondAscii = '["Ladestation Grün", "日本", "🔌"]'.repeat(2_000)
  client.send(beyondAscii)
  t.equal(await next(), beyondAscii, 'characters of two, three and four bytes')
  client.destroy()
})

test('websocket client - many messages in one read are delivered one by one, in order', async (t) => {
  const server = await listen()
  t.teardown(() => server.close())
  const { client, server: peer, next } = await pair(server)
  const count = 5_000
  for (let i = 0; i < count; i++) peer.send(`message ${i} ${'y'.repeat(i % 300)}`)
  for (let i = 0; i < count; i++) {
    const text = await next()
    if (text !== `message ${i} ${'y'.repeat(i % 300)}`) {
      t.fail(`message ${i} came as ${text.slice(0, 40)}`)
      break
    }
  }
  t.pass()
  client.destroy()
})

test('websocket client - fragments are joined, with a ping between them', async (t) => {
  const server = await listen()
  t.teardown(() => server.close())
  const { client, server: peer, next } = await pair(server)
  const pong = once(peer, 'pong')
  peer.send('[3,"a",', { fin: false })
  peer.ping('between')
  peer.send('{"x":"ü', { fin: false })
  peer.send('"}]', { fin: true })
  t.equal(await next(), '[3,"a",{"x":"ü"}]')
  const [payload] = (await pong) as [Buffer]
  t.equal(payload.toString(), 'between', 'the pong carries the payload of the ping')
  client.destroy()
})

test('websocket client - its own ping is answered', async (t) => {
  const server = await listen()
  t.teardown(() => server.close())
  let ponged: () => void = () => undefined
  const pong = new Promise<void>((resolve) => {
    ponged = resolve
  })
  const { client } = await pair(server, {}, { pong: () => ponged() })
  client.ping()
  await t.resolves(pong)
  client.destroy()
})

test('websocket client - close codes go both ways', async (t) => {
  const server = await listen()
  t.teardown(() => server.close())
  const first = await pair(server)
  first.server.close(1008, 'too many frames')
  t.match(await first.closed, { code: 1008, reason: 'too many frames' })

  const second = await pair(server)
  const seen = once(second.server, 'close') as Promise<[number, Buffer]>
  second.client.close(1001, 'going away')
  const [code, reason] = await seen
  t.equal(code, 1001)
  t.equal(reason.toString(), 'going away')
  t.equal((await second.closed).code, 1001)
  t.equal(second.client.open, false)
})

test('websocket client - a lost connection is 1006', async (t) => {
  const server = await listen()
  t.teardown(() => server.close())
  const { server: peer, closed } = await pair(server)
  peer.terminate()
  t.equal((await closed).code, 1006)
})

test('websocket client - a binary message and one that is too long are refused with their codes', async (t) => {
  const server = await listen()
  t.teardown(() => server.close())
  const binary = await pair(server)
  const binaryClosed = once(binary.server, 'close') as Promise<[number]>
  binary.server.send(Buffer.from([1, 2, 3]))
  t.equal((await binaryClosed)[0], 1003)

  const long = await pair(server, { maximumMessageBytes: 1_000 })
  const longClosed = once(long.server, 'close') as Promise<[number]>
  long.server.send('z'.repeat(1_001))
  t.equal((await longClosed)[0], 1009)
})

test('websocket client - identity, subprotocol, credentials and source address reach the server', async (t) => {
  const server = await listen()
  t.teardown(() => server.close())
  const password = Buffer.from('0001020304050607ffffffffffffffffffffffff', 'hex')
  const { client, request } = await pair(server, {
    subprotocols: ['ocpp1.6'],
    username: 'AL1000',
    password,
    localAddress: '127.0.0.9',
  })
  t.equal(request.url, '/ocpp16/CP-1')
  t.equal(request.headers['sec-websocket-protocol'], 'ocpp1.6')
  t.equal(request.headers.authorization, 'Basic QUwxMDAwOgABAgMEBQYH////////////////', 'the test vector of OCPP-J')
  t.equal(request.socket.remoteAddress, '127.0.0.9')
  client.destroy()
})

/** A certificate for 127.0.0.1 that signs itself. */
function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(Date.now() - 60_000)
  certificate.validity.notAfter = new Date(Date.now() + 3_600_000)
  const name = [{ name: 'commonName', value: 'localhost' }]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }])
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create())
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) }
}

test('websocket client - over TLS it trusts the authority that it was given, and no other', async (t) => {
  const certificate = selfSigned()
  const https = createTlsServer(certificate)
  const server = new WebSocketServer({ server: https })
  https.listen(0, '127.0.0.1')
  await once(https, 'listening')
  t.teardown(() => https.close())
  t.teardown(() => server.close())
  const url = `wss://localhost:${(https.address() as AddressInfo).port}/ocpp16/CP-1`
  server.on('connection', (peer) => peer.on('message', (data) => peer.send(data.toString())))
  const long = 'q'.repeat(65_536)
  const echoed = await new Promise<string>((resolve, reject) => {
    const client = connectWebSocket(
      { url, tls: { ca: certificate.cert } },
      {
        opened: () => client.send(long),
        text(text) {
          resolve(text)
          client.close()
        },
        closed: (_code, reason) => reject(new Error(reason)),
      },
    )
  })
  t.equal(echoed, long)
  const distrusted = await new Promise<Closed>((resolve) => {
    connectWebSocket({ url }, { closed: (code, reason, refusal) => resolve({ code, reason, refusal }) })
  })
  t.match(distrusted, { code: 1006, reason: /self.signed/ })
})

test('websocket client - a refused handshake tells the status and when to come back', async (t) => {
  const server = await listen({
    verifyClient: (_info, done) => done(false, 503, 'busy', { 'Retry-After': '7' }),
  })
  t.teardown(() => server.close())
  const closed = await new Promise<Closed>((resolve) => {
    connectWebSocket({ url: urlOf(server) }, { closed: (code, reason, refusal) => resolve({ code, reason, refusal }) })
  })
  t.match(closed, { code: 1006, reason: 'HTTP 503', refusal: { statusCode: 503, retryAfterSeconds: 7 } })
})

test('websocket client - nobody listening is 1006 with the reason', async (t) => {
  const server = await listen()
  const url = urlOf(server)
  await new Promise((resolve) => server.close(resolve))
  const closed = await new Promise<Closed>((resolve) => {
    connectWebSocket({ url }, { closed: (code, reason, refusal) => resolve({ code, reason, refusal }) })
  })
  t.equal(closed.code, 1006)
  t.match(closed.reason, /ECONNREFUSED/)
})
