// An answer that shows a secret is kept under a text that its caller has and the store has not: the API key, for one.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

function sealingKey(sealing: string): Buffer {
  return Buffer.from(hkdfSync('sha256', sealing, '', 'ampshard idempotent answer', 32))
}

export function seal(body: string, sealing: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(sealing), nonce)
  const sealed = Buffer.concat([nonce, cipher.update(body, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `sealed:${sealed.toString('base64')}`
}

/** Undefined where the answer was sealed with another text: of the same API key, before its rotation. */
export function unseal(kept: string, sealing: string): string | undefined {
  const sealed = Buffer.from(kept.slice('sealed:'.length), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(sealing), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const text = decipher.update(sealed.subarray(12, -16), undefined, 'utf8')
  try {
    return text + decipher.final('utf8')
  } catch {
    return undefined
  }
}
