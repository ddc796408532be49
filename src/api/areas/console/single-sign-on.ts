// Single sign-on: the browser is sent to the identity provider of the installation, and comes back with a code. A member is found by the address that
// the provider has verified; nobody becomes a member by it.

import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { networkOf } from '../../../edge/address-network.js'
import {
  type BeginSingleSignOnInput,
  beginSingleSignOnJob,
  type EndedSingleSignOn,
  type EndSingleSignOnInput,
  endSingleSignOnJob,
} from '../../../jobs/single-sign-on/messages.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { type Draft, openDraft } from '../../pipeline/draft.js'
import { forbidden } from '../../pipeline/errors.js'
import { secret } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalidCredentials } from '../installer-accounts/errors.js'
import { entrance } from './area.js'
import { addChallenge, findChallenge, useChallenge } from './challenges.js'
import { askForChallenge } from './throttles.js'

/** Where the page takes up what the provider has sent it. */
const returnPath = '/console/signed-in'

const originHeader = Type.Object({ Origin: Type.Optional(Type.String({ description: 'Browsers send it.' })) })

/** Throws `forbidden` for what is no browser. */
function redirectUriOf(origin: string | undefined): string {
  if (origin === undefined) throw forbidden('single sign-on takes a browser, which names the origin of its page')
  return `${origin}${returnPath}`
}

export const signedOn = Type.Object(
  {
    attempt: Type.String({
      ...patternOf('^[A-Za-z0-9_-]{43}$', 'what `POST /api/v1/console/single-sign-on` has answered'),
    }),
    query: Type.String({
      ...patternOf('^[\\x21-\\x7e]+$', 'a query as it stands in an address'),
      maxLength: 8_192,
      description: 'The query of the address to which the identity provider has sent the browser back.',
    }),
  },
  secret,
)

export interface SignedOn {
  readonly attempt: string
  readonly query: string
}

const beginSingleSignOn = entrance.route({
  method: 'POST',
  path: '/single-sign-on',
  operationId: 'beginSingleSignOn',
  summary: 'Begin to sign in at the identity provider',
  description: `The browser keeps \`attempt\`, goes to \`url\`, and comes back to \`${returnPath}\`. The attempt is good once, for five minutes.`,
  headers: originHeader,
  bodyOptional: true,
  body: Type.Object({
    again: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the identity provider asks who you are even where it knows you, as `sign_in_again` requires. It has to say when it asked (`auth_time`).',
      }),
    ),
  }),
  responses: { 201: Type.Object({ url: Type.String(), attempt: Type.String() }) },
  errors: [notFound, rateLimited, forbidden, overloaded],
  secret: true,
  async handle({ body, headers, remoteAddress }, services) {
    if (services.config.singleSignOn === undefined) throw notFound('this installation has no identity provider')
    askForChallenge(services, remoteAddress)
    const redirectUri = redirectUriOf(headers.Origin)
    const draft = openDraft(services.view(), services.clock.now())
    const isAgain = body.again === true
    const attempt = addChallenge(draft, services, { type: isAgain ? 'sign-in-again' : 'sign-in' })
    const input: BeginSingleSignOnInput = { owner: networkOf(remoteAddress), attempt, redirectUri, isAgain }
    const url = await run<string>(beginSingleSignOnJob, input, services)
    return { status: 201, body: { url, attempt }, ...draft.close() }
  },
})

export interface SignedOnAs {
  /** The verified address. */
  readonly email: string
  /** Wall ms; 0 where the provider has not said. */
  readonly authenticatedAt: number
  /** Goes with the session. */
  use(draft: Draft): boolean
}

/** Undefined for what is not good. Throws `invalid_credentials` where somebody was to be asked again, and was not. */
export async function endSingleSignOn(
  { attempt, query }: SignedOn,
  { origin, remoteAddress }: { readonly origin: string | undefined; readonly remoteAddress: string },
  services: Services,
): Promise<SignedOnAs | undefined> {
  const redirectUri = redirectUriOf(origin)
  if (services.config.singleSignOn === undefined) return undefined
  const [view, now] = [services.view(), services.clock.now()]
  const again = findChallenge(attempt, 'sign-in-again', view, now)
  const open = again ?? findChallenge(attempt, 'sign-in', view, now)
  if (open === undefined) return undefined
  const isAgain = again !== undefined
  const input: EndSingleSignOnInput = { owner: networkOf(remoteAddress), attempt, redirectUri, query, isAgain }
  const ended = await run<EndedSingleSignOn>(endSingleSignOnJob, input, services)
  if (!ended.ok) {
    services.log.warn({ reason: ended.reason }, 'somebody could not sign in at the identity provider')
    if (ended.isNotAsked === true)
      throw invalidCredentials(
        isAgain
          ? 'the identity provider has not asked who you are again, or does not say when it did: sign in another way, such as with a passkey'
          : 'the identity provider has not asked who you are for too long: sign out there, and in again, or sign in another way',
      )
    return undefined
  }
  const { email, authenticatedAt } = ended
  return { email, authenticatedAt, use: (draft) => useChallenge(open, draft) }
}

async function run<Value>(job: string, input: object, { runJob, log }: Services): Promise<Value> {
  const outcome = await runJob(job, input)
  if (outcome.ok) return outcome.value as Value
  if (outcome.isRefused !== true) log.error({ job, reason: outcome.message }, 'the identity provider does not answer')
  throw overloaded('the identity provider does not answer: try again, or sign in otherwise', { retryAfterSeconds: 5 })
}

export const singleSignOnRoutes = [beginSingleSignOn]
