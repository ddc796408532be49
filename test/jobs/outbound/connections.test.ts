// The last look before a socket is opened, asked without anything before it; and TLS with an authority that is trusted.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { createConnector } from '../../../src/jobs/outbound/connections.js'
import { makeCertificate } from '../../edge/certificates.js'
import { spawnNode } from '../../support/child.js'
import { startCanary } from './canary.js'
import { answerOf } from './receiver.js'

test('outbound - a connection to an address that is not public is not opened, whoever asks for it', async (t) => {
  const canary = await startCanary(t)
  const resolve = async () => ['127.0.0.1']
  const connect = createConnector({ allowInsecure: false, resolve })
  for (const hostname of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', 'name.example.com'])
    for (const protocol of ['https:', 'http:']) {
      const error = await new Promise((settle) =>
        connect({ hostname, host: hostname, protocol, port: String(canary.port) }, (...[refused]) => settle(refused)),
      )
      t.match(error, { outbound: 'unsafe_address' }, hostname)
    }
  t.same(canary.connections, [])
})

test("outbound - https works where the authority is trusted, and the name is the certificate's", async (t) => {
  const authority = makeCertificate({ commonName: 'An authority' })
  const identity = makeCertificate({ commonName: '127.0.0.1', issuer: authority, server: true })
  const expired = makeCertificate({ commonName: '127.0.0.1', issuer: authority, server: true, validDays: -1 })
  const names = Array.from({ length: 100 }, (_, number) => `${number}.${'a'.repeat(60)}.example.com`)
  const manyNames = makeCertificate({ commonName: 'Many', issuer: authority, server: true, names })
  const folder = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const authorityFile = join(folder, 'authority.pem')
  writeFileSync(authorityFile, authority.certificatePem)

  async function callOnce(host: string, { keyPem, certificatePem }: typeof identity): Promise<unknown> {
    const server = createServer({ key: keyPem, cert: certificatePem }, (socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(answerOf('200 OK', 'trusted', ['connection: close'])))
    })
    server.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `https://${host}:${typeof address === 'object' ? address?.port : 0}/`
    const program = fileURLToPath(new URL('./call-once.js', import.meta.url))
    const child = spawnNode([program, url], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    await once(child, 'close')
    await new Promise((resolve) => server.close(resolve))
    return JSON.parse(output)
  }

  t.match(await callOnce('127.0.0.1', identity), { type: 'answered', status: 200, body: 'trusted' })
  t.match(await callOnce('localhost', identity), { type: 'failed', reason: 'tls' }, 'the name is another')
  t.match(await callOnce('127.0.0.1', expired), { type: 'failed', reason: 'tls' }, 'it has run out')
  const refused = (await callOnce('localhost', manyNames)) as { reason: string; message: string }
  t.equal(refused.reason, 'tls')
  t.ok(refused.message.length <= 300, `the words of a failure are bounded: ${refused.message.length}`)
})
