// Whether a certificate of the installation itself is near its end: that of the listener, and that of the authority of client
// certificates. Charge points' own are watched by their actors.

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { certificateExpiring } from '../../alert-kinds/certificate-expiring.js'
import { thresholdOf } from '../../alert-kinds/index.js'
import { finding, notWanted, openAlert, standingChanges } from '../../alerts/alert.js'
import { installationTable, organizationsTable } from '../../records/organization.js'
import type { AlertClockOptions, WatchedCertificate } from './options.js'

const names = ['listener', 'client_authority'] as const

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
  return names.flatMap((name) => {
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
  const days = thresholdOf(set, certificateExpiring.name)
  for (const name of names) {
    // Each front names its own, which differ while files are read again.
    const ends = watched.filter((one) => one.name === name).map((one) => one.expiresAt)
    const expiresAt = ends.length === 0 ? undefined : Math.min(...ends)
    const end = new Date(expiresAt ?? at).toISOString()
    const about = { organizationId, subject: name }
    const found = finding(certificateExpiring, about, { certificate: name, expiresAt: end })
    const why =
      typeof days !== 'number' ? notWanted : expiresAt === undefined ? 'the certificate is no longer in use' : undefined
    // Of the same certificate it stays, also when the threshold is shorter now.
    const { dueMs } = certificateExpiring.watch
    const isNear = expiresAt !== undefined && typeof days === 'number' && expiresAt - at <= dueMs(days)
    const holds = isNear || (why === undefined && openAlert(view(), found)?.details?.expires_at === end)
    const changes = standingChanges(view(), found, holds, { now: at, newId }, why)
    if (changes.length > 0) await commit(changes)
  }
}
