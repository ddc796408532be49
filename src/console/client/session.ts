// Who is signed in, and what they may do. The cookie of the session is the browser's own: no page reads it.

import { computed, signal } from '@preact/signals'
import { ApiError, request, setSession, whenSessionIsOver, whenSignedOut } from './api.js'
import { remember, remembered } from './remembered.js'

/** What `GET /console/me` answers. */
export interface Me {
  /** As it stands in the audit log: `user:usr_…` or `api_key:key_…`. */
  readonly name: string
  readonly session: { readonly id: string } | null
  readonly key: { readonly id: string; readonly name: string } | null
  readonly member: {
    readonly user_id: string
    readonly name: string
    readonly email: string
    readonly role: string
  } | null
  readonly organization: {
    readonly id: string
    readonly name: string
    readonly country: string
    readonly timezone: string
    readonly currency: string
    readonly operates_installation: boolean
  }
  readonly scopes: readonly string[]
  /** What this installation has. */
  readonly features: readonly string[]
}

export type Session =
  | { readonly is: 'unknown' }
  | { readonly is: 'signed-out'; readonly ended: boolean; readonly toChoose?: OrganizationChoice | undefined }
  | { readonly is: 'not-reached'; readonly error: ApiError }
  | { readonly is: 'signed-in'; readonly me: Me }

export const session = signal<Session>({ is: 'unknown' })

/** Undefined while nobody is signed in. */
export const me = computed<Me | undefined>(() => (session.value.is === 'signed-in' ? session.value.me : undefined))

whenSignedOut(() => {
  if (session.peek().is === 'signed-in') session.value = { is: 'signed-out', ended: true }
})

const keptAs = 'ampshard session'

/** The session that this browser had when the console was shown last. */
export const lastSession = (): string | undefined => remembered(keptAs)

function accept(now: Me): void {
  setSession(now.session?.id)
  if (now.session !== null) remember(keptAs, now.session.id)
  session.value = { is: 'signed-in', me: now }
}

/** Whoever is signed in by now. */
const askMe = (): Promise<Me> => request<Me>('GET', '/api/v1/console/me', undefined, false)

whenSessionIsOver(async () => {
  const before = me.peek()
  const now = await askMe().catch((error: unknown) => {
    if (isNobody(error)) return undefined
    throw error
  })
  if (before === undefined || now === undefined || now.session?.id === before.session?.id) return false
  if (!isSame(now, before)) return false
  accept(now)
  return true
})

/** Nobody is signed in, as an answer of the service; it may also be out of reach. */
const isNobody = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403 || error.status === 404)

const isSame = (one: Me, other: Me): boolean => one.name === other.name && one.organization.id === other.organization.id

export async function loadSession(): Promise<void> {
  try {
    accept(await askMe())
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    session.value = isNobody(error) ? { is: 'signed-out', ended: false } : { is: 'not-reached', error }
  }
}

/** A member of several organizations has come in, and chooses one. */
export interface OrganizationChoice {
  readonly choice: string
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: string }[]
}

/**
 * `by` is a key, a code or a passkey, as POST /console/session takes them. Nobody is signed in yet where it resolves with a choice. Throws an ApiError.
 */
export async function signIn(by: Readonly<Record<string, unknown>>): Promise<OrganizationChoice | undefined> {
  const answer = await request<Me | OrganizationChoice>('POST', '/api/v1/console/session', by, false)
  if ('choice' in answer) return answer
  await loadSession()
  return undefined
}

export async function signOut(): Promise<void> {
  await request('DELETE', '/api/v1/console/session').catch(() => undefined)
  session.value = { is: 'signed-out', ended: false }
}

/** Whether a scope is granted; `write:X` includes `read:X`. */
export function may(scope: string): boolean {
  const scopes = me.value?.scopes ?? []
  return scopes.includes(scope) || scopes.includes(scope.replace(/^read:/, 'write:'))
}

/** Whether commands may be sent to charge points. */
export const mayCommand = (): boolean => may('write:charge_points') || may('write:commands')

/** One of `features`, or `operates_installation`: what only the organization that runs the installation may see. */
export function hasFeature(name: string): boolean {
  const now = me.value
  if (name === 'operates_installation') return now?.organization.operates_installation ?? false
  return now?.features.includes(name) ?? false
}

/** The organization that is signed in; pages are shown only while there is one. */
export function organizationId(): string {
  const found = me.value?.organization.id
  if (found === undefined) throw new Error('nobody is signed in')
  return found
}

/** The name of who is signed in: of the person, or of the key. */
export function nameOf({ member, key }: Me): string {
  return member?.name ?? key?.name ?? 'API key'
}
