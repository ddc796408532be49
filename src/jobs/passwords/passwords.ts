// Passwords as they are stored and compared: Argon2id.

import { hashSync, type Options, verifySync } from '@node-rs/argon2'
import type { CheckPasswordInput, HashPasswordInput } from './messages.js'
import { parameters } from './parameters.js'

/** Algorithm.Argon2id: an ambient enum, which has no value under `isolatedModules`. */
const argon2id = 2

const options: Options = { algorithm: argon2id, ...parameters }

/** Of no password. Made before the first question, so that none of them takes longer for it. */
const standIn = hashSync('', options)

// These block their thread, which is why they run in one of its own: the other form would take the threads of the process, at the priority
// of what charge points wait for.

export function hashPassword({ password }: HashPasswordInput): string {
  return hashSync(canonical(password), options)
}

export function checkPassword({ password, hash }: CheckPasswordInput): boolean {
  const isRight = verifySync(hash ?? standIn, canonical(password))
  return isRight && hash !== undefined
}

/** One text for what keyboards compose in different ways (RFC 8265, 4.2.2). */
function canonical(password: string): string {
  return password.normalize('NFC')
}
