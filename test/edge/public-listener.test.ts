// The public listener by itself: connections that come while its certificates are read again.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { type Test, test } from 'tap'
import { createPublicListener, type PublicListener } from '../../src/edge/public-listener.js'
import { keyKind } from '../../src/process/tls-files.js'
import { loadUWebSockets } from '../../src/runtime/thread/uwebsockets.js'
import { opensslFolder } from '../support/openssl.js'
import { makeCertificate } from './certificates.js'

/** Listening on `port`, and answering every request with "here". */
async function listenerOf(t: Test, certificates: 1 | 2): Promise<{ listener: PublicListener; port: number }> {
  const folder = t.testdir({})
  const rsa = makeCertificate({ commonName: 'rsa', server: true })
  const files = { key: join(folder, 'rsa.key'), certificate: join(folder, 'rsa.pem') }
  writeFileSync(files.key, rsa.keyPem)
  writeFileSync(files.certificate, rsa.certificatePem)
  const openssl = opensslFolder()
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-subj', '/CN=ec']
  openssl.run('req', '-x509', ...kind, '-nodes', '-days', '2', '-keyout', 'ec.key', '-out', 'ec.pem')
  const uws = loadUWebSockets()
  const listener = createPublicListener({
    uws,
    settings: {
      host: '127.0.0.1',
      tls_key_file: files.key,
      tls_certificate_file: files.certificate,
      ...(certificates === 2 && {
        tls_second_key_file: openssl.path('ec.key'),
        tls_second_certificate_file: openssl.path('ec.pem'),
      }),
    },
    clientAuthorities: () => undefined,
    mount: (app) => app.get('/*', (response) => void response.end('here')),
    keyKind,
  })
  t.teardown(() => listener.destroy())
  return { listener, port: await listener.open(0) }
}

test('public listener - a connection that it has not taken yet is answered though the certificates are read again', async (t) => {
  const { listener, port } = await listenerOf(t, 1)
  const socket = connectTcp({ host: '127.0.0.1', port })
  // The kernel has the connection by now, and this thread has not looked.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const reopened = listener.reopen()
  const tls = connect({ socket, rejectUnauthorized: false })
  await Promise.all([once(tls, 'secureConnect'), reopened])
  tls.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  t.match(String((await once(tls, 'data'))[0]), /200 OK/)
  tls.destroy()
})

test('public listener - with two certificates, no connection is cut while they are read again and again', async (t) => {
  const { listener, port } = await listenerOf(t, 2)
  const suites = ['AES128-GCM-SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'] as const
  let connecting = true
  let times = 0
  async function readAgain(): Promise<void> {
    while (connecting) {
      await listener.reopen()
      times++
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  async function connectAll(): Promise<void> {
    for (let count = 0; count < 20; count++) {
      const ciphers = suites[count % 2]
      const tls = connect({ host: '127.0.0.1', port, ciphers, maxVersion: 'TLSv1.2', rejectUnauthorized: false })
      await once(tls, 'secureConnect')
      t.equal(tls.getCipher().name, ciphers)
      tls.destroy()
    }
  }
  await Promise.all([readAgain(), connectAll().finally(() => (connecting = false))])
  t.ok(times > 20, `they were read again ${times} times`)
})
