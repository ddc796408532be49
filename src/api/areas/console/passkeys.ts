// Passkeys: a member makes them, sees them, removes them, and signs in with one.

import { type Static, Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { networkOf } from '../../../edge/address-network.js'
import {
  type CheckedPasskey,
  type CheckPasskeyInput,
  checkPasskeyJob,
  type MadePasskey,
  type MakePasskeyInput,
  makePasskeyJob,
} from '../../../jobs/passkeys/messages.js'
import { scopes } from '../../../records/api-key.js'
import { challengeLifetimeMs } from '../../../records/challenge.js'
import type { ConsoleSession } from '../../../records/console-session.js'
import type { Member } from '../../../records/member.js'
import { type Passkey, passkeysTable } from '../../../records/passkey.js'
import { conflict, fail, notFound, overloaded } from '../../../runtime/errors.js'
import { filledLine, patternOf } from '../../../runtime/fault-words.js'
import { timeOfId } from '../../../runtime/ids.js'
import { parseUrl } from '../../../runtime/parse-url.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { type Draft, openDraft } from '../../pipeline/draft.js'
import { forbidden } from '../../pipeline/errors.js'
import { readPage } from '../../pipeline/paging.js'
import { named, nullable, secret, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { Principal } from '../../surfaces/principal.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import { requirePowers } from '../api-keys/api-keys.js'
import { invalidCredentials } from '../installer-accounts/errors.js'
import { area, entrance } from './area.js'
import { addChallenge, findChallenge, useChallenge } from './challenges.js'
import { limits } from './limits.js'
import { askForChallenge } from './throttles.js'

const base64url = (maxLength: number) =>
  Type.String({ ...patternOf('^[A-Za-z0-9_-]+$', 'base64url'), minLength: 1, maxLength })

/** Of the page: where a passkey is good. */
const originHeader = Type.Object({ Origin: Type.Optional(Type.String({ description: 'Browsers send it.' })) })

/** What an authenticator has signed. Other fields that browsers send are ignored. */
export const signedPasskey = Type.Object(
  {
    id: base64url(1_400),
    response: Type.Object({
      clientDataJSON: base64url(4_096),
      authenticatorData: base64url(4_096),
      signature: base64url(4_096),
      userHandle: Type.Optional(base64url(200)),
    }),
  },
  {
    ...secret,
    description: 'What `navigator.credentials.get` returned, as JSON (WebAuthn, AuthenticationResponseJSON).',
  },
)
export type SignedPasskey = Static<typeof signedPasskey>

const newCredential = Type.Object(
  {
    id: base64url(1_400),
    response: Type.Object({
      clientDataJSON: base64url(4_096),
      attestationObject: base64url(65_536),
      transports: Type.Optional(
        Type.Array(Type.String({ ...patternOf('^[a-z-]{1,30}$', 'the name of a transport') }), { maxItems: 10 }),
      ),
    }),
  },
  { description: 'What `navigator.credentials.create` returned, as JSON (WebAuthn, RegistrationResponseJSON).' },
)

const passkeySchema = named('Passkey', {
  id: Type.String(),
  name: Type.String(),
  host: Type.String({ description: 'The host that it is good for.' }),
  is_synced: Type.Boolean({ description: 'Whether a password manager keeps it on several devices.' }),
  created_at: timestamp(),
  last_used_at: nullable(timestamp()),
})

function passkeyView({ passkey_id, name, rp_id, is_synced, created_at, last_used_at }: Passkey) {
  return {
    id: passkey_id,
    name,
    host: rp_id,
    is_synced,
    created_at: created_at ?? formatTimestamp(timeOfId(passkey_id)),
    last_used_at: last_used_at ?? null,
  }
}

/** Throws `forbidden` for callers that are no member themselves: a key is no person. */
function memberOf({ key, member, session }: Principal): { readonly member: Member; readonly session: ConsoleSession } {
  if (key !== undefined || member === undefined || session === undefined)
    throw forbidden('passkeys are of members: sign in as one, with a code or an invitation')
  return { member, session }
}

/** Whether whoever signed in to the session has shown that the address of the member is theirs: an invitation may have been handed on. */
function provesAddress({ method, passkey_id }: ConsoleSession, view: ReadView): boolean {
  if (method === 'code' || method === 'single_sign_on') return true
  return passkey_id !== undefined && view.get(passkeysTable, [passkey_id])?.proves_address === true
}

const isMember = ({ key, session }: Principal): boolean => key === undefined && session !== undefined
/** Whom nothing belongs to. */
const noMember = { organization_id: '', user_id: '' } as const

function hostOf(origin: string | undefined): string {
  const url = origin === undefined ? undefined : parseUrl(origin)
  return url?.hostname ?? fail(forbidden, 'passkeys take a browser, which names the origin of its page')
}

/** The challenge that was signed; empty where there is none. */
function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

async function run<Value>(job: string, input: object, { runJob, log }: Services): Promise<Value | undefined> {
  const outcome = await runJob(job, input)
  if (outcome.ok) return outcome.value as Value | undefined
  if (outcome.isRefused !== true) log.error({ job, reason: outcome.message }, 'a passkey could not be checked')
  throw overloaded('too many sign in at this moment: try again', { retryAfterSeconds: 2 })
}

const challengeSignIn = entrance.post('/passkeys/challenge', {
  operationId: 'challengePasskey',
  summary: 'Begin to sign in with a passkey',
  description:
    'The answer is what `navigator.credentials.get` takes as `publicKey`, as JSON (WebAuthn, PublicKeyCredentialRequestOptionsJSON). The challenge is good once, for five minutes.',
  answer: Type.Object({
    challenge: Type.String(),
    timeout: Type.Integer(),
    userVerification: Type.Literal('required'),
  }),
  status: 201,
  errors: [rateLimited, forbidden],
  change({ remoteAddress }, draft, services) {
    askForChallenge(services, remoteAddress)
    const challenge = addChallenge(draft, services)
    return { challenge, timeout: challengeLifetimeMs, userVerification: 'required' as const }
  },
})

/** Whose passkey has signed: the row, its next count, and what uses up the challenge. Undefined for what is not good. */
export interface PresentedPasskey {
  readonly row: Passkey
  /** With the session. False where another request was first. */
  use(draft: Draft): boolean
}

export async function checkSigned(
  { id, response }: SignedPasskey,
  { origin, remoteAddress }: { readonly origin: string | undefined; readonly remoteAddress: string },
  services: Services,
): Promise<PresentedPasskey | undefined> {
  const rpId = hostOf(origin)
  const view = services.view()
  const open = findChallenge(challengeIn(response.clientDataJSON), 'sign-in', view, services.clock.now())
  const [row] = view.listBy(passkeysTable, 'byCredential', [id], { limit: 1 })
  if (open === undefined || row === undefined || row.rp_id !== rpId) return undefined
  if (response.userHandle !== undefined && response.userHandle !== handleOf(row.user_id)) return undefined
  const { credential_id, public_key, counter } = row
  const checked = await run<CheckedPasskey>(
    checkPasskeyJob,
    {
      owner: networkOf(remoteAddress),
      challenge: open.challenge,
      origin: origin as string,
      rpId,
      credential: { id, response },
      stored: { credential_id, public_key, counter },
    } satisfies CheckPasskeyInput,
    services,
  )
  if (checked === undefined) return undefined
  return {
    row,
    use(draft) {
      const held = draft.get(passkeysTable, [row.passkey_id])
      if (held?.version !== row.version || !useChallenge(open, draft)) return false
      draft.put(passkeysTable, {
        ...held,
        counter: checked.counter,
        last_used_at: formatTimestamp(services.clock.now()),
      })
      return true
    },
  }
}

const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url')

const listPasskeys = area.list('/passkeys', {
  operationId: 'listPasskeys',
  summary: 'List your passkeys',
  scopes,
  row: passkeySchema,
  perPage: 50,
  maximum: 200,
  errors: [forbidden],
  read({ principal, query }, { view }) {
    const { organization_id, user_id } = memberOf(principal).member
    const list = { index: 'byUser', group: [organization_id, user_id] }
    const { rows, total } = readPage({ view: view(), table: passkeysTable, list, query })
    return { rows: rows.map(passkeyView), total }
  },
})

const beginPasskey = area.route({
  method: 'POST',
  path: '/passkeys/options',
  operationId: 'beginPasskey',
  summary: 'Begin to make a passkey',
  description:
    'The answer is what `navigator.credentials.create` takes as `publicKey`, as JSON (WebAuthn, PublicKeyCredentialCreationOptionsJSON). The challenge is good once, for five minutes.',
  scopes,
  requires: [recentSignIn],
  headers: originHeader,
  responses: {
    201: Type.Object({
      challenge: Type.String(),
      rp: Type.Object({ id: Type.String(), name: Type.String() }),
      user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
      pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
      timeout: Type.Integer(),
      attestation: Type.Literal('none'),
      authenticatorSelection: Type.Object({
        residentKey: Type.Literal('required'),
        userVerification: Type.Literal('required'),
      }),
      excludeCredentials: Type.Array(Type.Object({ type: Type.Literal('public-key'), id: Type.String() })),
    }),
  },
  errors: [forbidden],
  handle({ principal, headers }, services) {
    const { member, session } = memberOf(principal)
    const { organization_id, user_id, email, name } = member
    const rpId = hostOf(headers.Origin)
    const draft = openDraft(services.view(), services.clock.now())
    const own = services.view().listBy(passkeysTable, 'byUser', [organization_id, user_id])
    const body = {
      challenge: addChallenge(draft, services, {
        type: 'make-passkey',
        console_session_id: session.console_session_id,
      }),
      rp: { id: rpId, name: principal.organization.name },
      user: { id: handleOf(user_id), name: `${email} (${principal.organization.name})`, displayName: name },
      // EdDSA, ES256 and RS256 (RFC 9053).
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: challengeLifetimeMs,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: own.map(({ credential_id: id }) => ({ type: 'public-key', id })),
    }
    return { status: 201, body, ...draft.close() }
  },
})

const addPasskey = area.route({
  method: 'POST',
  path: '/passkeys',
  operationId: 'addPasskey',
  summary: 'Make a passkey for yourself',
  description: `Takes what \`POST /api/v1/console/passkeys/options\` was answered with. A member has at most ${limits.passkeysOfMember} passkeys.`,
  scopes,
  requires: [recentSignIn],
  headers: originHeader,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100, ...filledLine, description: 'As you will know it by.' }),
    credential: newCredential,
  }),
  responses: { 201: passkeySchema },
  errors: [forbidden, invalidCredentials, conflict, overloaded],
  examples: {
    phone: {
      name: 'Phone',
      credential: {
        id: 'Zm9v',
        response: { clientDataJSON: 'e30', attestationObject: 'o2NmbXQ', transports: ['internal'] },
      },
    },
  },
  async handle({ principal, headers, body, remoteAddress }, services) {
    const { member, session } = memberOf(principal)
    const { organization_id, user_id } = member
    const { name, credential } = body
    const rpId = hostOf(headers.Origin)
    const { clientDataJSON } = credential.response
    const open = findChallenge(challengeIn(clientDataJSON), 'make-passkey', services.view(), services.clock.now())
    const notGood = () => invalidCredentials('this passkey is not valid: begin again')
    if (open?.row.purpose.console_session_id !== session.console_session_id) throw notGood()
    const made = await run<MadePasskey>(
      makePasskeyJob,
      {
        owner: networkOf(remoteAddress),
        challenge: open.challenge,
        origin: headers.Origin as string,
        rpId,
        credential,
      } satisfies MakePasskeyInput,
      services,
    )
    if (made === undefined) throw notGood()
    const draft = openDraft(services.view(), services.clock.now())
    if (!useChallenge(open, draft)) throw notGood()
    // A session that is ended at this moment leaves no way in behind.
    requirePowers(draft, principal)
    const taken = conflict('this passkey is there already')
    draft.requireNone(passkeysTable, { index: 'byCredential', group: [made.credential_id] }, taken)
    const tooMany = conflict(`a member has at most ${limits.passkeysOfMember} passkeys: remove one first`)
    const own = { index: 'byUser', group: [organization_id, user_id] }
    draft.requireRoom(passkeysTable, own, limits.passkeysOfMember, tooMany)
    const row = draft.put(passkeysTable, {
      passkey_id: services.newId('pky'),
      organization_id,
      user_id,
      name,
      ...made,
      rp_id: rpId,
      transports: credential.response.transports ?? [],
      proves_address: provesAddress(session, draft.view) ? (true as const) : undefined,
      created_at: formatTimestamp(services.clock.now()),
      last_used_at: undefined,
    })
    return { status: 201, body: passkeyView(row), ...draft.close() }
  },
})

const removePasskey = area.delete('/passkeys/{passkey_id}', {
  operationId: 'removePasskey',
  summary: 'Remove one of your passkeys',
  description: 'Sessions that somebody has signed in to with it end at once, in whichever organization.',
  scopes,
  params: { passkey_id: Type.String({ maxLength: 64 }) },
  answer: null,
  errors: [notFound],
  change({ principal, params }, draft) {
    const { organization_id, user_id } = isMember(principal) ? memberOf(principal).member : noMember
    const row = draft.get(passkeysTable, [params.passkey_id])
    if (row?.organization_id !== organization_id || row.user_id !== user_id) throw notFound('there is no such passkey')
    draft.remove(passkeysTable, [row.passkey_id])
    return undefined
  },
})

export const passkeyRoutes = [challengeSignIn, listPasskeys, beginPasskey, addPasskey, removePasskey]
