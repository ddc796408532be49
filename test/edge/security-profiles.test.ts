// Security profiles 0 to 3 against the built service, with TLS and certificates of the test's own authorities.

import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { t as file, type Test, test } from 'tap'
import { type ChargePoint, chargePointsTable } from '../../src/records/charge-point.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openWriter } from '../../src/runtime/store/lmdb-store.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { type Service, type ServiceOptions, startService } from '../support/service.js'
import { until } from '../support/until.js'
import { type Identity, makeCertificate } from './certificates.js'

const serverAuthority = makeCertificate({ commonName: 'Server authority' })
const chargerAuthority = makeCertificate({ commonName: 'Charge point authority' })
const serverIdentity = (): Identity =>
  makeCertificate({ commonName: 'ampshard', issuer: serverAuthority, server: true })
const ca = serverAuthority.certificatePem

interface TlsService extends Service {
  /** Writes other files in place of those the service was started with. */
  replaceFiles(server: Identity, clientAuthority: string): void
}

async function startTls(t: Test, earlier: Partial<ServiceOptions> = {}): Promise<TlsService> {
  const folder = mkdtempSync(join(tmpdir(), 'ampshard-listener-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [key, certificate, authority] = ['key.pem', 'certificate.pem', 'authority.pem'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  function replaceFiles(server: Identity, clientAuthority: string): void {
    writeFileSync(key, server.keyPem)
    writeFileSync(certificate, server.certificatePem)
    writeFileSync(authority, clientAuthority)
  }
  replaceFiles(serverIdentity(), chargerAuthority.certificatePem)
  const files = ['--tls-key-file', key, '--tls-certificate-file', certificate, '--tls-client-ca-file', authority]
  const flags = [...files, ...(earlier.flags ?? [])]
  return { ...(await startService(t, { ...earlier, flags, authority: ca })), replaceFiles }
}

const client = (identity: Identity) => ({ tls: { ca, key: identity.keyPem, cert: identity.certificatePem } })
const charger = (commonName: string, issuer = chargerAuthority, validDays = 2): Identity =>
  makeCertificate({ commonName, issuer, validDays })

const basic = (user: string, hexKey: string): string =>
  `Basic ${Buffer.concat([Buffer.from(`${user}:`), Buffer.from(hexKey, 'hex')]).toString('base64')}`

/** The serial number of the certificate that a new handshake sees. */
async function certificateSeen(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ca })
  await once(socket, 'secureConnect')
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}

async function alive(connected: OcppClient): Promise<boolean> {
  return (await connected.boot()).payload.status === 'Accepted'
}

/** Writes what no route sets: a service that is started on these data finds it. */
async function changeStored(data: string, chargePointId: string, fields: Partial<ChargePoint>): Promise<void> {
  const store = openWriter(data, tables, { schemaVersion })
  const row = { ...(store.view().get(chargePointsTable, [chargePointId]) as ChargePoint), ...fields }
  const change = { type: 'put' as const, table: chargePointsTable.name, key: [chargePointId], row: encodeRow(row) }
  await store.commit({ partition: -1, epoch: 0, sequence: 0, changes: [change] })
  await store.close()
}

async function startWithStored(t: Test): Promise<TlsService> {
  const first = await startService(t)
  await first.register('CP-STORED')
  await first.stop()
  await changeStored(first.data, 'CP-STORED', { certificate_required: true, serial_number: 'SN-3' })
  return startTls(t, { data: first.data, key: first.key })
}

/** Of all tests that need no more of it than TLS. */
const installation = await startWithStored(file)

test('security profiles - with and without password and certificate, over TLS', async (t) => {
  const service = await tenantOf(installation)
  t.match(service.ocppUrl, /^wss:/)
  await service.register('CP-0')
  await service.register('CP-2')
  await service.register('CP-3')
  const made = await service.request('POST', '/api/v1/chargepoints/CP-2/authorization-key', {})
  const key: string = made.body.authorization_key
  const url = (id: string): string => `${service.ocppUrl}/${id}`

  t.ok(await alive(await connectOcpp(url('CP-0'), { tls: { ca } })), 'profile 0: nothing is asked of it')
  const headers = { authorization: basic('CP-2', key) }
  t.ok(await alive(await connectOcpp(url('CP-2'), { tls: { ca }, headers })), 'profile 2: the password')
  t.ok(await alive(await connectOcpp(url('CP-3'), client(charger('CP-3')))), 'profile 3: its id')

  await t.rejects(connectOcpp(url('CP-2'), { tls: { ca } }), /HTTP 401/)
  const wrong = { authorization: basic('CP-2', '00'.repeat(20)) }
  await t.rejects(connectOcpp(url('CP-2'), { tls: { ca }, headers: wrong }), /HTTP 401/)
  await t.rejects(
    connectOcpp(url('CP-2'), { ...client(charger('CP-3')), headers }),
    /HTTP 403/,
    "another one's certificate",
  )
  await t.rejects(connectOcpp(url('CP-0'), client(charger('CP-3'))), /HTTP 403/)

  const list = await until(async () => {
    const attempts = await service.request('GET', '/api/v1/cpo/connection-attempts')
    return attempts.body.total === 4 && attempts
  })
  const reasons = list.body.data.map(
    (attempt: { reason: string; http_status: number }) => `${attempt.reason} ${attempt.http_status}`,
  )
  t.same(reasons.sort(), ['no_password 401', 'wrong_certificate 403', 'wrong_certificate 403', 'wrong_password 401'])
  const advice = list.body.data.find((attempt: { reason: string }) => attempt.reason === 'wrong_certificate').advice
  t.match(advice, /common name.*CP-3/)
})

