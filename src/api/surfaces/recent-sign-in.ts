// What gives lasting access to somebody, such as a new key, takes a sign-in of the last minutes: whoever finds an open browser does not get that far.

import { defineError } from '../../runtime/errors.js'
import type { Requirement } from '../pipeline/surface.js'
import type { Principal } from './principal.js'

export const signInAgain = defineError('sign_in_again', {
  status: 403,
  meaning: 'This takes a sign-in to the console of the last five minutes: sign in again, in whichever way.',
})

const hasRecentSignIn = ({ session, isRecent }: Principal): boolean => session === undefined || isRecent === true
const message = 'sign in again: this takes a sign-in of the last five minutes'

/** Of sessions alone: a program shows its key with each request. */
export const recentSignIn: Requirement<Principal> = { error: signInAgain, message, isMet: hasRecentSignIn }

/** Where only some bodies give lasting access. Throws `sign_in_again`. */
export function requireRecentSignIn(principal: Principal): void {
  if (!hasRecentSignIn(principal)) throw signInAgain(message)
}
