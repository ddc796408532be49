// The certificate of the authority that the service's own certificate is of: what a charge point has to trust before it connects over TLS.

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Settings } from '../settings.js'

type Files = {
  readonly [Name in 'tls_authority_file' | 'tls_certificate_file']?: Settings[Name] | undefined
}

const oneCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** PEM, as it is now; undefined where neither file has it. Throws where a file cannot be read. */
export function listenerAuthority({
  tls_authority_file: given,
  tls_certificate_file: chain,
}: Files): string | undefined {
  if (given !== undefined) return certificatesOf(given)[0]?.toString()
  if (chain === undefined) return undefined
  // Servers need not send it, but many files have it at their end.
  const last = certificatesOf(chain).at(-1)
  return last?.ca === true && last.checkIssued(last) ? last.toString() : undefined
}

function certificatesOf(file: string): readonly X509Certificate[] {
  return (readFileSync(file, 'utf8').match(oneCertificate) ?? []).map((pem) => new X509Certificate(pem))
}
