// For whom a client certificate is good, and until when: revoked, or of an earlier registration, it opens no connection any more.

import { X509Certificate } from 'node:crypto'
import { test } from 'tap'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { makeRequest, type OpensslFolder } from '../support/openssl.js'
import { makeOrganization } from '../support/organization.js'
import type { Service } from '../support/service.js'
import { ca, passwordOf, signingService } from '../support/signing-service.js'
import { until } from '../support/until.js'

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
  const { service, folder, client } = await signingService(t, 'P-256', ['--shards', '1'])
  const certificate = await signed(folder, client, 'CP-1')
  const secured = await connect(service, 'CP-1', certificate)
  const { body } = await service.request('GET', `${pathOf('CP-1')}/certificates`)
  const { serialNumber, validTo } = new X509Certificate(certificate.cert)
  t.match(body, {
    charge_point_id: 'CP-1',
    certificates: [{ serial_number: serialNumber.toLowerCase(), expires_at: new Date(validTo).toISOString() }],
    revoked_at: null,
  })
  const headers = await passwordOf(service, 'CP-1')
  await t.rejects(connect(service, 'CP-1', {}, headers), refused, 'it has come with a certificate')
  t.equal((await service.request('DELETE', `${pathOf('CP-1')}/certificates`)).status, 204)
  t.same(await secured.closed, { code: 1000, reason: 'the certificate has been revoked' })
  await t.rejects(connect(service, 'CP-1', certificate), refused)
  await t.rejects(connect(service, 'CP-1', {}), { message: 'HTTP 401' })
  await (await connect(service, 'CP-1', {}, headers)).close()
  t.same((await service.request('GET', `${pathOf('CP-1')}/certificates`)).body.certificates, [])
  const told = async () => {
    const { body } = await service.request('GET', '/api/v1/cpo/connection-attempts?charge_point_id=CP-1')
    return body.data.some(({ reason }: { reason: string }) => reason === 'revoked_certificate')
  }
  t.ok(await until(told), 'the operator sees why')
})

test('certificates - without a password, a charge point whose certificates are revoked is not taken for its id alone', async (t) => {
  const { service, folder, client } = await signingService(t, 'P-256')
  const certificate = await signed(folder, client, 'CP-1')
  await (await connect(service, 'CP-1', certificate)).close()
  t.equal((await service.request('DELETE', `${pathOf('CP-1')}/authorization-key`)).status, 204)
  t.equal((await service.request('DELETE', `${pathOf('CP-1')}/certificates`)).status, 204)
  await t.rejects(connect(service, 'CP-1', {}), refused)
  await (await connect(service, 'CP-1', {}, await passwordOf(service, 'CP-1'))).close()
})

test('certificates - those of an earlier registration are of no use in a later one, whoever made it', async (t) => {
  const { service, folder, client } = await signingService(t, 'P-256')
  const certificate = await signed(folder, client, 'CP-1')
  const secured = await connect(service, 'CP-1', certificate)
  t.equal((await service.request('DELETE', pathOf('CP-1'))).status, 204)
  await secured.closed
  const other = await makeOrganization(service)
  t.equal((await other.register('CP-1')).status, 201)
  await t.rejects(connect(service, 'CP-1', certificate), refused)
  await (await connect(service, 'CP-1', {})).close()
  t.equal((await other.request('DELETE', pathOf('CP-1'))).status, 204)
  t.equal((await service.register('CP-1')).status, 201)
  await t.rejects(connect(service, 'CP-1', certificate), refused, 'nor in another one of the same organization')
})

test('certificates - those that the authority has issued elsewhere go on working, until they are revoked', async (t) => {
  const { service, folder } = await signingService(t, 'P-256')
  await service.register('CP-2')
  const { csr, keyPem: key } = makeRequest(folder, 'P-256', '/CN=CP-2')
  folder.write('elsewhere.csr', csr)
  const authority = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-days', '30']
  folder.run('x509', '-req', '-in', 'elsewhere.csr', ...authority, '-out', 'elsewhere.pem')
  const certificate = { key, cert: folder.read('elsewhere.pem') }
  await (await connect(service, 'CP-2', certificate)).close()
  t.equal((await service.request('DELETE', `${pathOf('CP-2')}/certificates`)).status, 204)
  await t.rejects(connect(service, 'CP-2', certificate), refused)
})
