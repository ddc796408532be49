// Signing in to the console and out of it, and who is signed in.

import { type Static, Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { scopes } from '../../../records/api-key.js'
import { challengeLifetimeMs } from '../../../records/challenge.js'
import { consoleSessionsTable } from '../../../records/console-session.js'
import { roles } from '../../../records/member.js'
import { organizationsTable } from '../../../records/organization.js'
import { conflict, notFound, overloaded } from '../../../runtime/errors.js'
import { filledLine, patternOf } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { openDraft } from '../../pipeline/draft.js'
import { forbidden } from '../../pipeline/errors.js'
import { named, secret, timestamp } from '../../pipeline/schemas.js'
import { setCookie } from '../../pipeline/session-cookie.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { principalName } from '../../surfaces/principal.js'
import { invalidCredentials } from '../installer-accounts/errors.js'
import { area, entrance } from './area.js'
import { codeFields } from './codes.js'
import { makeSession } from './make-session.js'
import { meOf, meSchema } from './me.js'
import { signedPasskey } from './passkeys.js'
import { type HasToChoose, type SigningIn, signInBy } from './sign-in-by.js'
import { signedOn } from './single-sign-on.js'

/** Of the browser, for its session. */
const browserHeaders = Type.Object({
  Cookie: Type.Optional(Type.String({ description: 'A session that the browser has ends.' })),
  'Sec-Fetch-Site': Type.Optional(Type.String({ description: 'Browsers send it where nobody can read along.' })),
  Origin: Type.Optional(Type.String({ description: 'Where a passkey is good.' })),
  'User-Agent': Type.Optional(Type.String({ description: 'The list of sessions shows it.' })),
})

const signInBody = Type.Object({
  api_key: Type.Optional(
    Type.String({
      ...secret,
      maxLength: 200,
      ...patternOf('^[\\x21-\\x7e]+$', 'printable ASCII characters without spaces'),
    }),
  ),
  ...codeFields,
  passkey: Type.Optional(signedPasskey),
  single_sign_on: Type.Optional(signedOn),
  invitation: Type.Optional(
    Type.String({ ...secret, maxLength: 200, ...filledLine, description: 'The token from the mail.' }),
  ),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      ...filledLine,
      description: 'Of who accepts an invitation. The part of the address before the @ if you leave it out.',
    }),
  ),
  choice: Type.Optional(
    Type.String({
      ...secret,
      ...patternOf('^[A-Za-z0-9_-]{43}$', 'what a sign-in has returned'),
      description: 'What a sign-in has returned because you are a member of several organizations.',
    }),
  ),
  organization_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Beside `choice`, the organization that you choose. Beside a code, a passkey or a single sign-on, the one that you want, of several.',
    }),
  ),
})

const organizationChoice = named('OrganizationChoice', {
  choice: Type.String({ description: 'Send it back with an `organization_id`, once and within five minutes.' }),
  expires_at: timestamp(),
  organizations: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), role: Type.Enum([...roles]) }), {
    description: 'Of which you are a member with this address.',
  }),
})

/** Each way in, by the field that is sent for it. */
const wayFields = ['api_key', 'choice', 'code', 'invitation', 'passkey', 'single_sign_on'] as const

/** Throws `validation_error` unless exactly one way is taken. */
function wayOf(body: Static<typeof signInBody>): SigningIn {
  const [way, ...more] = wayFields.filter((field) => body[field] !== undefined)
  if (way === undefined || more.length > 0)
    throw invalid([{ path: '', message: `must have exactly one of ${wayFields.join(', ')}` }])
  const { api_key, choice, code_id, code, invitation, name, organization_id: organizationId, passkey } = body
  if (body.single_sign_on !== undefined) return { way: 'single_sign_on', signedOn: body.single_sign_on, organizationId }
  if (passkey !== undefined) return { way: 'passkey', passkey, organizationId }
  if (code !== undefined) {
    if (code_id === undefined) throw invalid([{ path: '/code_id', message: 'must be there beside a code' }])
    return { way: 'code', code_id, code, organizationId }
  }
  if (choice !== undefined) {
    if (organizationId === undefined)
      throw invalid([{ path: '/organization_id', message: 'must be there beside a choice' }])
    return { way: 'choice', choice, organizationId }
  }
  if (organizationId !== undefined)
    throw invalid([
      { path: '/organization_id', message: `cannot be given beside ${way}, which is of one organization` },
    ])
  if (api_key !== undefined) return { way: 'api_key', key: api_key }
  return { way: 'invitation', token: invitation as string, name }
}

