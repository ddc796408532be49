// A charge point asks for its certificate and gets it from the operator's authority (security whitepaper, A02). What is made is
// judged by openssl.

import { type Test, test } from 'tap'
import { makeCertificate } from '../edge/certificates.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type KeyKind, makeAuthority, makeRequest, type OpensslFolder, opensslFolder } from '../support/openssl.js'
import { type Service, startService } from '../support/service.js'

const serverAuthority = makeCertificate({ commonName: 'Server authority' })
const server = makeCertificate({ commonName: 'ampshard', issuer: serverAuthority, server: true })
const ca = serverAuthority.certificatePem

interface Signing {
  readonly service: Service
  readonly folder: OpensslFolder
  readonly client: OcppClient
}

async function signingService(t: Test, authority: KeyKind, more: readonly string[] = []): Promise<Signing> {
  const folder = opensslFolder()
  makeAuthority(folder, authority, 'authority')
  const flags = [
    ['--tls-key-file', folder.write('server.key', server.keyPem)],
    ['--tls-certificate-file', folder.write('server.pem', server.certificatePem)],
    ['--tls-client-ca-file', folder.path('authority.pem')],
    ['--client-ca-key-file', folder.path('authority.key')],
    more,
  ].flat()
  const service = await startService(t, { flags, authority: ca })
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ca } })
  await client.boot()
  return { service, folder, client }
}

async function refusals(service: Service): Promise<string[]> {
  const { body } = await service.request(
    'GET',
    '/api/v1/alerts?kind=certificate_request_refused&status=notice&per_page=100',
  )
  return body.alerts.map(({ message }: { message: string }) => message)
}

for (const authority of ['RSA 2048', 'P-256', 'P-384'] as const)
  test(`sign certificate - an authority of ${authority} signs every kind of key, and the charge point connects with it`, async (t) => {
    const { service, folder, client } = await signingService(t, authority)
    let last: { key: string; cert: string } | undefined
    for (const kind of ['RSA 2048', 'RSA 4096', 'P-256', 'P-384'] as const) {
      const { csr, keyPem } = makeRequest(folder, kind, '/O=Exämple Charging/CN=CP-1')
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
      t.match(shown, /O=Exämple Charging,CN=CP-1/)
      t.match(shown, 'TLS Web Client Authentication')
      last = { key: keyPem, cert: chain }
    }
    const secured = await connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ca, ...last } })
    t.match(await secured.call('Heartbeat', {}), { error: undefined })
    t.same(await refusals(service), [])
  })

test('sign certificate - what must not be signed is rejected at once, and the operator learns why', async (t) => {
  const { service, folder, client } = await signingService(t, 'P-256')
  const { csr } = makeRequest(folder, 'P-256', '/CN=CP-1')
  const flipped = Buffer.from(csr.split('\n').slice(1, -2).join(''), 'base64')
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
  const asPem = (der: Buffer): string =>
    `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
  const cases: readonly (readonly [csr: string, why: RegExp])[] = [
    ['MIIB', /not a certificate request in PEM/],
    ['', /not a certificate request in PEM/],
    [asPem(Buffer.from('MIIB')), /cannot be read/],
    [asPem(Buffer.alloc(3_000, Buffer.of(0x30, 0x80))), /cannot be read/],
    [asPem(flipped), /not signed with its own key/],
    [makeRequest(folder, 'P-256', '/CN=CP-2').csr, /its common name is "CP-2"/],
    [makeRequest(folder, 'P-256', '/O=Example').csr, /exactly one common name/],
    [makeRequest(folder, 'P-256', '/CN=CP-1/CN=CP-2').csr, /exactly one common name/],
    [makeRequest(folder, 'RSA 1024', '/CN=CP-1').csr, /1024 bits/],
    [makeRequest(folder, 'RSA 2048', '/CN=CP-1', ['-sha1']).csr, /SHA-256/],
    [makeRequest(folder, 'P-521', '/CN=CP-1').csr, /secp521r1/],
    [makeRequest(folder, 'secp256k1', '/CN=CP-1').csr, /secp256k1/],
    [makeRequest(folder, 'Ed25519', '/CN=CP-1').csr, /ed25519/],
  ]
  for (const [at, [request, why]] of cases.entries()) {
    const id = `REFUSED-${at}`
    await service.register(id, {})
    const own = await connectOcpp(`${service.ocppUrl}/${id}`, { tls: { ca } })
    await own.boot()
    const named = request
    t.match(await own.call('SignCertificate', { csr: named }), { payload: { status: 'Rejected' } }, `${why}`)
    await own.close()
  }
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

test("sign certificate - with --cpo-name, what is signed carries the operator's name, and opens the connection", async (t) => {
  const { service, folder, client } = await signingService(t, 'P-256', ['--cpo-name', 'Exämple Charging'])
  for (const [subject, organization] of [
    ['/CN=CP-1', 'O=Exämple Charging'],
    ['/O=Exämple Charging Ltd/CN=CP-1', 'O=Exämple Charging Ltd'],
  ] as const) {
    const { csr, keyPem } = makeRequest(folder, 'P-256', subject)
    t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Accepted' } }, subject)
    const [, , , payload] = await client.answerNext({ status: 'Accepted' })
    const { certificateChain: chain } = payload as { certificateChain: string }
    folder.write('signed.pem', chain)
    const shown = folder.run('x509', '-in', 'signed.pem', '-noout', '-subject', '-nameopt', 'utf8,sep_comma_plus')
    t.equal(shown.trim(), `subject=${organization},CN=CP-1`)
    const secured = await connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ca, key: keyPem, cert: chain } })
    t.match(await secured.call('Heartbeat', {}), { error: undefined })
    await secured.close()
  }
})

test('sign certificate - with --cpo-name, a request of another organization is rejected, and the operator learns why', async (t) => {
  const { service, folder, client } = await signingService(t, 'P-256', ['--cpo-name', 'Exämple Charging'])
  const { csr } = makeRequest(folder, 'P-256', '/O=Somebody Else/CN=CP-1')
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Rejected' } })
  t.match(await refusals(service), [/organization \(O\) is "Somebody Else".*CpoName/])
})

test('sign certificate - without an authority the request is rejected', async (t) => {
  const service = await startService(t)
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  const { csr } = makeRequest(opensslFolder(), 'P-256', '/CN=CP-1')
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Rejected' } })
  t.match(await refusals(service), [/no authority/])
})
