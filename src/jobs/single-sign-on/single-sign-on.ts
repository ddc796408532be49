// Single sign-on (OpenID Connect Core 1.0, 3.1) with any provider that publishes its metadata: code flow with PKCE, state and nonce. The provider says
// which address it has verified, and nothing else of it is believed or kept.

import { createHash } from 'node:crypto'
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  discoveryRequest,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi'
import { recentSignInMs, sessionLongestMs } from '../../records/console-session.js'
import { isYoungerThan } from '../../records/lifetime.js'
import type { Settings } from '../../settings.js'
import type { BeginSingleSignOnInput, EndedSingleSignOn, EndSingleSignOnInput } from './messages.js'
import { isLoopback } from './settings.js'

/** Of one request to the provider. */
const withinMs = 10_000
/** How long its metadata are believed: providers change their keys rarely, and their addresses never. */
const metadataForMs = 600_000
/** By how much the clock of the provider may be ahead of ours. */
const aheadMs = 60_000

interface Known {
  readonly issuer: string
  readonly server: AuthorizationServer
  readonly until: number
}
let known: Known | undefined

interface Provider {
  readonly server: AuthorizationServer
  readonly client: Client
  readonly credential: ClientAuth
}

const optionsFor = (url: URL) => ({
  signal: AbortSignal.timeout(withinMs),
  [allowInsecureRequests]: url.protocol === 'http:' && isLoopback(url),
})

async function serverOf(issuer: URL, now: number): Promise<AuthorizationServer> {
  if (known?.issuer === issuer.href && known.until > now) return known.server
  const response = await discoveryRequest(issuer, { algorithm: 'oidc', ...optionsFor(issuer) })
  const server = await processDiscoveryResponse(issuer, response)
  known = { issuer: issuer.href, server, until: now + metadataForMs }
  return server
}

async function providerOf(settings: Settings, now: number): Promise<Provider> {
  const { oidc_issuer: issuer = '', oidc_client_id: client_id = '', oidc_client_secret: secret } = settings
  const server = await serverOf(new URL(issuer), now)
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const credential =
    secret === undefined
      ? None()
      : methods.includes('client_secret_basic')
        ? ClientSecretBasic(secret)
        : ClientSecretPost(secret)
  return { server, client: { client_id }, credential }
}

/** 43 characters, as many as a verifier has to have (RFC 7636, 4.1). */
const derived = (attempt: string, purpose: 'state' | 'nonce' | 'verifier'): string =>
  createHash('sha256').update(`${purpose} ${attempt}`).digest('base64url')

/** How long ago the provider may have asked who they are. */
const longestMs = (isAgain: boolean): number => (isAgain ? recentSignInMs : sessionLongestMs)

export async function beginSingleSignOn(
  { attempt, redirectUri, isAgain }: BeginSingleSignOnInput,
  settings: Settings,
  now: number,
): Promise<string> {
  const { server, client } = await providerOf(settings, now)
  if (server.authorization_endpoint === undefined)
    throw new Error('the identity provider names no authorization endpoint')
  const url = new URL(server.authorization_endpoint)
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state: derived(attempt, 'state'),
    nonce: derived(attempt, 'nonce'),
    code_challenge: await calculatePKCECodeChallenge(derived(attempt, 'verifier')),
    code_challenge_method: 'S256',
    // It also has the provider say when it asked (3.1.2.1); no sign-in there counts for longer than a session here.
    max_age: String(longestMs(isAgain) / 1000),
    ...(isAgain && { prompt: 'login' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

export async function endSingleSignOn(
  { attempt, redirectUri, query, isAgain }: EndSingleSignOnInput,
  settings: Settings,
  now: number,
): Promise<EndedSingleSignOn> {
  const { server, client, credential } = await providerOf(settings, now)
  const issuer = new URL(settings.oidc_issuer ?? '')
  try {
    const answered = validateAuthResponse(server, client, new URLSearchParams(query), derived(attempt, 'state'))
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      credential,
      answered,
      redirectUri,
      derived(attempt, 'verifier'),
      optionsFor(issuer),
    )
    const tokens = await processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: derived(attempt, 'nonce'),
      requireIdToken: true,
    })
    await validateApplicationLevelSignature(server, response, optionsFor(issuer))
    const claims = getValidatedIdTokenClaims(tokens)
    if (claims === undefined) return { ok: false, reason: 'the identity provider has sent no ID token' }
    if (claims.iat * 1000 > now + aheadMs)
      return { ok: false, reason: 'the ID token was made in the future: set the clocks of both to the right time' }
    const authenticatedAt = (claims.auth_time ?? 0) * 1000
    // Not all of them say it without being asked to ask (3.1.3.7, 12 and 13).
    const isTold = isAgain || claims.auth_time !== undefined
    if (isTold && !isYoungerThan(longestMs(isAgain), { made_at: authenticatedAt }, now))
      return { ok: false, reason: 'the identity provider asked too long ago, or has not said when', isNotAsked: true }
    const { email, email_verified: isVerified } =
      claims.email === undefined && server.userinfo_endpoint !== undefined
        ? await processUserInfoResponse(
            server,
            client,
            claims.sub,
            await userInfoRequest(server, client, tokens.access_token, optionsFor(issuer)),
          )
        : claims
    if (typeof email !== 'string') return { ok: false, reason: 'the identity provider has told no email address' }
    // Anybody may enter any address at some providers: unless it is said to be verified, it is nobody's.
    if (isVerified !== true) return { ok: false, reason: 'the identity provider has not verified the email address' }
    return { ok: true, email, authenticatedAt }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
