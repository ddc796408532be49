// The API as pages ask it: typed by its OpenAPI document, from this origin alone, with the cookie of the session. What is refused is thrown as one
// kind of error, with what it means before its code.

import type { Client } from 'openapi-fetch'
import type { components, paths } from '#api'
import { readJson } from './read-json.js'

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]
export type { paths } from '#api'

/** Why there is no answer, as a value: pages show it and never guess. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    /** 0 where the service was not reached. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | undefined,
    readonly retryAfterSeconds: number | undefined,
    /** What is wrong with which field. */
    readonly details: readonly { readonly path: string; readonly message: string }[] = [],
  ) {
    super(message)
  }
}

let onSignedOut: () => void = () => {}

/** What becomes of the page when an answer says that nobody is signed in. */
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler
}

/** The session that this page is of. Another one that has begun meanwhile, in another tab, is asked nothing for it. */
let sessionId: string | undefined
export const sessionHeader = 'X-Ampshard-Session'

export function setSession(id: string | undefined): void {
  sessionId = id
}

let hasRenewed: () => Promise<boolean> = async () => false

/** Who finds out, where a session is over, whether the same person has begun another one in this browser. Rejects where that cannot be told now. */
export function whenSessionIsOver(asks: () => Promise<boolean>): void {
  hasRenewed = asks
}

let signInAgain: () => Promise<boolean> = async () => false

/** Who asks for a sign-in where an answer says that what was asked takes one of the last minutes; whether there was one. */
export function whenSignInAgain(asks: () => Promise<boolean>): void {
  signInAgain = asks
}

/** `crypto.randomUUID` is there on safe origins alone. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const safe = new Set(['GET', 'HEAD'])

/** Longer than the service lets any reader wait (a snapshot of a fleet: 60 s). What is done may take as long as a charge point does. */
const patienceMs = 75_000
const hangs = () =>
  new ApiError(0, 'not_reached', `The service has not answered for ${patienceMs / 1_000} s.`, undefined, undefined)

/** The session that it is for, a header that no form of another site can send, and a key under which a repeated request is carried out once. */
function guard(method: string, headers: Headers, isOfSession: boolean): void {
  if (isOfSession && sessionId !== undefined && !headers.has(sessionHeader)) headers.set(sessionHeader, sessionId)
  if (safe.has(method)) return
  headers.set('X-Ampshard', 'console')
  if (!headers.has('Idempotency-Key')) headers.set('Idempotency-Key', randomKey())
}

interface Sent {
  readonly params?: {
    readonly path?: Readonly<Record<string, unknown>>
    readonly query?: Readonly<Record<string, unknown>>
  }
  readonly body?: unknown
  readonly headers?: HeadersInit
  readonly signal?: AbortSignal
  /** False: of whoever is signed in by now, or of nobody. */
  readonly isOfSession?: boolean
}

/** A list is its name again for each value. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one) => [name, String(one)]),
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** What gives lasting access is sent again once somebody has signed in again. Rejects where the service was not reached. */
async function send(method: string, path: string, sent: Sent) {
  const sentFor = sessionId
  const answered = await sendOnce(method, path, sent)
  if (answered.response.status === 401 && sent.isOfSession !== false && sentFor !== undefined)
    return sessionId !== sentFor || (await hasRenewed()) ? await sendOnce(method, path, sent) : answered
  if (answered.response.status !== 403 || codeOf(answered.error) !== 'sign_in_again') return answered
  return (await signInAgain()) ? await sendOnce(method, path, sent) : answered
}

function codeOf(body: unknown): unknown {
  return (body as { readonly error?: { readonly code?: unknown } } | undefined)?.error?.code
}

async function sendOnce(method: string, path: string, sent: Sent) {
  const { params = {}, body, headers: given, signal, isOfSession = true } = sent
  const headers = new Headers(given)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  guard(method, headers, isOfSession)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params.path?.[name])))
  const over = new AbortController()
  const giveUp = (): void => over.abort(signal?.reason)
  if (signal?.aborted === true) giveUp()
  signal?.addEventListener('abort', giveUp)
  const timer = safe.has(method) ? setTimeout(() => over.abort(hangs()), patienceMs) : undefined
  try {
    const response = await fetch(filled + queryOf(params.query ?? {}), {
      method,
      headers,
      credentials: 'same-origin',
      signal: over.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== ''
    const read: unknown = isJson ? readJson(text) : text
    return response.ok ? { data: read, response } : { error: read, response }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** An answer that goes on until one of both ends it. Rejects where the service was not reached. */
export function openStream(path: string, signal: AbortSignal): Promise<Response> {
  const headers = new Headers({ Accept: 'text/event-stream' })
  guard('GET', headers, true)
  return fetch(path, { headers, credentials: 'same-origin', cache: 'no-store', signal })
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** With the types of openapi-fetch, and of what that does only what is asked of it here: `api.GET('/api/v1/...', { params, signal })`. */
export const api = Object.fromEntries(
  methods.map((method) => [method, (path: string, sent: Sent = {}) => send(method, path, sent)]),
) as unknown as Pick<Client<paths>, (typeof methods)[number]>

interface Answered<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** The data of an answer, or an ApiError: `await ask(api.GET('/api/v1/...', { params, signal }))`. */
export async function ask<Data>(answer: Promise<Answered<Data>>): Promise<Data> {
  let answered: Answered<Data>
  try {
    answered = await answer
  } catch (error) {
    throw notReached(error)
  }
  const { data, error, response } = answered
  if (!response.ok) throw errorOf(response, error)
  return data as Data
}

/** What is wrong is told by its place in something else than the request. */
export async function placed<Data>(answer: Promise<Data>, placeOf: (path: string) => string): Promise<Data> {
  try {
    return await answer
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure
    const { status, code, message, requestId, retryAfterSeconds, details } = failure
    const moved = details.map((detail) => ({ ...detail, path: placeOf(detail.path) }))
    throw new ApiError(status, code, message, requestId, retryAfterSeconds, moved)
  }
}

/** Of a route that the document does not describe. */
export async function request<Data>(method: string, path: string, body?: unknown, isOfSession = true): Promise<Data> {
  try {
    const { data, error, response } = await send(method, path, { body, isOfSession })
    if (!response.ok) throw errorOf(response, error, path.startsWith('/api/v1/console/'))
    return data as Data
  } catch (error) {
    throw notReached(error)
  }
}

function notReached(error: unknown): unknown {
  if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')) return error
  return new ApiError(0, 'not_reached', 'The service does not answer.', undefined, undefined)
}

function errorOf(response: Response, body: unknown, isSignIn = false): ApiError {
  if (response.status === 401 && !isSignIn) onSignedOut()
  const outer = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const inner = (typeof outer.error === 'object' && outer.error !== null ? outer.error : outer) as Record<
    string,
    unknown
  >
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(
    response.status,
    text(inner.code) ?? text(outer.error) ?? `http_${response.status}`,
    text(inner.message) ?? 'The service has refused this.',
    text(inner.request_id) ?? response.headers.get('x-request-id') ?? undefined,
    Number.isFinite(seconds) ? seconds : undefined,
    Array.isArray(inner.details) ? inner.details : [],
  )
}
