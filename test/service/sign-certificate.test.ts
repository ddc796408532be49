// A charge point asks for its certificate and gets it from the operator's authority (security whitepaper, A02). What is made is
// judged by openssl.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { t, test } from 'tap'
import { sample } from '../runner/sample.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { makeRequest, opensslFolder } from '../support/openssl.js'
import { type Service, startService } from '../support/service.js'
import {
  ca,
  notices,
  passwordOf,
  refusals,
  signingService,
  signingTenant,
  tlsFlags,
} from '../support/signing-service.js'
import { until } from '../support/until.js'

/** Each test has an organization of its own there. */
const shared = await signingService(t, 'P-256', ['--shards', '1'])

/** Keys of RSA take seconds to make: every authority is asked to sign the same requests. */
const requests = (['RSA 2048', 'RSA 4096', 'P-256', 'P-384'] as const).map((kind, at) => ({
  kind,
  id: `SIGNED-${at}`,
  ...makeRequest(opensslFolder(), kind, `/O=Somebody/OU=Else/CN=SIGNED-${at}/emailAddress=a@b.c`),
}))

for (const authority of sample('authorities', ['RSA 2048', 'P-256', 'P-384'] as const))
  test(`sign certificate - an authority of ${authority} signs every kind of key, and the charge point connects with it`, async (t) => {
    const { service, folder, charger } =
      authority === 'P-256' ? await signingTenant(shared, 'SIGNED') : await signingService(t, authority)
    for (const { kind, id, csr, keyPem } of requests) {
      const client = await charger(id)
      t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Accepted' } }, kind)
      const [, , action, payload] = await client.answerNext({ status: 'Accepted' })
      t.equal(action, 'CertificateSigned')
      const { certificateChain: chain } = payload as { certificateChain: string }
      folder.write('signed.pem', chain)
      const verified = folder.run(
        'verify',
        '-x509_strict',
        '-purpose',
        'sslclient',
        '-CAfile',
        'authority.pem',
        'signed.pem',
      )
      t.match(verified, 'signed.pem: OK')
      const shown = folder.run(
        'x509',
        '-in',
        'signed.pem',
        '-noout',
        '-subject',
        '-ext',
        'extendedKeyUsage',
        '-nameopt',
        'utf8,sep_comma_plus',
      )
      t.match(shown, `subject=CN=${id}\n`, 'nothing else that the request says')
      t.match(shown, 'TLS Web Client Authentication')
      const secured = await connectOcpp(`${service.ocppUrl}/${id}`, { tls: { ca, key: keyPem, cert: chain } })
      t.match(await secured.call('Heartbeat', {}), { error: undefined })
    }
    t.same(await refusals(service), [])
  })

