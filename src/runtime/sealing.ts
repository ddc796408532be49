// Texts that are stored so that only who has a key can read them (AES-256-GCM). A text is sealed for one purpose: in another row, it cannot be opened.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const cipherName = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
export const sealingKeyBytes = 32

/** In base64. `purpose` is not secret. */
export function sealWith(key: Buffer, text: string, purpose = ''): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(purpose))
  const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64')
}

/** Undefined where it was sealed with another key or for another purpose, or has been changed. */
export function openWith(key: Buffer, encoded: string, purpose = ''): string | undefined {
  const sealed = Buffer.from(encoded, 'base64')
  if (sealed.length < nonceBytes + tagBytes) return undefined
  const decipher = createDecipheriv(cipherName, key, sealed.subarray(0, nonceBytes)).setAAD(Buffer.from(purpose))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes), undefined, 'utf8')
  try {
    return text + decipher.final('utf8')
  } catch {
    return undefined
  }
}

/** What seals texts with the installation's key, and opens those that were sealed with any of its keys. */
export interface Sealer {
  seal(text: string, purpose: string): string
  /** Undefined where it has not the key for it. */
  open(sealed: string, purpose: string): string | undefined
  /** Whether it has the key: the text may have been changed all the same. */
  canOpen(sealed: string): boolean
}

/** By which a key is known that has sealed something. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('ampshard sealing key').update(key).digest('hex').slice(0, 8)
}

/** `keys`: the first one seals. There is one at least. */
export function createSealer(keys: readonly Buffer[]): Sealer {
  const byId = new Map(keys.map((key) => [idOf(key), key]))
  const [first] = keys
  if (first === undefined) throw new Error('nothing can be sealed without a key')
  const prefix = `${idOf(first)}.`
  const keyOf = (sealed: string): Buffer | undefined => byId.get(sealed.slice(0, sealed.indexOf('.')))
  return {
    seal: (text, purpose) => `${prefix}${sealWith(first, text, purpose)}`,
    open(sealed, purpose) {
      const key = keyOf(sealed)
      return key && openWith(key, sealed.slice(sealed.indexOf('.') + 1), purpose)
    },
    canOpen: (sealed) => keyOf(sealed) !== undefined,
  }
}
