// The ways in: what somebody presents, and whom that makes them. Of what is not good, everybody is told the same. Whoever has shown that an address is
// theirs is each member that has it: of several organizations, they choose one.

import { networkOf } from '../../../edge/address-network.js'
import type { ChallengePurpose } from '../../../records/challenge.js'
import type { SignInMethod } from '../../../records/console-session.js'
import { type Member, membersTable, roleScopes } from '../../../records/member.js'
import { organizationsTable } from '../../../records/organization.js'
import { passkeysTable } from '../../../records/passkey.js'
import { AmpshardError } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import { sha256Hex } from '../../pipeline/make-key.js'
import type { Services } from '../../pipeline/services.js'
import { apiKey } from '../../surfaces/api-key.js'
import type { Principal } from '../../surfaces/principal.js'
import { invalidCredentials } from '../installer-accounts/errors.js'
import { joinByInvitation } from '../members/join.js'
import { addChallenge, findChallenge, useChallenge } from './challenges.js'
import { accountOfCode, addressOfCode, membersWith, type PresentedCode, useUpCode } from './codes.js'
import { checkSigned, type SignedPasskey } from './passkeys.js'
import { endSingleSignOn, type SignedOn } from './single-sign-on.js'
import { attemptSignIn } from './throttles.js'

export type SigningIn =
  | { readonly way: 'api_key'; readonly key: string }
  | ({ readonly way: 'code' } & PresentedCode & Wanted)
  | ({ readonly way: 'passkey'; readonly passkey: SignedPasskey } & Wanted)
  | ({ readonly way: 'single_sign_on'; readonly signedOn: SignedOn } & Wanted)
  | { readonly way: 'invitation'; readonly token: string; readonly name: string | undefined }
  | { readonly way: 'choice'; readonly choice: string; readonly organizationId: string }

interface Wanted {
  /** Of several organizations, this one. */
  readonly organizationId: string | undefined
}

export interface SignedIn {
  readonly principal: Principal
  readonly method: SignInMethod
  readonly passkeyId?: string | undefined
  /** Wall ms; where an identity provider has asked them who they are, which may be long ago. */
  readonly authenticatedAt?: number | undefined
}

/** Whoever has come in by an address chooses among several organizations, and comes back with `choice`. */
export interface HasToChoose {
  readonly choice: string
  readonly members: readonly Member[]
}

export interface Visitor {
  readonly remoteAddress: string
  readonly origin: string | undefined
}

/** Whom it makes of whoever presents it, by what is committed with their session. */
export type Found = (draft: Draft) => SignedIn | HasToChoose

/** Throws `rate_limited` and `invalid_credentials`. */
export function signInBy(by: SigningIn, visitor: Visitor, services: Services): Found | Promise<Found> {
  const { remoteAddress } = visitor
  switch (by.way) {
    case 'single_sign_on':
      return bySingleSignOn(by, visitor, services)
    case 'passkey':
      return byPasskey(by, visitor, services)
    case 'api_key':
      return byKey(by.key, remoteAddress, services)
    case 'code':
      return byCode(by, remoteAddress, services)
    case 'invitation':
      return byInvitation(by, remoteAddress, services)
    case 'choice':
      return byChoice(by, remoteAddress, services)
    default:
      return by satisfies never
  }
}

/** A member who is held by the draft. Throws where they have left. */
function asMember(draft: Draft, { organization_id, user_id }: Pick<Member, 'organization_id' | 'user_id'>): Principal {
  const member = draft.get(membersTable, [organization_id, user_id])
  const organization = draft.view.get(organizationsTable, [organization_id])
  if (member === undefined || organization === undefined) throw invalidCredentials('nobody can sign in with this')
  return { key: undefined, organization, member, scopes: roleScopes[member.role] }
}

/** What has been shown: that the address is theirs, and how. */
type Shown = Omit<Extract<ChallengePurpose, { readonly type: 'choose-organization' }>, 'type'>

/** One of these members, by whose address they have come in: the one of the organization that is wanted, or the only one. */
function asOneOf(
  draft: Draft,
  members: readonly Member[],
  { shown, organizationId }: { readonly shown: Shown } & Wanted,
  services: Services,
): SignedIn | HasToChoose | undefined {
  const [member, ...others] =
    organizationId === undefined ? members : members.filter(({ organization_id }) => organization_id === organizationId)
  if (member === undefined) return undefined
  if (others.length === 0)
    return {
      principal: asMember(draft, member),
      method: shown.method,
      passkeyId: shown.passkey_id,
      authenticatedAt: shown.authenticated_at,
    }
  return { choice: addChallenge(draft, services, { type: 'choose-organization', ...shown }), members }
}

