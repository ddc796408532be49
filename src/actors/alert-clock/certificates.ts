// Whether a certificate of the installation itself is near its end: that of the listener, and that of the authority of client
// certificates. Charge points' own are watched by their actors.

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Finding, notWanted, openAlert, standingChanges } from '../../alerts/alert.js'
import { thresholdOf } from '../../records/alert-kinds.js'
import { installationTable, organizationsTable } from '../../records/organization.js'
import type { AlertClockOptions } from './clock.js'

const dayMs = 86_400_000

export interface WatchedCertificate {
  readonly name: 'listener' | 'client_authority'
  /** Wall ms. */
  readonly expiresAt: number
}

const named = { listener: 'the certificate of the listener', client_authority: 'the authority of client certificates' }

/** The files that a listener is opened with. */
export interface CertificateFiles {
  readonly tls_certificate_file?: string | undefined
  readonly tls_second_certificate_file?: string | undefined
  readonly tls_client_ca_file?: string | undefined
}

/** Those that a listener is opened with; of chains, the first to end counts. */
export function watchedCertificates(settings: CertificateFiles): readonly WatchedCertificate[] {
  const files = {
    listener: [settings.tls_certificate_file, settings.tls_second_certificate_file],
    client_authority: [settings.tls_client_ca_file],
  }
  return (['listener', 'client_authority'] as const).flatMap((name) => {
    const texts = files[name].flatMap((file) => (file === undefined ? [] : [readFileSync(file, 'latin1')]))
    const ends = texts.flatMap(certificatesIn).map((pem) => endOf(pem))
    return ends.length === 0 ? [] : [{ name, expiresAt: Math.min(...ends) }]
  })
}

function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
}

function endOf(pem: string): number {
  return Date.parse(new X509Certificate(pem).validTo)
}

export async function lookAtCertificates({ view, commit, now, newId, certificates }: AlertClockOptions): Promise<void> {
  const watched = certificates()
  const organizationId = view().get(installationTable, ['installation'])?.default_organization_id
  if (organizationId === undefined) return
  const at = now()
  const set = view().get(organizationsTable, [organizationId])?.alert_thresholds
  const days = thresholdOf(set, 'certificate_expiring')
  for (const name of Object.keys(named) as (keyof typeof named)[]) {
    const expiresAt = watched.find((one) => one.name === name)?.expiresAt
    const end = new Date(expiresAt ?? at).toISOString()
    const finding: Finding = {
      kind: 'certificate_expiring',
      organizationId,
      subject: name,
      message: `${named[name]} ends at ${end}`,
      details: { certificate: name, expires_at: end },
    }
    const why =
      typeof days !== 'number'
        ? notWanted
        : expiresAt === undefined
          ? 'the certificate is not in use any more'
          : undefined
    // Of the same certificate it stays, also when the threshold is shorter now.
    const isNear = expiresAt !== undefined && typeof days === 'number' && expiresAt - at <= days * dayMs
    const holds = isNear || (why === undefined && openAlert(view(), finding)?.details?.expires_at === end)
    const changes = standingChanges(view(), finding, holds, { now: at, newId }, why)
    if (changes.length > 0) await commit(changes)
  }
}