test('security profiles - a charge point that must present its certificate, by id or serial number', async (t) => {
  const url = `${installation.ocppUrl}/CP-STORED`
  await t.rejects(connectOcpp(url, { tls: { ca } }), /HTTP 403/)
  for (const name of ['CP-STORED', 'SN-3']) t.ok(await alive(await connectOcpp(url, client(charger(name)))), name)
  await t.rejects(connectOcpp(url, client(charger('SN-4'))), /HTTP 403/)
})

test('security profiles - a charge point that has come with its certificate is not taken without it again', async (t) => {
  const service = installation
  await service.register('CP-4')
  const url = `${service.ocppUrl}/CP-4`
  t.ok(await alive(await connectOcpp(url, { tls: { ca } })), 'without one, before it has one')
  t.ok(await alive(await connectOcpp(url, client(charger('CP-4')))), 'with it')
  await t.rejects(connectOcpp(url, { tls: { ca } }), /HTTP 403/, 'without it, from then on')
})

test("security profiles - with --cpo-name, a certificate of another operator's organization is refused", async (t) => {
  const service = await startTls(t, { flags: ['--cpo-name', 'Example Charging'] })
  await service.register('CP-5')
  const url = `${service.ocppUrl}/CP-5`
  const of = (...organizations: string[]) =>
    client(makeCertificate({ commonName: 'CP-5', organizations, issuer: chargerAuthority }))
  t.ok(await alive(await connectOcpp(url, of('Example Charging Ltd'))))
  await t.rejects(connectOcpp(url, of('Somebody Else Ltd')), /HTTP 403/)
  await t.rejects(connectOcpp(url, of()), /HTTP 403/)
  const { body } = await until(async () => {
    const attempts = await service.request('GET', '/api/v1/cpo/connection-attempts?charge_point_id=CP-5')
    return attempts.body.total === 2 && attempts
  })
  for (const { reason, http_status: status, advice } of body.data)
    t.match({ reason, status, advice }, { reason: 'wrong_organization', status: 403, advice: /Example Charging/ })
})

test('security profiles - a certificate of another authority, or one that has run out, ends in the handshake', async (t) => {
  const service = installation
  await service.register('CP-6')
  const url = `${service.ocppUrl}/CP-6`
  const stranger = makeCertificate({ commonName: 'Charge point authority' })
  for (const identity of [charger('CP-6', stranger), charger('CP-6', chargerAuthority, -1)]) {
    const error = await connectOcpp(url, client(identity)).then(
      () => new Error('it was taken'),
      (error: Error) => error,
    )
    t.notMatch(error.message, /HTTP|taken/, error.message)
  }
  t.ok(await alive(await connectOcpp(url, client(charger('CP-6')))))
})

/** Offers a connection with a TLS session: the status line of the answer, whether the session was resumed, and the session after it. */
async function upgradeWith(port: number, id: string, { keyPem, certificatePem }: Identity, session?: Buffer) {
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca,
    key: keyPem,
    cert: certificatePem,
    ...(session && { session }),
  })
  let next = session
  socket.on('session', (made: Buffer) => {
    next = made
  })
  const headers = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ocpp1.6\r\n'
  socket.write(`GET /ocpp16/${id} HTTP/1.1\r\n${headers}${key}\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  const resumed = socket.isSessionReused()
  socket.destroy()
  return { status: Number(answer.toString('latin1').split(' ')[1]), resumed, session: next }
}

test('security profiles - a TLS session that is resumed does not outlive its certificate', async (t) => {
  const service = installation
  await service.register('CP-7')
  const identity = charger('CP-7', chargerAuthority, 3 / 86_400)
  const first = await upgradeWith(service.port, 'CP-7', identity)
  t.match(first, { status: 101, resumed: false })
  const end = Date.parse(new X509Certificate(identity.certificatePem).validTo)
  await until(() => Date.now() > end)
  t.match(await upgradeWith(service.port, 'CP-7', identity, first.session), { status: 403, resumed: true })
})

test('security profiles - SIGHUP takes key, certificate and authority from their files, sockets stay', async (t) => {
  const service = await startTls(t)
  await service.register('CP-3')
  const url = `${service.ocppUrl}/CP-3`
  const before = await connectOcpp(url, client(charger('CP-3')))
  t.ok(await alive(before))
  const first = await certificateSeen(service.port)

  const otherAuthority = makeCertificate({ commonName: 'Second authority' })
  service.replaceFiles(serverIdentity(), otherAuthority.certificatePem)
  service.process.kill('SIGHUP')
  const second = await until(async () => {
    // A handshake that waits at the old listener when it closes is reset; a charge point comes again.
    const seen = await certificateSeen(service.port).catch(() => first)
    return seen !== first && seen
  })
  t.ok(await alive(before), 'the old socket goes on')
  await t.rejects(connectOcpp(url, client(charger('CP-3'))), 'the old authority is no longer trusted')
  const after = await connectOcpp(url, client(charger('CP-3', otherAuthority)))
  t.ok(await alive(after))

  service.replaceFiles({ keyPem: 'no key', certificatePem: 'no certificate' }, 'nothing')
  service.process.kill('SIGHUP')
  await until(() => service.output().includes('the old ones stay'))
  t.equal(await certificateSeen(service.port), second, 'files that cannot be used change nothing')
  t.ok(await alive(after))
  t.equal(await service.stop(), 0)
})