function choiceView({ choice, members }: HasToChoose, view: ReadView, now: number) {
  return {
    choice,
    expires_at: formatTimestamp(now + challengeLifetimeMs),
    organizations: members.map(({ organization_id: id, role }) => ({
      id,
      name: view.get(organizationsTable, [id])?.name ?? '',
      role,
    })),
  }
}

const signIn = entrance.route({
  method: 'POST',
  path: '/session',
  operationId: 'signIn',
  summary: 'Sign in to the console',
  description:
    'Sets the cookie `__Host-ampshard`, which no script can read. Send one of these: an API key, as which the session then acts; `code` with `code_id`, from ' +
    '`POST /api/v1/console/codes`; the token of an invitation, which makes you a member; what a passkey has signed, for `POST /api/v1/console/passkeys/challenge`; or what the identity provider has sent the browser back with, after `POST /api/v1/console/single-sign-on`. ' +
    'A member of several organizations is answered 200 with a list of them and a `choice`, and signs in by sending it back with the `organization_id` that they choose. Attempts that fail are limited to 5 a minute for each account and 20 ' +
    'for each address of a client: beyond that, 429 `rate_limited`.',
  headers: browserHeaders,
  body: signInBody,
  responses: { 200: organizationChoice, 201: meSchema },
  errors: [invalidCredentials, notFound, rateLimited, forbidden, conflict, overloaded],
  secret: true,
  examples: {
    key: { api_key: 'ak_01JDP3SYQG6Q0V0YF3B4CJ0H9T_nOtAReaLKeyButItHasTheFormOfOne_0123456789' },
    code: { code_id: '01JDP3SYQG6Q0V0YF3B4CJ0H9T_nOtAReaLiDButItHasTheFormOfOne_0123456789a', code: '402 817' },
    choice: {
      choice: 'nOtAReaLOneButItHasTheFormOfOne_0123456789a',
      organization_id: 'org_01JDP3SYQG6Q0V0YF3B4CJ0H9T',
    },
    invitation: { invitation: 'M4uN0tAReaL0ne-TheMailHasIt_0123456789abcde', name: 'Anna Example' },
  },
  async handle({ body, headers, requestId, remoteAddress }, services) {
    const found = await signInBy(wayOf(body), { remoteAddress, origin: headers.Origin }, services)
    const draft = openDraft(services.view(), services.clock.now())
    const signedIn = found(draft)
    if ('choice' in signedIn)
      return { status: 200, body: choiceView(signedIn, draft.view, services.clock.now()), ...draft.close() }
    const { principal } = signedIn
    const isPlain = services.config.consoleInsecure === true && headers['Sec-Fetch-Site'] === undefined
    const browser = { isPlain, remoteAddress, requestId, agent: headers['User-Agent'], cookies: headers.Cookie }
    const { row, cookie } = makeSession(draft, principal, signedIn, browser, services)
    const me = meOf({ ...principal, session: row }, principalName(principal), draft.view, services.config)
    return { status: 201, body: me, headers: { 'Set-Cookie': cookie }, ...draft.close() }
  },
})

const signOut = area.route({
  method: 'DELETE',
  path: '/session',
  operationId: 'signOut',
  summary: 'Sign out of the console',
  description: 'Ends the session of the request, at once and everywhere, and removes its cookie.',
  scopes,
  responses: { 204: null },
  errors: [notFound],
  handle({ principal: { session } }, services) {
    if (session === undefined) throw notFound('this request has come with an API key, which has no session')
    const draft = openDraft(services.view(), services.clock.now())
    draft.clear(consoleSessionsTable, [session.console_session_id])
    return { status: 204, headers: { 'Set-Cookie': setCookie('', 0, session.is_plain) }, ...draft.close() }
  },
})

const getMe = area.get('/me', {
  operationId: 'getMe',
  summary: 'Get who is signed in, with their organization and what they may do',
  scopes,
  answer: meSchema,
  read: ({ principal }, { view, config }) => meOf(principal, principalName(principal), view(), config),
})

export const signInRoutes = [signIn, signOut, getMe]
