// A random text that a page has to bring back while somebody signs in: for a passkey that signs it, from the identity provider that was sent what is
// made of it, or with the organization that is chosen. It is good once and for a few minutes: whoever uses it removes the row.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'
import type { SignInMethod } from './console-session.js'
import type { Made } from './lifetime.js'

/** What it is good for, and for nothing else. */
export type ChallengePurpose =
  | { readonly type: 'sign-in' }
  /** At the identity provider, which is to ask them who they are even where it knows them. */
  | { readonly type: 'sign-in-again' }
  /** In that session. */
  | { readonly type: 'make-passkey'; readonly console_session_id: string }
  /** Somebody has shown that the address is theirs, and by which method. */
  | {
      readonly type: 'choose-organization'
      readonly address: string
      readonly method: SignInMethod
      readonly passkey_id?: string
      readonly authenticated_at?: number
    }

export interface Challenge extends Made {
  /** `cha_` and a ULID. */
  readonly challenge_id: string
  /** SHA-256, in hex. */
  readonly challenge_sha256: string
  readonly purpose: ChallengePurpose
}

export const challengeLifetimeMs = 300_000

export const challengesTable = defineTable<Challenge>({
  name: 'challenges',
  key: (row) => [row.challenge_id],
  indexes: { byChallenge: (row) => [{ group: [row.challenge_sha256] }] },
  uncounted: ['byChallenge'],
  retention: { timeOf: (row) => timeOfId(row.challenge_id), milliseconds: challengeLifetimeMs },
})
