// What the thread for certificates is asked beside signing a request (SignCertificateInput), and what it answers.

import type { IssuedCertificate } from '../../records/client-certificate.js'

export const generateCertificateJob = 'generate-certificate'

export const keyTypes = ['rsa-2048', 'p-256'] as const
export type KeyType = (typeof keyTypes)[number]

/** What the job is given. */
export interface GenerateInput {
  /** Whose turn it takes. */
  readonly organization_id: string
  readonly commonName: string
  /** What the serial number names. */
  readonly registration: string
  readonly validityDays: number
  readonly keyType: KeyType
}

export type Generated =
  | { readonly made: true; readonly certificate: IssuedCertificate; readonly privateKeyPem: string }
  | { readonly made: false; readonly reason: string }
