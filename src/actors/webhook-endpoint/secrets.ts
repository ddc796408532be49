// Secrets of webhook endpoints: how one is made, what it is as a key, and which of them are valid. Pure.

import type { WebhookSecret } from '../../records/webhook-endpoint.js'

const prefix = 'whsec_'
export const secretBytes = 32

/** As Standard Webhooks writes one. */
export function secretOf(bytes: Buffer): string {
  return prefix + bytes.toString('base64')
}

/**
 * The key of Standard Webhooks' signature: the bytes that `whsec_` and base64 stand for. Any other text stands for itself, so a
 * receiver gives its library the base64 of it.
 */
export function standardKey(secret: string): Buffer {
  if (!secret.startsWith(prefix)) return Buffer.from(secret)
  const encoded = secret.slice(prefix.length)
  const decoded = Buffer.from(encoded, 'base64')
  const isBase64 =
    encoded !== '' && decoded.toString('base64').replace(/(?<!=)=+$/, '') === encoded.replace(/(?<!=)=+$/, '')
  return isBase64 ? decoded : Buffer.from(secret)
}

/** The newest first. */
export function validSecrets(secrets: readonly WebhookSecret[], now: number): readonly string[] {
  return secrets.filter(({ valid_until }) => valid_until === undefined || valid_until > now).map(({ secret }) => secret)
}

/** `secret` becomes the newest; the others stay valid until `until`, or shorter where that was so already. */
export function rotated(
  secrets: readonly WebhookSecret[],
  secret: string,
  now: number,
  until: number,
): readonly WebhookSecret[] {
  const kept = secrets
    .filter((old) => old.secret !== secret && (old.valid_until ?? until) > now && until > now)
    .map((old) => ({ ...old, valid_until: Math.min(old.valid_until ?? until, until) }))
  return [{ secret }, ...kept]
}
