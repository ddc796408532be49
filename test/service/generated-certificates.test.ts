// Certificates for keys that the service makes, by an authority that it makes at the first of them. What is made is judged by openssl, and by
// connecting with it.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { t, test } from 'tap'
import { installerOf } from '../support/installer.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { makeRequest, opensslFolder } from '../support/openssl.js'
import { type Service, startService } from '../support/service.js'
import { ca, tlsFlags } from '../support/signing-service.js'

const folder = opensslFolder()
const service = await startService(t, { flags: [...tlsFlags(folder), '--fronts', '2'], authority: ca })

interface Generated {
  readonly certificate_id: string
  readonly certificate_pem: string
  readonly private_key_pem: string
  readonly ca_certificate_pem: string
  readonly serial_number: string
  readonly expires_at: string
}

const pathOf = (id: string) => `/api/v1/chargepoints/${id}/certificates`

async function generate(at: Service, id: string, body?: object): Promise<Generated> {
  const answer = await at.request('POST', `${pathOf(id)}/generate`, body)
  if (answer.status !== 201) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Over TLS, with a certificate or without. */
function connect(at: Service, id: string, made?: Generated): Promise<OcppClient> {
  const shown = made === undefined ? {} : { key: made.private_key_pem, cert: made.certificate_pem }
  return connectOcpp(`${at.ocppUrl}/${id}`, { tls: { ca, ...shown } })
}

const statuses = async (at: Service, id: string): Promise<string[]> =>
  (await at.request('GET', pathOf(id))).body.certificates.map(({ status }: { status: string }) => status)

const refused = { message: 'HTTP 403' }
const authorityFiles = (data: string) => readdirSync(join(data, 'authority')).filter((name) => name.endsWith('.pem'))

test('generated certificates - the first makes the authority, once over two fronts, and every front trusts it at once', async (t) => {
  const ids = ['GEN-1', 'GEN-2', 'GEN-3', 'GEN-4']
  for (const id of ids) {
    await service.register(id)
    await service.request('PATCH', `/api/v1/chargepoints/${id}`, { certificate_required: true })
  }
  const made = await Promise.all(
    ids.map((id, at) => generate(service, id, at === 3 ? undefined : { key_type: 'p-256' })),
  )
  t.equal(new Set(made.map((one) => one.ca_certificate_pem)).size, 1)
  const [file = ''] = authorityFiles(service.data)
  t.equal(authorityFiles(service.data).length, 1)
  t.equal(statSync(join(service.data, 'authority', file)).mode & 0o777, 0o600)
  for (const [at, one] of made.entries()) {
    // Which front the kernel gives a connection to is not known: several are tried.
    for (let times = 0; times < 4; times++) {
      const client = await connect(service, ids[at] as string, one)
      await client.boot()
    }
    folder.write('made.pem', one.certificate_pem)
    folder.write('own.pem', one.ca_certificate_pem)
    t.match(
      folder.run('verify', '-x509_strict', '-purpose', 'sslclient', '-CAfile', 'own.pem', 'made.pem'),
      'made.pem: OK',
    )
  }
  const shown = folder.run('x509', '-in', 'made.pem', '-noout', '-subject', '-text')
  t.match(shown, /CN ?= ?GEN-4/)
  t.match(shown, /Public-Key: \(2048 bit\)/)
})

test('generated certificates - validity, kind of key, and what must not be asked for', async (t) => {
  await service.register('GEN-5')
  const { expires_at, certificate_pem } = await generate(service, 'GEN-5', { validity_days: 1_095, key_type: 'p-256' })
  t.ok(Math.abs(Date.parse(expires_at) - Date.now() - 1_095 * 86_400_000) < 60_000)
  folder.write('made.pem', certificate_pem)
  const text = folder.run('x509', '-in', 'made.pem', '-noout', '-text')
  t.match(text, 'ASN1 OID: prime256v1')
  const [, from = ''] = /Not Before: (.*)/.exec(text) ?? []
  t.ok(Math.abs(Date.now() - 86_400_000 - Date.parse(from)) < 60_000, 'a clock that is a day behind does no harm')
  for (const validity_days of [0, 1_096, 1.5, '365'])
    t.match(await service.request('POST', `${pathOf('GEN-5')}/generate`, { validity_days }), {
      status: 400,
      body: { error: { code: 'validation_error', details: [{ path: '/validity_days' }] } },
    })
  const absent = await service.request('POST', `${pathOf('NOBODY')}/generate`)
  t.equal(absent.status, 404)
})

test('generated certificates - of two both are good until the newer one has come; then the older one is refused', async (t) => {
  await service.register('GEN-7')
  const older = await generate(service, 'GEN-7', { key_type: 'p-256' })
  const newer = await generate(service, 'GEN-7', { key_type: 'p-256' })
  await (await connect(service, 'GEN-7', older)).close()
  t.same(await statuses(service, 'GEN-7'), ['active', 'active'])
  const client = await connect(service, 'GEN-7', newer)
  await client.boot()
  t.same(await statuses(service, 'GEN-7'), ['active', 'superseded'])
  await t.rejects(connect(service, 'GEN-7', older), refused)
  await client.boot()
})

test('generated certificates - no good one is forgotten: with fifty of them no other is issued until some are revoked or superseded', async (t) => {
  await service.register('GEN-9')
  const made: Generated[] = []
  while (made.length < 50) made.push(await generate(service, 'GEN-9', { key_type: 'p-256' }))
  const another = () => service.request('POST', `${pathOf('GEN-9')}/generate`, { key_type: 'p-256' })
  t.match(await another(), { status: 409, body: { error: { code: 'too_many_certificates' } } })
  const { certificates } = (await service.request('GET', pathOf('GEN-9'))).body
  t.same(
    certificates.map(({ certificate_id }: Generated) => certificate_id),
    made.map(({ certificate_id }) => certificate_id).reverse(),
  )
  t.equal((await service.request('DELETE', `${pathOf('GEN-9')}/${made[0]?.certificate_id}`)).status, 204)
  const newest = await generate(service, 'GEN-9', { key_type: 'p-256' })
  t.equal((await another()).status, 409)
  await (await connect(service, 'GEN-9', newest)).boot()
  t.equal((await another()).status, 201, 'the others are superseded')
})

test('generated certificates - one that is revoked ends its connection and opens no other; the others stay good', async (t) => {
  await service.register('GEN-8')
  const [one, other] = [await generate(service, 'GEN-8', { key_type: 'p-256' }), await generate(service, 'GEN-8')]
  const client = await connect(service, 'GEN-8', one)
  const path = `${pathOf('GEN-8')}/${one.certificate_id}`
  t.equal((await service.request('DELETE', path)).status, 204)
  t.same(await client.closed, { code: 1000, reason: 'the certificate has been revoked' })
  await t.rejects(connect(service, 'GEN-8', one), refused)
  await (await connect(service, 'GEN-8', other)).boot()
  t.same((await statuses(service, 'GEN-8')).sort(), ['active', 'revoked'])
  t.equal((await service.request('DELETE', path)).status, 204, 'it may be revoked again')
  t.equal((await service.request('DELETE', `${pathOf('GEN-1')}/${one.certificate_id}`)).status, 404)
})

test('generated certificates - lists of revoked ones and the authority are at public addresses, and follow each revocation', async (t) => {
  const publicText = async (path: string) => {
    const response = await service.request('GET', path, undefined, { authorization: '' })
    t.equal(response.status, 200)
    return response.body as string
  }
  await service.register('GEN-9')
  const made = await generate(service, 'GEN-9', { key_type: 'p-256' })
  folder.write('own.pem', await publicText('/pki/authority.pem'))
  t.equal(folder.read('own.pem'), made.ca_certificate_pem)
  folder.write('made.pem', made.certificate_pem)
  const checked = async () => {
    folder.write('revoked.pem', await publicText('/pki/revoked.pem'))
    t.match(folder.runBoth('crl', '-in', 'revoked.pem', '-CAfile', 'own.pem', '-noout'), /verify OK/)
    return folder.runBoth('verify', '-crl_check', '-CAfile', 'own.pem', '-CRLfile', 'revoked.pem', 'made.pem')
  }
  t.match(await checked(), 'made.pem: OK')
  t.equal((await service.request('DELETE', `${pathOf('GEN-9')}/${made.certificate_id}`)).status, 204)
  t.match(await checked(), /certificate revoked/)
  const shown = folder.run('crl', '-in', 'revoked.pem', '-noout', '-text')
  t.match(shown, new RegExp(`Serial Number: ${made.serial_number}`, 'i'))
  t.match(shown, /X509v3 CRL Number/)
  await service.register('GEN-10')
  const another = await generate(service, 'GEN-10', { key_type: 'p-256' })
  t.equal((await service.request('DELETE', '/api/v1/chargepoints/GEN-10')).status, 204)
  folder.write('made.pem', another.certificate_pem)
  t.match(await checked(), /certificate revoked/, 'those of a charge point that is removed, too')
})

test('generated certificates - an installer reads why a request of its charge point was not signed', async (t) => {
  const installer = await installerOf(service)
  const path = '/api/v1/installer/charge-points'
  const cases = [
    ['WEAK', makeRequest(folder, 'RSA 1024', '/CN=GEN-WEAK').csr, /1024 bits; it must have 2048 to 4096/],
    ['NAMED', makeRequest(folder, 'P-256', '/CN=GEN-WEAK').csr, /its common name is "GEN-WEAK"/],
    ['LONG', `-----BEGIN CERTIFICATE REQUEST-----\n${'x'.repeat(10_240)}`, /longer than the 5500 characters/],
  ] as const
  for (const [what, csr, why] of cases) {
    const id = `GEN-${what}`
    const box = { charge_point_id: id, model: 'M', vendor: 'V', serial_number: `SN-${id}`, project_id: 'P' }
    await installer.request('POST', path, box)
    const made = await installer.request('POST', `${path}/${id}/certificates/generate`, { key_type: 'p-256' })
    const client = await connect(service, id, made.body)
    await client.boot()
    t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Rejected' } }, what)
    const { body } = await installer.request('GET', `${path}/${id}/certificates`)
    t.match(body, { certificates: [{ status: 'active' }], notices: [{ at: String, message: why }] }, what)
    t.equal(body.notices.length, 1)
    await client.close()
    t.equal((await service.register(id)).status, 201)
    const { body: alerts } = await service.request('GET', `/api/v1/alerts?charge_point_id=${id}`)
    t.match(alerts, { total: 0 }, 'an organization that claims it later is not told')
  }
})

test('generated certificates - an installer issues them until an organization claims the charge point, for which they stay good', async (t) => {
  const installer = await installerOf(service)
  const path = '/api/v1/installer/charge-points'
  const box = { charge_point_id: 'GEN-11', model: 'M', vendor: 'V', serial_number: 'SN-11', project_id: 'P' }
  t.equal((await installer.request('POST', path, box)).status, 201)
  const issue = (by: Pick<Service, 'request'>) =>
    by.request('POST', `${path}/GEN-11/certificates/generate`, { key_type: 'p-256' })
  const made = await issue(installer)
  t.match(made, { status: 201, body: { charge_point_id: 'GEN-11', private_key_pem: /BEGIN PRIVATE KEY/ } })
  t.match((await installer.request('GET', `${path}/GEN-11/certificates`)).body, {
    certificates: [{ certificate_id: made.body.certificate_id, status: 'active' }],
  })
  t.equal((await issue(await installerOf(service))).status, 404, 'nobody else')
  await (await connect(service, 'GEN-11', made.body)).boot()
  t.equal((await service.register('GEN-11')).status, 201)
  await (await connect(service, 'GEN-11', made.body)).boot()
  t.match(await issue(installer), { status: 409, body: { error: { code: 'charge_point_claimed' } } })
  t.same(await statuses(service, 'GEN-11'), ['active'], 'the organization has them now')
  await service.request('DELETE', pathOf('GEN-11'))
  await t.rejects(connect(service, 'GEN-11', made.body), refused)
})
