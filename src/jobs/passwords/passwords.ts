// Passwords as they are stored: Argon2id (RFC 9106) with the parameters that OWASP recommends where memory is shared with other work, about ten
// milliseconds of the processor each. The hash names its parameters, so that they can be raised: older hashes stay good.

import { hashSync, type Options, verifySync } from '@node-rs/argon2'
import type { CheckPasswordInput, HashPasswordInput } from './messages.js'

/** Algorithm.Argon2id: an ambient enum, which has no value under `isolatedModules`. */
const argon2id = 2

const parameters: Options = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of no password. Made before the first question, so that none of them takes longer for it. */
const standIn = hashSync('', parameters)

// These block their thread, which is why they run in one of its own: the other form would take the threads of the process, at the priority
// of what charge points wait for.

export function hashPassword({ password }: HashPasswordInput): string {
  return hashSync(canonical(password), parameters)
}

export function checkPassword({ password, hash }: CheckPasswordInput): boolean {
  const isRight = verifySync(hash ?? standIn, canonical(password))
  return isRight && hash !== undefined
}

/** One text for what keyboards compose in different ways (RFC 8265, 4.2.2). */
function canonical(password: string): string {
  return password.normalize('NFC')
}