test('sign certificate - what must not be signed is rejected at once, and the operator learns why', async (t) => {
  const { service, folder, client, charger } = await signingTenant(shared, 'REFUSED')
  const { csr } = makeRequest(folder, 'P-256', '/CN=REFUSED')
  const badlySigned = 'REFUSED-9'
  const { csr: whole } = makeRequest(folder, 'P-256', `/CN=${badlySigned}`)
  const der = Buffer.from(whole.split('\n').slice(1, -2).join(''), 'base64')
  const indefinite = [Buffer.of(0x30, 0x80), der.subarray(der[1] === 0x82 ? 4 : 3), Buffer.alloc(2)]
  const flipped = Buffer.from(der)
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
  const asPem = (bytes: Buffer): string =>
    `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
  const cases: readonly (readonly [csr: string, why: RegExp])[] = [
    ['MIIB', /not a certificate request in PEM/],
    ['', /not a certificate request in PEM/],
    [asPem(Buffer.from('MIIB')), /cannot be read/],
    [asPem(Buffer.alloc(7_600, 'x')), /longer than the 5500 characters/],
    [asPem(Buffer.alloc(3_000, Buffer.of(0x30, 0x80))), /cannot be read/],
    [asPem(Buffer.concat([der, Buffer.alloc(200)])), /not one value in DER/],
    [asPem(Buffer.concat(indefinite)), /not one value in DER/],
    [csr + csr, /more than one/],
    [makeRequest(folder, 'P-256, described', '/CN=REFUSED').csr, /describes its curve/],
    [asPem(flipped), /not signed with its own key/],
    [makeRequest(folder, 'P-256', '/CN=CP-2').csr, /its common name is "CP-2"/],
    [makeRequest(folder, 'P-256', '/O=Example').csr, /exactly one common name/],
    [makeRequest(folder, 'P-256', '/CN=REFUSED/CN=CP-2').csr, /exactly one common name/],
    [makeRequest(folder, 'RSA 1024', '/CN=REFUSED').csr, /1024 bits/],
    [makeRequest(folder, 'RSA 2048, exponent 3', '/CN=REFUSED').csr, /exponent of its RSA key is not 65537/],
    [makeRequest(folder, 'RSA 2048', '/CN=REFUSED', ['-sha1']).csr, /SHA-256/],
    [makeRequest(folder, 'P-521', '/CN=REFUSED').csr, /secp521r1/],
    [makeRequest(folder, 'secp256k1', '/CN=REFUSED').csr, /secp256k1/],
    [makeRequest(folder, 'Ed25519', '/CN=REFUSED').csr, /ed25519/],
  ]
  for (const [at, [request, why]] of cases.entries()) {
    const id = `REFUSED-${at}`
    const own = await charger(id)
    t.match(await own.call('SignCertificate', { csr: request }), { payload: { status: 'Rejected' } }, `${why}`)
    await own.close()
  }
  t.match(cases[9]?.[1].source, /not signed/, `which is why ${badlySigned} is its name`)
  const told = await refusals(service)
  t.equal(told.length, cases.length)
  for (const [, why] of cases)
    t.ok(
      told.some((message) => why.test(message)),
      `${why}`,
    )
  const { body } = await service.request('GET', '/api/v1/events?types=alert.triggered')
  t.ok(JSON.stringify(body).includes('certificate_request_refused'))
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Accepted' } })
})

test('sign certificate - a charge point that refuses its certificate is told the operator, also where its shard has ended meanwhile', async (t) => {
  const { service, folder, client, charger } = await signingTenant(shared, 'DECLINES-1')
  const { csr } = makeRequest(folder, 'P-256', '/CN=DECLINES-1')
  await client.call('SignCertificate', { csr })
  await client.answerNext({ status: 'Rejected' })
  const rejected = /has not installed the certificate .*: it answered Rejected/
  t.match(await until(notInstalled(service, 1)), [rejected])
  const other = await charger('DECLINES-2')
  await other.call('SignCertificate', { csr: makeRequest(folder, 'P-256', '/CN=DECLINES-2').csr })
  const [, messageId] = await other.nextFrame()
  service.fail(0, 'throw')
  other.raw(JSON.stringify([4, messageId, 'InternalError', 'no room', {}]))
  t.match(await until(notInstalled(service, 2)), [/with the error InternalError no room/, rejected])
  t.same(await refusals(service), [])
})

const notInstalled = (service: Service, count: number) => async () => {
  const messages = await notices(service, 'certificate_not_installed')
  return messages.length === count && messages
}

test('generated certificates - by the authority of the operator, and no longer than it is good', async (t) => {
  const { service } = await signingTenant(shared, 'GENERATED')
  const generate = (validity_days: number) =>
    service.request('POST', '/api/v1/chargepoints/GENERATED/certificates/generate', {
      validity_days,
      key_type: 'p-256',
    })
  const cut = await generate(365)
  t.match(cut, { status: 201, body: { shortened: true } })
  t.ok(Date.parse(cut.body.expires_at) < Date.now() + 31 * 86_400_000, 'the authority is good for 30 days')
  t.match(await generate(7), { body: { shortened: false } })
  await t.rejects(async () => readdirSync(join(service.data, 'authority')), { code: 'ENOENT' })
})

test('sign certificate - without the key of the authority, the request is rejected, and no certificate is issued', async (t) => {
  const folder = opensslFolder()
  const flags = [...tlsFlags(folder), '--tls-client-ca-file', folder.write('theirs.pem', ca)]
  const service = await startService(t, { flags, authority: ca })
  await service.register('CP-1')
  const headers = await passwordOf(service, 'CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ca }, headers })
  await client.boot()
  const { csr } = makeRequest(folder, 'P-256', '/CN=CP-1')
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Rejected' } })
  t.match(await refusals(service), [/no authority/])
  t.match(await service.request('POST', '/api/v1/chargepoints/CP-1/certificates/generate'), {
    status: 409,
    body: { error: { code: 'no_authority', message: /--client-ca-key-file/ } },
  })
})
