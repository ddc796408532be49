// A service with TLS that signs the certificate requests of charge points.

import type { Test } from 'tap'
import type { AlertKind } from '../../src/alert-kinds/index.js'
import { makeCertificate } from '../edge/certificates.js'
import { connectOcpp, type OcppClient } from './ocpp-client.js'
import { type KeyKind, makeAuthority, type OpensslFolder, opensslFolder } from './openssl.js'
import { tenantOf } from './organization.js'
import { type Service, startService } from './service.js'

const serverAuthority = makeCertificate({ commonName: 'Server authority' })
const server = makeCertificate({ commonName: 'ampshard', issuer: serverAuthority, server: true })
/** PEM of the authority of the service's own certificate. */
export const ca = serverAuthority.certificatePem

/** Flags of a service with TLS. */
export function tlsFlags(folder: OpensslFolder): readonly string[] {
  return [
    ['--tls-key-file', folder.write('server.key', server.keyPem)],
    ['--tls-certificate-file', folder.write('server.pem', server.certificatePem)],
  ].flat()
}

export interface Signing {
  readonly service: Service
  readonly folder: OpensslFolder
  readonly client: OcppClient
  /** Registers a charge point with a password, with which it connects and boots. */
  charger(id: string): Promise<OcppClient>
}

/** With an authority that signs client certificates, and the charge point CP-1, which has booted. */
export async function signingService(t: Test, authority: KeyKind, more: readonly string[] = []): Promise<Signing> {
  const folder = opensslFolder()
  makeAuthority(folder, authority, 'authority')
  const flags = [
    tlsFlags(folder),
    ['--tls-client-ca-file', folder.path('authority.pem')],
    ['--client-ca-key-file', folder.path('authority.key')],
    more,
  ].flat()
  const service = await startService(t, { flags, authority: ca })
  const charger = (id: string) => provenCharger(service, id)
  return { service, folder, client: await charger('CP-1'), charger }
}

/** The same for an organization of its own, with the charge point of this id. */
export async function signingTenant({ service, folder }: Signing, id: string): Promise<Signing> {
  const tenant = await tenantOf(service)
  const charger = (id: string) => provenCharger(tenant, id)
  return { service: tenant, folder, client: await charger(id), charger }
}

/** Over TLS, with a password: only such charge points get certificates. */
async function provenCharger(service: Service, id: string): Promise<OcppClient> {
  await service.register(id)
  const client = await connectOcpp(`${service.ocppUrl}/${id}`, {
    tls: { ca },
    headers: await passwordOf(service, id),
  })
  await client.boot()
  return client
}

/** Gives a charge point a new password, and resolves with the headers that show it. */
export async function passwordOf(service: Service, id: string): Promise<Record<string, string>> {
  const { body } = await service.request('POST', `/api/v1/chargepoints/${id}/authorization-key`)
  return { authorization: `Basic ${Buffer.from(`${id}:${body.authorization_key}`).toString('base64')}` }
}

/** Messages of the notices about requests that were not signed. */
export function refusals(service: Service): Promise<string[]> {
  return notices(service, 'certificate_request_refused')
}

/** Messages of the notices of a kind. */
export async function notices(service: Service, kind: AlertKind): Promise<string[]> {
  const { body } = await service.request('GET', `/api/v1/alerts?kind=${kind}&status=notice&per_page=100`)
  return body.alerts.map(({ message }: { message: string }) => message)
}
