// An answer that shows a secret is kept under a text that its caller has and the store has not: the API key, for one.

import { hkdfSync } from 'node:crypto'
import { openWith, sealingKeyBytes, sealWith } from '../../runtime/sealing.js'

function sealingKey(sealing: string): Buffer {
  return Buffer.from(hkdfSync('sha256', sealing, '', 'ampshard idempotent answer', sealingKeyBytes))
}

export function seal(body: string, sealing: string): string {
  return `sealed:${sealWith(sealingKey(sealing), body)}`
}

/** Undefined where the answer was sealed with another text: of the same API key, before its rotation. */
export function unseal(kept: string, sealing: string): string | undefined {
  return openWith(sealingKey(sealing), kept.slice('sealed:'.length))
}
