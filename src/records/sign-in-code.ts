// A six-digit code that was mailed to somebody who wants to sign in to the console. It is good only together with what the browser that asked for it
// was answered, which the store has not: who reads the store, or the mail alone, cannot use it.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'
import type { Made } from './lifetime.js'

export interface SignInCode extends Made {
  /** `cod_` and a ULID. */
  readonly code_id: string
  readonly version: number
  /** In lower case. */
  readonly address: string
  /** SHA-256 of what the browser was answered, and the code behind it. */
  readonly code_sha256: string
  /** Counted before a code is compared. */
  readonly tries: number
}

export const codeLifetimeMs = 600_000

export const signInCodesTable = defineTable<SignInCode>({
  name: 'sign_in_codes',
  key: (row) => [row.code_id],
  retention: { timeOf: (row) => timeOfId(row.code_id), milliseconds: codeLifetimeMs },
})
