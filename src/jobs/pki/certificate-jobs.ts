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
  /** From when the newest of the registration is valid, wall ms: of two, the one that was issued later is the newer. */
  readonly laterThan?: number
}

export type Generated =
  | { readonly made: true; readonly certificate: IssuedCertificate; readonly privateKeyPem: string }
  | { readonly made: false; readonly reason: string }

export const publishAuthorityJob = 'publish-authority'

export interface RevokedEntry {
  /** Names the key of its authority, hex. */
  readonly authority: string
  /** Hex. */
  readonly serialNumber: string
  /** Wall ms. */
  readonly revokedAt: number
}

export interface PublishInput {
  readonly revoked: readonly RevokedEntry[]
}

/** What everybody may know of the authorities. */
export interface PublishedAuthority {
  /** PEM of the certificate of the one that signs, and of those that it was issued under; absent where there is none yet. */
  readonly certificates?: string
  /** DER, of the one that signs; absent where its key is not here, or it may not sign lists. */
  readonly list?: Uint8Array
  /** DER, of each authority whose key is here and that may sign lists. */
  readonly lists: readonly Uint8Array[]
}
