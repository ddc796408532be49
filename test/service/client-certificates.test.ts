// Who gets a client certificate, for whom it is good, and until when: revoked, or of an earlier registration, it opens no connection any more.

import { X509Certificate } from 'node:crypto'
import { t, test } from 'tap'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { makeRequest, type OpensslFolder } from '../support/openssl.js'
import { makeOrganization } from '../support/organization.js'
import type { Service } from '../support/service.js'
import { ca, passwordOf, refusals, signingService } from '../support/signing-service.js'
import { until } from '../support/until.js'

const shared = await signingService(t, 'P-256', ['--shards', '1'])

const refused = { message: 'HTTP 403' }
const pathOf = (id: string) => `/api/v1/chargepoints/${id}`

interface KeyAndCertificate {
  readonly key: string
  readonly cert: string
}

const connect = (service: Service, id: string, certificate: Partial<KeyAndCertificate>, headers = {}) =>
  connectOcpp(`${service.ocppUrl}/${id}`, { tls: { ca, ...certificate }, headers })

/** Signed by the service. */
async function signed(folder: OpensslFolder, client: OcppClient, id: string): Promise<KeyAndCertificate> {
  const { csr, keyPem } = makeRequest(folder, 'P-256', `/CN=${id}`)
  const { payload } = await client.call('SignCertificate', { csr })
  if (payload.status !== 'Accepted') throw new Error('it was not signed')
  const [, , , sent] = await client.answerNext({ status: 'Accepted' })
  return { key: keyPem, cert: (sent as { certificateChain: string }).certificateChain }
}

test('certificates - one that is revoked ends its socket and opens no other; the charge point comes back with its password', async (t) => {
  const { service, folder, charger } = shared
  const client = await charger('CERT-1')
  const certificate = await signed(folder, client, 'CERT-1')
  const secured = await connect(service, 'CERT-1', certificate)
  const { body } = await service.request('GET', `${pathOf('CERT-1')}/certificates`)
  const { serialNumber, validTo } = new X509Certificate(certificate.cert)
  t.match(body, {
    charge_point_id: 'CERT-1',
    certificates: [
      { status: 'active', serial_number: serialNumber.toLowerCase(), expires_at: new Date(validTo).toISOString() },
    ],
    revoked_at: null,
  })
  const headers = await passwordOf(service, 'CERT-1')
  await t.rejects(connect(service, 'CERT-1', {}, headers), refused, 'it has come with a certificate')
  t.equal((await service.request('DELETE', `${pathOf('CERT-1')}/certificates`)).status, 204)
  t.same(await secured.closed, { code: 1000, reason: 'the certificate has been revoked' })
  await t.rejects(connect(service, 'CERT-1', certificate), refused)
  await t.rejects(connect(service, 'CERT-1', {}), { message: 'HTTP 401' })
  await (await connect(service, 'CERT-1', {}, headers)).close()
  t.match((await service.request('GET', `${pathOf('CERT-1')}/certificates`)).body.certificates, [
    { status: 'revoked', revoked_at: /^20/ },
  ])
  const told = async () => {
    const { body } = await service.request('GET', '/api/v1/cpo/connection-attempts?charge_point_id=CERT-1')
    return body.data.some(({ reason }: { reason: string }) => reason === 'revoked_certificate')
  }
  t.ok(await until(told), 'the operator sees why')
})

test('certificates - without a password, a charge point whose certificates are revoked is not taken for its id alone', async (t) => {
  const { service, folder, charger } = shared
  const client = await charger('CERT-2')
  const certificate = await signed(folder, client, 'CERT-2')
  await (await connect(service, 'CERT-2', certificate)).close()
  t.equal((await service.request('DELETE', `${pathOf('CERT-2')}/authorization-key`)).status, 204)
  t.equal((await service.request('DELETE', `${pathOf('CERT-2')}/certificates`)).status, 204)
  await t.rejects(connect(service, 'CERT-2', {}), refused)
  await (await connect(service, 'CERT-2', {}, await passwordOf(service, 'CERT-2'))).close()
})

test('certificates - those of an earlier registration are of no use in a later one, whoever made it', async (t) => {
  const { service, folder, charger } = shared
  const client = await charger('CERT-3')
  const certificate = await signed(folder, client, 'CERT-3')
  const secured = await connect(service, 'CERT-3', certificate)
  t.equal((await service.request('DELETE', pathOf('CERT-3'))).status, 204)
  await secured.closed
  const other = await makeOrganization(service)
  t.equal((await other.register('CERT-3')).status, 201)
  await t.rejects(connect(service, 'CERT-3', certificate), refused)
  await (await connect(service, 'CERT-3', {})).close()
  t.equal((await other.request('DELETE', pathOf('CERT-3'))).status, 204)
  t.equal((await service.register('CERT-3')).status, 201)
  await t.rejects(connect(service, 'CERT-3', certificate), refused, 'nor in another one of the same organization')
})

test('certificates - those that the authority has issued elsewhere go on working, until they are revoked', async (t) => {
  const { service, folder } = shared
  await service.register('CERT-4')
  const { csr, keyPem: key } = makeRequest(folder, 'P-256', '/CN=CERT-4')
  folder.write('elsewhere.csr', csr)
  const authority = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-days', '30']
  folder.run('x509', '-req', '-in', 'elsewhere.csr', ...authority, '-out', 'elsewhere.pem')
  const certificate = { key, cert: folder.read('elsewhere.pem') }
  await (await connect(service, 'CERT-4', certificate)).close()
  t.equal((await service.request('DELETE', `${pathOf('CERT-4')}/certificates`)).status, 204)
  await t.rejects(connect(service, 'CERT-4', certificate), refused)
})

test('certificates - only for a charge point that has shown more than its id, unless its operator says otherwise', async (t) => {
  const { service, folder } = shared
  await service.register('OPEN')
  const { csr } = makeRequest(folder, 'P-256', '/CN=OPEN')
  const client = await connectOcpp(`${service.ocppUrl}/OPEN`, { tls: { ca } })
  await client.boot()
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Rejected' } })
  t.match(await refusals(service), [/without a client certificate, and without a password over TLS/])
  const change = (sign_without_password: boolean) =>
    service.request('PATCH', '/api/v1/chargepoints/OPEN', { sign_without_password })
  t.match(await change(true), { status: 200, body: { sign_without_password: true } })
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Accepted' } })
  await client.answerNext({ status: 'Accepted' })
  t.match(await change(false), { status: 200, body: { sign_without_password: false } })
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Rejected' } })
  const { body } = await service.request('GET', '/metrics')
  t.match(body, /ampshard_certificate_requests_total\{[^}]*outcome="unproven"\} 2/)
  t.match(body, /ampshard_certificate_requests_total\{[^}]*outcome="signed"\}/)
})
