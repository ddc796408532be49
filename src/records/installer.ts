// An installer: somebody who registers and commissions charge points. An account is of one person, and belongs to no organization. Written by the
// API under its version. What proves who they are is in tables of its own, so that nobody who reads an account has it at hand.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'

export const documentTypes = ['passport', 'drivers_license', 'national_id'] as const

export const verificationStatuses = ['not_submitted', 'under_review', 'approved', 'rejected'] as const
export type VerificationStatus = (typeof verificationStatuses)[number]

/** How far the review of an installer's identity is; without what was submitted, which few should see. */
export interface Verification {
  readonly status: Exclude<VerificationStatus, 'not_submitted'>
  readonly submitted_at: string
  readonly decided_at?: string
  /** Why it was rejected. */
  readonly reason?: string
}

export interface Installer {
  readonly installer_id: string
  readonly version: number
  /** As it was given; `addressOf` of it is what accounts are told apart by. */
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly company: string
  /** E.164. */
  readonly phone?: string
  /** Tokens name the generation that they are of: those of an earlier one are good no longer. */
  readonly token_generation: number
  /** The last that they have accepted. */
  readonly terms?: { readonly version: string; readonly accepted_at: string }
  readonly verification?: Verification
  readonly created_at: string
  readonly updated_at: string
}

export function verificationStatusOf({ verification }: Pick<Installer, 'verification'>): VerificationStatus {
  return verification?.status ?? 'not_submitted'
}

export const installersTable = defineTable<Installer>({
  name: 'installers',
  key: (row) => [row.installer_id],
  indexes: {
    all: () => [{ group: [] }],
    byVerification: (row) => [{ group: [verificationStatusOf(row)] }],
  },
})

/** Whose an address is: mail servers in use ignore case. */
export function addressOf(email: string): string {
  return email.toLowerCase()
}

/** Whose account an address has: one at most. */
export interface InstallerAddress {
  /** As `addressOf` gives it. */
  readonly address: string
  readonly installer_id: string
}

export const installerAddressesTable = defineTable<InstallerAddress>({
  name: 'installer_addresses',
  key: (row) => [row.address],
})

export interface InstallerPassword {
  readonly installer_id: string
  readonly version: number
  /** Argon2id, with its parameters and salt. */
  readonly hash: string
}

export const installerPasswordsTable = defineTable<InstallerPassword>({
  name: 'installer_passwords',
  key: (row) => [row.installer_id],
})

/** What the tokens of installers are signed with: one secret of the installation, made by the first login. */
export interface TokenSecret {
  readonly id: 'installers'
  /** 32 bytes, in base64url. */
  readonly secret: string
  readonly created_at: string
}

export const tokenSecretsTable = defineTable<TokenSecret>({ name: 'token_secrets', key: (row) => [row.id] })

/** How long a token is good. */
export const tokenLifetimeMs = 3_600_000

/** A token that was ended by its owner, as long as it would be good otherwise. */
export interface EndedToken {
  /** `jti`. */
  readonly token_id: string
  readonly installer_id: string
}

export const endedTokensTable = defineTable<EndedToken>({
  name: 'ended_tokens',
  key: (row) => [row.token_id],
  retention: { milliseconds: tokenLifetimeMs, timeOf: (row) => timeOfId(row.token_id) },
})

/** What an installer has submitted to prove who they are, the newest alone. */
export interface IdentityDocuments {
  readonly installer_id: string
  readonly version: number
  readonly document_type: (typeof documentTypes)[number]
  readonly document_number: string
  /** `YYYY-MM-DD` */
  readonly document_expiry: string
  /** Never fetched, as the others. */
  readonly selfie_url: string
  readonly document_front_url: string
  readonly document_back_url?: string
  readonly submitted_at: string
}

export const identityDocumentsTable = defineTable<IdentityDocuments>({
  name: 'identity_documents',
  key: (row) => [row.installer_id],
})