function byKey(key: string, remoteAddress: string, services: Services): Found {
  const succeeded = attemptSignIn(services, sha256Hex(key), remoteAddress)
  try {
    const principal = apiKey.verify(key, services.view(), services.clock.now())
    succeeded()
    return () => ({ principal, method: 'api_key' })
  } catch (error) {
    if (error instanceof AmpshardError) throw invalidCredentials('this API key is not valid')
    throw error
  }
}

async function byCode(
  { organizationId, ...code }: PresentedCode & Wanted,
  remoteAddress: string,
  services: Services,
): Promise<Found> {
  // Of each network, so that strangers do not keep a member out.
  const account = `${accountOfCode(code, services)} ${networkOf(remoteAddress)}`
  const succeeded = attemptSignIn(services, account, remoteAddress)
  const notGood = () =>
    invalidCredentials('this code is not valid: it is wrong, has been used or tried too often, or has expired')
  const address = await addressOfCode(code, services)
  if (address === undefined) throw notGood()
  succeeded()
  return (draft) => {
    const wanted = { shown: { address, method: 'code' }, organizationId } as const
    const found = asOneOf(draft, membersWith(draft.view, address), wanted, services)
    if (found === undefined || !useUpCode(code, draft, services.clock.now())) throw notGood()
    return found
  }
}

async function byPasskey(
  { passkey, organizationId }: { readonly passkey: SignedPasskey } & Wanted,
  visitor: Visitor,
  services: Services,
): Promise<Found> {
  const succeeded = attemptSignIn(
    services,
    `${sha256Hex(passkey.id)} ${networkOf(visitor.remoteAddress)}`,
    visitor.remoteAddress,
  )
  const notGood = () => invalidCredentials('this passkey is not valid here, or it took too long: try again')
  const presented = await checkSigned(passkey, visitor, services)
  if (presented === undefined) throw notGood()
  succeeded()
  return (draft) => {
    const { organization_id, user_id, passkey_id, proves_address } = presented.row
    const owner = draft.get(membersTable, [organization_id, user_id])
    if (owner === undefined || !presented.use(draft)) throw notGood()
    const address = owner.email.toLowerCase()
    const members = proves_address === true ? membersWith(draft.view, address) : [owner]
    const found = asOneOf(
      draft,
      members,
      { shown: { address, method: 'passkey', passkey_id }, organizationId },
      services,
    )
    if (found === undefined) throw notGood()
    return found
  }
}

async function bySingleSignOn(
  { signedOn, organizationId }: { readonly signedOn: SignedOn } & Wanted,
  visitor: Visitor,
  services: Services,
): Promise<Found> {
  const succeeded = attemptSignIn(services, sha256Hex(signedOn.attempt), visitor.remoteAddress)
  const notGood = () =>
    invalidCredentials(
      'nobody can sign in with this: it took too long, or the address at the identity provider is of no member, or not verified',
    )
  const ended = await endSingleSignOn(signedOn, visitor, services)
  if (ended === undefined) throw notGood()
  succeeded()
  return (draft) => {
    const shown = {
      address: ended.email.toLowerCase(),
      method: 'single_sign_on',
      authenticated_at: ended.authenticatedAt,
    } as const
    const found = asOneOf(draft, membersWith(draft.view, shown.address), { shown, organizationId }, services)
    if (found === undefined || !ended.use(draft)) throw notGood()
    return found
  }
}

function byChoice(
  { choice, organizationId }: Extract<SigningIn, { way: 'choice' }>,
  remoteAddress: string,
  services: Services,
): Found {
  const succeeded = attemptSignIn(services, sha256Hex(choice), remoteAddress)
  const notGood = () => invalidCredentials('this choice is over: sign in again')
  const open = findChallenge(choice, 'choose-organization', services.view(), services.clock.now())
  if (open === undefined) throw notGood()
  succeeded()
  return (draft) => {
    const { type: _, ...shown } = open.row.purpose
    const { passkey_id } = shown
    const isGone = passkey_id !== undefined && draft.get(passkeysTable, [passkey_id]) === undefined
    const found = asOneOf(draft, membersWith(draft.view, shown.address), { shown, organizationId }, services)
    if (isGone || found === undefined || !useChallenge(open, draft)) throw notGood()
    return found
  }
}

function byInvitation(
  { token, name }: Extract<SigningIn, { way: 'invitation' }>,
  remoteAddress: string,
  services: Services,
): Found {
  const succeeded = attemptSignIn(services, sha256Hex(token), remoteAddress)
  return (draft) => {
    const member = joinByInvitation(draft, token, name, services)
    succeeded()
    const organization = draft.view.get(organizationsTable, [member.organization_id])
    if (organization === undefined) throw invalidCredentials('nobody can sign in with this')
    const principal = { key: undefined, organization, member, scopes: roleScopes[member.role] }
    return { principal, method: 'invitation' }
  }
}
