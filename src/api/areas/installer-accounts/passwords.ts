// Passwords: whether one is good enough, and the work on them, which is done in a lane of jobs.

import { Type } from 'typebox'
import { networkOf } from '../../../edge/address-network.js'
import {
  type CheckPasswordInput,
  checkPasswordJob,
  type HashPasswordInput,
  hashPasswordJob,
} from '../../../jobs/passwords/messages.js'
import { type ErrorDetail, overloaded } from '../../../runtime/errors.js'
import { secret } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { weakPassword } from './errors.js'
import { limits } from './limits.js'

const retryAfterSeconds = 2

/** One that somebody has. */
export const password = () => Type.String({ ...secret, maxLength: limits.passwordCharacters })

/** One that somebody chooses. */
export const newPassword = () =>
  Type.String({
    ...secret,
    maxLength: limits.passwordCharacters,
    description: `At least ${limits.leastPasswordCharacters} characters, with an uppercase letter, a lowercase letter and a digit; otherwise 422 \`weak_password\`.`,
  })

const rules: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`^.{${limits.leastPasswordCharacters},}$`, 'su'),
    `at least ${limits.leastPasswordCharacters} characters`,
  ],
  [/\p{Lu}/u, 'an uppercase letter'],
  [/\p{Ll}/u, 'a lowercase letter'],
  [/\p{Nd}/u, 'a digit'],
]

/** Throws `weak_password`. `path`: where it stands in the body. */
export function requireStrong(password: string, path: string): void {
  const details = rules
    .filter(([rule]) => !rule.test(password))
    .map(([, what]): ErrorDetail => ({ path, message: `must have ${what}` }))
  if (details.length > 0)
    throw weakPassword(`the password ${details.map(({ message }) => message).join(', ')}`, { details })
}

type Jobs = Pick<Services, 'runJob' | 'log'>

/** Throws `overloaded`. */
export function hashOf(password: string, remoteAddress: string, services: Jobs): Promise<string> {
  const input: HashPasswordInput = { owner: networkOf(remoteAddress), password }
  return run(hashPasswordJob, input, services)
}

/** Whether it is the password with this hash; without a hash, the same work is done. Throws `overloaded`. */
export function isPassword(
  password: string,
  hash: string | undefined,
  remoteAddress: string,
  services: Jobs,
): Promise<boolean> {
  const input: CheckPasswordInput = { owner: networkOf(remoteAddress), password, hash }
  return run(checkPasswordJob, input, services)
}

async function run<Value>(job: string, input: object, { runJob, log }: Jobs): Promise<Value> {
  const outcome = await runJob(job, input)
  if (outcome.ok) return outcome.value as Value
  if (outcome.isRefused !== true) log.error({ job, reason: outcome.message }, 'a password could not be checked')
  throw overloaded('too many log in or sign up at this moment: try again', { retryAfterSeconds })
}
