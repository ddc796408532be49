// Charge points that are known by their serial number: registered by their operator, in their certificate, and nobody else's.

import { test } from 'tap'
import { makeCertificate } from '../edge/certificates.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { makeRequest, opensslFolder } from '../support/openssl.js'
import { makeOrganization } from '../support/organization.js'
import { startService } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { passwordOf } from '../support/signing-service.js'

const authority = makeCertificate({ commonName: 'Charge point authority' })
const server = makeCertificate({ commonName: 'ampshard', issuer: authority, server: true })
const ca = authority.certificatePem

test('serial numbers - a charge point gets and presents a certificate in its serial number, at its own address alone', async (t) => {
  const folder = opensslFolder()
  const authorityFile = folder.write('authority.pem', ca)
  const flags = [
    ['--tls-key-file', folder.write('server.key', server.keyPem)],
    ['--tls-certificate-file', folder.write('server.pem', server.certificatePem)],
    ['--tls-client-ca-file', authorityFile],
    ['--client-ca-key-file', folder.write('authority.key', authority.keyPem)],
  ].flat()
  const service = await startService(t, { flags, authority: ca })
  t.equal((await service.register('CP-1', { serial_number: 'SN-4711' })).status, 201)
  t.equal((await service.register('CP-2')).status, 201)
  const path = '/api/v1/chargepoints/CP-1'
  t.match((await service.request('GET', path)).body, { serial_number: 'SN-4711' })

  const headers = await passwordOf(service, 'CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ca }, headers })
  await client.boot({ chargePointSerialNumber: 'SN-of-its-own' })
  t.equal((await service.register('CP-3')).status, 201)
  const third = await connectOcpp(`${service.ocppUrl}/CP-3`, {
    tls: { ca },
    headers: await passwordOf(service, 'CP-3'),
  })
  await third.boot({ chargePointSerialNumber: 'SN-of-its-own' })
  const { csr: other } = makeRequest(folder, 'P-256', '/CN=SN-of-its-own')
  t.match(await third.call('SignCertificate', { csr: other }), { payload: { status: 'Rejected' } })
  const { csr, keyPem } = makeRequest(folder, 'P-256', '/CN=SN-4711')
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Accepted' } })
  const [, , , payload] = await client.answerNext({ status: 'Accepted' })
  const tls = { ca, key: keyPem, cert: (payload as { certificateChain: string }).certificateChain }
  const secured = await connectOcpp(`${service.ocppUrl}/CP-1`, { tls })
  t.match(await secured.call('Heartbeat', {}), { error: undefined })
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-2`, { tls }), { message: 'HTTP 403' })

  await t.rejects(
    connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ca }, headers }),
    { message: 'HTTP 403' },
    'it has had one',
  )
  t.equal((await service.request('PATCH', path, { certificate_required: false })).body.certificate_required, false)
  await (await connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ca }, headers })).close()
  t.equal((await service.request('PATCH', path, { certificate_required: true })).body.certificate_required, true)
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-1`, { tls: { ca }, headers }), { message: 'HTTP 403' })
  const changed = await service.request('PATCH', path, { certificate_required: null, serial_number: null })
  t.match(changed, { status: 200, body: { certificate_required: null, serial_number: null } })
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-1`, { tls }), { message: 'HTTP 403' }, 'the number is its no more')
})

test('serial numbers - no charge point has another one’s id or serial number, over all organizations', async (t) => {
  const service = await sharedService(['--unknown-charge-points', 'accept'])
  const other = await makeOrganization(service)
  const { register: theirs } = other
  t.equal((await service.register('SERIAL-1', { serial_number: 'SERIAL-SN-1' })).status, 201)
  const taken = { status: 409, body: { error: { code: 'serial_number_taken', details: [{ path: '/serial_number' }] } } }
  t.match(await theirs('SERIAL-2', { serial_number: 'SERIAL-SN-1' }), taken)
  t.match(await theirs('SERIAL-2', { serial_number: 'serial-sn-1' }), taken)
  t.match(await theirs('SERIAL-2', { serial_number: 'SERIAL-1' }), taken, 'a certificate in it would be SERIAL-1’s')
  t.match(await theirs('SERIAL-SN-1'), { status: 409, body: { error: { code: 'charge_point_exists' } } })
  await t.rejects(
    connectOcpp(`${service.ocppUrl}/SERIAL-SN-1`),
    { message: 'HTTP 404' },
    'nor does one register itself as it',
  )
  t.equal((await theirs('SERIAL-2', { serial_number: 'SERIAL-2' })).status, 201, 'its own id is nobody else’s')
  const patch = (serial_number: string | null) =>
    other.request('PATCH', '/api/v1/chargepoints/SERIAL-2', { serial_number })
  t.match(await patch('SERIAL-SN-1'), taken)
  t.match(await patch('SERIAL-1'), taken)
  t.match(await patch('SERIAL-SN-2'), { status: 200, body: { serial_number: 'SERIAL-SN-2' } })
  t.match(await patch('SERIAL-SN-2'), { status: 200 }, 'again')
  t.match(await patch('serial-sn-2'), { status: 200, body: { serial_number: 'serial-sn-2' } }, 'in another spelling')
  for (const wrong of ['', ' SN', 'SN ', 'S\nN', 'é', 'S'.repeat(65)])
    t.match(await patch(wrong), { status: 400, body: { error: { details: [{ path: '/serial_number' }] } } }, wrong)
  t.equal((await service.request('DELETE', '/api/v1/chargepoints/SERIAL-1')).status, 204)
  t.match(await patch('SERIAL-SN-1'), { status: 200 }, 'a name is free when its charge point is gone')
  const both = await Promise.all(['SERIAL-3', 'SERIAL-4'].map((id) => theirs(id, { serial_number: 'SERIAL-SN-9' })))
  t.same(both.map(({ status }) => status).sort(), [201, 409], 'one of two at the same moment')
})
