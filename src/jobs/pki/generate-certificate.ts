// Makes a key for a charge point that cannot make one itself, and its certificate. The key is in what this returns, and nowhere else.

import { generateKeyPairSync } from 'node:crypto'
import type { Generated, GenerateInput } from './certificate-jobs.js'
import type { ClientAuthority } from './client-authority.js'
import { issueCertificate, whyNotIssued } from './issue-certificate.js'

export function generateCertificate(
  { keyType, ...wanted }: GenerateInput,
  cpoName: string | undefined,
  authority: ClientAuthority,
  now: number,
): Generated {
  const reason = whyNotIssued(authority, now)
  if (reason !== undefined) return { made: false, reason }
  const { publicKey, privateKey } =
    keyType === 'rsa-2048'
      ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
      : generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return {
    made: true,
    certificate: issueCertificate({ ...wanted, cpoName, publicKey: spki }, authority, now),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
