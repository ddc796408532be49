// An installer: somebody who registers and commissions charge points. An account is of one person, and belongs to no organization. Written by the
// API under its version. What proves who they are is in tables of its own, so that nobody who reads an account has it at hand.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'
import type { Made } from './lifetime.js'

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

/** Whether the owner of something is an installer, rather than an organization. */
export function isInstallerId(ownerId: string): boolean {
  return ownerId.startsWith('ins_')
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

/** Somebody who has signed up and not confirmed the address yet: of one address, perhaps several. */
export interface PendingInstaller extends Partial<Made> {
  /** That of the account that it becomes. */
  readonly installer_id: string
  readonly email: string
  readonly password_hash: string
  readonly first_name: string
  readonly last_name: string
  readonly company: string
  /** SHA-256 of the token that the mail has, in hex; of an address that has an account, of a token that nobody has. */
  readonly token_hash: string
}

/** How long an address can be confirmed. */
export const confirmationMs = 24 * 3_600_000

export const pendingInstallersTable = defineTable<PendingInstaller>({
  name: 'pending_installers',
  key: (row) => [row.installer_id],
  indexes: {
    all: () => [{ group: [] }],
    byToken: (row) => [{ group: [row.token_hash] }],
    byAddress: (row) => [{ group: [addressOf(row.email)] }],
  },
  uncounted: ['byToken', 'byAddress'],
  retention: { milliseconds: confirmationMs, timeOf: (row) => timeOfId(row.installer_id) },
})

/** Somebody has forgotten the password of an address: whether or not it has an account, so that the same work is done. */
export interface PasswordReset extends Partial<Made> {
  readonly reset_id: string
  /** SHA-256 of the token, in hex. */
  readonly token_hash: string
  /** Absent where the address has no account: then nobody has the token. */
  readonly account?: { readonly installer_id: string; readonly token_generation: number }
}

/** How long a forgotten password can be reset. */
export const passwordResetMs = 3_600_000

export const passwordResetsTable = defineTable<PasswordReset>({
  name: 'password_resets',
  key: (row) => [row.reset_id],
  indexes: { byToken: (row) => [{ group: [row.token_hash] }] },
  uncounted: ['byToken'],
  retention: { milliseconds: passwordResetMs, timeOf: (row) => timeOfId(row.reset_id) },
})

/** A network that somebody has logged in to an account from: attempts of strangers elsewhere do not hold up who comes from there. */
export interface FamiliarNetwork {
  readonly installer_id: string
  readonly network: string
  /** ISO 8601, to the day or so. */
  readonly seen_at: string
}

export const familiarNetworksTable = defineTable<FamiliarNetwork>({
  name: 'familiar_networks',
  key: (row) => [row.installer_id, row.network],
  indexes: { byTime: (row) => [{ group: [], order: [Date.parse(row.seen_at)] }] },
  uncounted: ['byTime'],
  retention: { milliseconds: 30 * 24 * 3_600_000, timeOf: (row) => Date.parse(row.seen_at), index: 'byTime' },
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
