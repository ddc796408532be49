// A passkey of a member (WebAuthn): the public half of a key that their device or password manager has.

import { defineTable } from '../runtime/store/table.js'

export interface Passkey {
  /** `pky_` and a ULID. */
  readonly passkey_id: string
  readonly organization_id: string
  readonly user_id: string
  readonly version: number
  /** As its member calls it. */
  readonly name: string
  /** Of the authenticator; in base64url, like the key (COSE). */
  readonly credential_id: string
  readonly public_key: string
  /** How often it has signed, where it counts that: one that counts back has been copied. */
  readonly counter: number
  /** The host that it was made for: it is good for no other one. */
  readonly rp_id: string
  /** How browsers reach it: `internal`, `usb`. */
  readonly transports: readonly string[]
  /** Whether a password manager keeps it on several devices. */
  readonly is_synced: boolean
  /**
   * Whoever made it had just shown that the address of the member is theirs: it signs them in to each organization of which they are a member with
   * that address. Without it, to the one for which it was made.
   */
  readonly proves_address?: true
  /** Absent before it was kept: then it is the time of the id. */
  readonly created_at?: string
  readonly last_used_at?: string
}

export const passkeysTable = defineTable<Passkey>({
  name: 'passkeys',
  key: (row) => [row.passkey_id],
  indexes: {
    byUser: (row) => [{ group: [row.organization_id, row.user_id] }],
    byCredential: (row) => [{ group: [row.credential_id] }],
  },
})
