// A charge point's password for HTTP Basic authentication: kept as hashes, compared in constant time.
// Keys are 16 to 20 random bytes (Improved security for OCPP 1.6-J, A01), so a fast hash is right.

import { createHash, timingSafeEqual } from 'node:crypto'

/** SHA-256 of the key's bytes and of its spelling in lower-case hex, each in hex. */
export interface AuthorizationKeyHash {
  readonly bytes_sha256: string
  readonly hex_sha256: string
}

/** Chargers send the key's bytes, or its spelling in hex. */
export function hashAuthorizationKey(key: Buffer): AuthorizationKeyHash {
  return { bytes_sha256: sha256(key), hex_sha256: sha256(Buffer.from(key.toString('hex'))) }
}

export function matchesAuthorizationKey(password: Buffer, key: AuthorizationKeyHash): boolean {
  const asBytes = equal(sha256(password), key.bytes_sha256)
  const asHex = equal(sha256(Buffer.from(password.toString('latin1').toLowerCase(), 'latin1')), key.hex_sha256)
  return asBytes || asHex
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
