// A listener with an RSA and an elliptic certificate: each client gets the one that it can use, and nothing else changes for it.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTcp, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { t as file, type Test, test } from 'tap'
import { chooseCertificate } from '../../src/edge/certificate-choice/choose-certificate.js'
import { createHelloReader, type ReadHello } from '../../src/edge/certificate-choice/client-hello.js'
import { createSplice } from '../../src/edge/certificate-choice/splice.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'
import { type Identity, makeCertificate } from './certificates.js'
import { checkFlags } from './refused-settings.js'

const kinds = { rsa: ['rsa:2048'], ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] }

/** Signed by itself, for 127.0.0.1. */
function selfSigned(t: Test, kind: keyof typeof kinds, commonName: string): Identity {
  const folder = mkdtempSync(join(tmpdir(), 'ampshard-certificate-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', `/CN=${commonName}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', ...kinds[kind], '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  })
  return { keyPem: readFileSync(key, 'utf8'), certificatePem: readFileSync(certificate, 'utf8') }
}

interface Listener extends Service {
  readonly trusted: readonly string[]
  /** Writes new certificates in place of the ones that it was started with, and returns them. */
  replace(): readonly string[]
}

const chargers = makeCertificate({ commonName: 'Charge point authority' })

async function startWithBoth(t: Test): Promise<Listener> {
  const folder = mkdtempSync(join(tmpdir(), 'ampshard-listener-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = (name: string): string => join(folder, name)
  let count = 0
  function write(): readonly string[] {
    const [rsa, ec] = [selfSigned(t, 'rsa', `rsa ${++count}`), selfSigned(t, 'ec', `ec ${count}`)]
    writeFileSync(path('rsa.key'), rsa.keyPem)
    writeFileSync(path('rsa.pem'), rsa.certificatePem)
    writeFileSync(path('ec.key'), ec.keyPem)
    writeFileSync(path('ec.pem'), ec.certificatePem)
    return [rsa.certificatePem, ec.certificatePem]
  }
  const trusted = write()
  writeFileSync(path('chargers.pem'), chargers.certificatePem)
  const flags = [
    ...['--tls-key-file', path('rsa.key'), '--tls-certificate-file', path('rsa.pem')],
    ...['--tls-second-key-file', path('ec.key'), '--tls-second-certificate-file', path('ec.pem')],
    ...['--tls-client-ca-file', path('chargers.pem')],
  ]
  const service = await startService(t, { flags, authority: trusted.join('') })
  return { ...service, trusted, replace: write }
}

async function handshake(service: Service, options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: service.port, ...options })
  await once(socket, 'secureConnect')
  return socket
}

async function headOf(service: Listener, path: string): Promise<string> {
  const socket = await handshake(service, { ca: [...service.trusted] })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString()
}

/** Of all tests that leave its certificates as they are. */
const service = await startWithBoth(file)

test('two certificates - the four cipher suites that OCPP demands are all there, on one port', async (t) => {
  await service.register('CP-1')
  const suites = {
    'AES128-GCM-SHA256': 'TLS_RSA_WITH_AES_128_GCM_SHA256',
    'AES256-GCM-SHA384': 'TLS_RSA_WITH_AES_256_GCM_SHA384',
    'ECDHE-ECDSA-AES128-GCM-SHA256': 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384': 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  }
  const charger = makeCertificate({ commonName: 'CP-1', issuer: chargers })
  for (const [ciphers, name] of Object.entries(suites)) {
    const tls = { ca: [...service.trusted], ciphers, maxVersion: 'TLSv1.2' as const }
    const socket = await handshake(service, tls)
    t.equal(socket.getCipher().standardName, name)
    socket.destroy()
    const identity = { key: charger.keyPem, cert: charger.certificatePem }
    const client = await connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ...tls, ...identity } })
    t.equal((await client.boot()).payload.status, 'Accepted')
    await client.close()
  }
  const { body } = await service.request('GET', '/api/v1/chargepoints/CP-1')
  t.equal(body.charge_point_id, 'CP-1', 'the API is on the same port')
})

test('two certificates - suites of CBC and SHA-1 are refused, and the API is marked as one for TLS alone', async (t) => {
  for (const ciphers of ['AES128-SHA', 'AES256-SHA', 'ECDHE-RSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA'])
    await t.rejects(handshake(service, { ca: [...service.trusted], ciphers, maxVersion: 'TLSv1.2' }), /alert/i, ciphers)
  for (const path of ['/healthz', '/api/v1/id-tags?a=%'])
    t.match(await headOf(service, path), /^strict-transport-security: max-age=31536000\r$/im, path)
})

test('two certificates - with TLS 1.3 the signatures that a client takes decide', async (t) => {
  const names = { ecdsa_secp256r1_sha256: 'ec 1', rsa_pss_rsae_sha256: 'rsa 1' }
  for (const [sigalgs, name] of Object.entries(names)) {
    const socket = await handshake(service, { ca: [...service.trusted], sigalgs, minVersion: 'TLSv1.3' })
    t.equal(socket.getPeerCertificate().subject.CN, name)
    socket.destroy()
  }
})

test('two certificates - the service sees where a client really comes from', async (t) => {
  await connectOcpp(`${service.ocppUrl}/NOBODY`, {
    tls: { ca: [...service.trusted], localAddress: '127.0.0.9' },
  }).catch(() => undefined)
  const attempts = await until(async () => {
    const { body } = await service.request('GET', '/api/v1/cpo/connection-attempts?charge_point_id=NOBODY')
    return body.data.length > 0 && body.data
  })
  t.match(attempts, [{ charge_point_id: 'NOBODY', remote_address: '127.0.0.9' }])
})

test('two certificates - a ClientHello may come byte by byte, or never, and others do not wait', async (t) => {
  const silent = connectTcp({ host: '127.0.0.1', port: service.port })
  await once(silent, 'connect')
  silent.write(Buffer.from([22, 3, 1]))
  const nonsense = connectTcp({ host: '127.0.0.1', port: service.port })
  nonsense.on('error', () => undefined)
  nonsense.resume()
  nonsense.write('GET / HTTP/1.1\r\n\r\n')
  await once(nonsense, 'close')

  // Between the client and the service, a relay that sends each byte by itself.
  const relay = createServer((client) => {
    const inner = connectTcp({ host: '127.0.0.1', port: service.port, noDelay: true })
    client.on('data', (bytes) => {
      for (const byte of bytes) inner.write(Buffer.from([byte]))
    })
    inner.pipe(client)
    client.on('close', () => inner.destroy())
  }).listen(0, '127.0.0.1')
  t.teardown(() => relay.close())
  await once(relay, 'listening')
  const { port } = relay.address() as { port: number }
  const socket = connect({ host: '127.0.0.1', port, ca: [...service.trusted], sigalgs: 'ecdsa_secp256r1_sha256' })
  await once(socket, 'secureConnect')
  t.equal(socket.getPeerCertificate().subject.CN, 'ec 1')
  socket.destroy()
  t.equal(silent.readyState, 'open', 'who has said too little is waited for')
  silent.destroy()
})

test('two certificates - both are read again on SIGHUP, and sockets stay', async (t) => {
  const service = await startWithBoth(t)
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ca: [...service.trusted] } })
  const trusted = service.replace()
  service.process.kill('SIGHUP')
  for (const [sigalgs, name] of [
    ['ecdsa_secp256r1_sha256', 'ec 2'],
    ['rsa_pss_rsae_sha256', 'rsa 2'],
  ] as const) {
    await until(async () => {
      const socket = await handshake(service, { rejectUnauthorized: false, sigalgs })
      const seen = socket.getPeerCertificate().subject.CN
      socket.destroy()
      return seen === name
    })
    const socket = await handshake(service, { ca: [...trusted], sigalgs })
    t.equal(socket.authorized, true)
    socket.destroy()
  }
  t.equal((await client.boot()).payload.status, 'Accepted')
})

test('two certificates - files and settings that cannot work are refused in one line', async (t) => {
  const folder = t.testdir({})
  const write = (name: string, { keyPem, certificatePem }: Identity): string[] => {
    writeFileSync(join(folder, `${name}.key`), keyPem)
    writeFileSync(join(folder, `${name}.pem`), certificatePem)
    return [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  }
  const [key = '', certificate = ''] = write('one', selfSigned(t, 'rsa', 'one'))
  const [otherKey = '', other = ''] = write('two', selfSigned(t, 'rsa', 'two'))
  const [ecKey = '', ec = ''] = write('three', selfSigned(t, 'ec', 'three'))
  const first = ['--tls-key-file', key, '--tls-certificate-file', certificate]
  const second = (k: string, c: string): string[] => ['--tls-second-key-file', k, '--tls-second-certificate-file', c]
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [[...first, ...second(otherKey, other)], /must be of different kinds: one RSA, one elliptic/],
    [[...first, ...second(ecKey, other)], /--tls-second-key-file is not the key of --tls-second-certificate-file/],
    [[...first, '--tls-second-key-file', ecKey], /go together/],
    [second(ecKey, ec), /--tls-second-key-file needs --tls-key-file/],
    [[...first, ...second(ecKey, ec), '--fronts', '2'], /one front thread/],
  ]
  for (const [flags, message] of refused) t.throws(() => checkFlags(flags), { message }, flags.join(' '))
  const [flags, message] = refused[0] as (typeof refused)[number]
  await t.rejects(startService(t, { flags: [...flags] }), {
    message: new RegExp(`^[^]*ampshard: [^\\n]*${message.source}\\n$`),
  })
})

function readClientHello(bytes: Buffer): ReadHello {
  return createHelloReader().read(bytes)
}

/** What a client of Node.js sends first. */
async function helloOf(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const client = connect({ host: '127.0.0.1', port, ...options })
  client.on('error', () => undefined)
  const [socket] = (await once(server, 'connection')) as [import('node:net').Socket]
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  client.destroy()
  socket.destroy()
  server.close()
  return bytes
}

test('two certificates - a ClientHello is read whole or not at all, in any pieces and records; nothing else is one', async (t) => {
  const hello = await helloOf({ sigalgs: 'rsa_pss_rsae_sha256:ecdsa_secp256r1_sha256', minVersion: 'TLSv1.3' })
  const read = readClientHello(hello)
  if (read.type !== 'hello') return t.fail('it was not read')
  t.equal(read.hello.tls13, true)
  t.same(read.hello.signatureSchemes, [0x0804, 0x0403])
  t.equal(chooseCertificate(read.hello, 'ec'), 'rsa')
  const old = readClientHello(await helloOf({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }))
  t.equal(old.type === 'hello' && chooseCertificate(old.hello, 'rsa'), 'ec')

  const body = hello.subarray(5)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: body.length - 1 }), { maxLength: 6 }), (cuts) => {
      const ends = [...new Set(cuts)].sort((one, other) => one - other)
      const parts = [...ends, body.length].map((end, at) => body.subarray(at === 0 ? 0 : ends[at - 1], end))
      const records = parts.map((part) =>
        Buffer.concat([Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part]),
      )
      const whole = Buffer.concat(records)
      if (!isDeepStrictEqual(readClientHello(whole), read)) throw new Error('it was read in another way')
      for (let length = 0; length < whole.length; length += 211)
        if (readClientHello(whole.subarray(0, length)).type !== 'incomplete')
          throw new Error(`read from ${length} bytes`)
      const reader = createHelloReader()
      const answers = Array.from({ length: whole.length }, (_, at) => reader.read(whole.subarray(at, at + 1)))
      if (!isDeepStrictEqual(answers.pop(), read)) throw new Error('byte by byte it was read in another way')
      if (answers.some(({ type }) => type !== 'incomplete')) throw new Error('byte by byte it was read too soon')
    }),
    { numRuns: 30 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, asHandshake) => {
      const given = Buffer.from(asHandshake ? [22, 3, 1, 0, 150, 1, 0, 0, 100, ...bytes] : bytes)
      return ['hello', 'incomplete', 'unreadable'].includes(readClientHello(given).type)
    }),
  )
})

test('two certificates - what the service has said last arrives, however slowly it is read', async (t) => {
  let reply = Buffer.alloc(0)
  const inner = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.resume()
    socket.end(reply)
  }).listen(0, '127.0.0.1')
  t.teardown(() => inner.close())
  await once(inner, 'listening')
  const splice = createSplice({ portOf: () => (inner.address() as { port: number }).port, otherwise: 'rsa' })
  t.teardown(() => splice.destroy())
  const port = await splice.listen('127.0.0.1', 0)

  /** Whether the service's side ends before the client has read anything: the kernel and the splice hold all of it then. */
  async function endsUnread(length: number): Promise<boolean> {
    reply = Buffer.alloc(length, 'x')
    const accepted = once(inner, 'connection')
    const client = connectTcp({ host: '127.0.0.1', port })
    client.write('what is no ClientHello is passed on')
    const [socket] = (await accepted) as [Socket]
    const isUnread = await Promise.race([once(socket, 'close').then(() => true), sleep(200, false)])
    let read = 0
    client.on('data', (chunk) => (read += chunk.length))
    await once(client, 'close')
    t.equal(read, length)
    return isUnread
  }

  // Towards the length whose last piece waits inside the splice when the service's side has ended.
  let most = 0
  for (let step = 16 * 1_048_576; step >= 16_384; step /= 2) if (await endsUnread(most + step)) most += step
  t.ok(most > 0, `${most} bytes were held`)
})
