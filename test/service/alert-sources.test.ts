// Alerts of the built service that come from its edge: many refused connections, and certificates near their end.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { makeCertificate } from '../edge/certificates.js'
import { alertsOf, openAlerts, setThresholds, settleAtOnce } from '../support/alerts.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { makeOrganization } from '../support/organization.js'
import { startService } from '../support/service.js'

test('alerts - refused connections are summed over the fronts, for whose charge points they are', async (t) => {
  const service = await startService(t, { flags: ['--fronts', '2'] })
  await setThresholds(service, { refused_connections_per_hour: 6 })
  const other = await makeOrganization(service)
  await other.request('PUT', `/api/v1/organizations/${other.id}/settings`, {
    alert_thresholds: { refused_connections_per_hour: 4 },
  })
  const registration = { charge_point_id: 'CP-1', name: 'CP-1', latitude: 0, longitude: 0, address: '' }
  await other.request('POST', '/api/v1/chargepoints', { ...registration, connector_count: 1, max_power_kw: 22 })
  await other.request('POST', '/api/v1/chargepoints/CP-1/authorization-key')
  const knock = async (id: string, times: number) => {
    for (let time = 0; time < times; time++)
      await connectOcpp(`${service.ocppUrl}/${id}`).then(
        () => t.fail('it was let in'),
        () => undefined,
      )
  }
  await knock('CP-1', 4)
  t.match(await openAlerts(other, 1), [{ kind: 'connections_refused', details: { refused_connections: 4 } }])
  await knock('NOBODYS', 5)
  t.same(await alertsOf(service), [], "another organization's do not count")
  await knock('NOBODYS', 1)
  t.match(await openAlerts(service, 1), [{ kind: 'connections_refused', charge_point_id: null }])
})

test('alerts - certificates near their end, of the service and of a charge point, until others take their places', async (t) => {
  const authority = makeCertificate({ commonName: 'Server authority', validDays: 400 })
  const chargers = makeCertificate({ commonName: 'Charge point authority', validDays: 400 })
  const serverFor = (validDays: number) =>
    makeCertificate({ commonName: 'ampshard', issuer: authority, server: true, validDays })
  const short = serverFor(10)
  const folder = t.testdir({
    'key.pem': short.keyPem,
    'certificate.pem': short.certificatePem,
    'ca.pem': chargers.certificatePem,
  })
  const [key, certificate, ca] = ['key.pem', 'certificate.pem', 'ca.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const tls = ['--tls-key-file', key, '--tls-certificate-file', certificate, '--tls-client-ca-file', ca]
  const service = await startService(t, { flags: [...tls, ...settleAtOnce], authority: authority.certificatePem })
  t.match(await openAlerts(service, 1), [{ kind: 'certificate_expiring', details: { certificate: 'listener' } }])
  const long = serverFor(300)
  writeFileSync(key, long.keyPem)
  writeFileSync(certificate, long.certificatePem)
  service.process.kill('SIGHUP')
  await openAlerts(service, 0)

  await service.register('CP-1')
  const connect = (validDays: number) => {
    const own = makeCertificate({ commonName: 'CP-1', issuer: chargers, validDays })
    const options = { ca: authority.certificatePem, key: own.keyPem, cert: own.certificatePem }
    return connectOcpp(`${service.ocppUrl}/CP-1`, { tls: options })
  }
  await connect(20)
  t.match(await openAlerts(service, 1), [{ charge_point_id: 'CP-1', details: { certificate: 'charge_point' } }])
  await connect(300)
  await openAlerts(service, 0)
  t.match(await alertsOf(service, '?status=resolved'), [
    { charge_point_id: 'CP-1', resolution: 'the certificate has been replaced' },
    { charge_point_id: null },
  ])
})
