// A surface of the API: who calls there, and how they are answered. Each route belongs to one. The pipeline reads everything here and
// knows no surface by name; what only one kind of caller has is in src/api/surfaces/.

import type { TProperties, TSchema } from 'typebox'
import type { AuditEntry } from '../../records/audit-entry.js'
import type { Presence } from '../../records/presence.js'
import type { AmpshardError, ErrorDetail, ErrorKind } from '../../runtime/errors.js'
import type { Change, Condition, ReadView } from '../../runtime/store/store.js'
import type { ApiRequest, ApiResponse, RequestHead } from './message.js'
import type { PageQuery } from './paging.js'
import type { ApiConfiguration, Services } from './services.js'
import type { Throttle } from './throttles.js'

export interface Surface<Principal = unknown, Scope extends string = string> {
  /** Where a path below this one leads to no route, it is this surface that says so; of several, the longest. */
  readonly root: `/${string}`
  /** What its callers have to know, for the head of the reference: sections in Markdown, from `##` on. */
  readonly guide?: string
  /** Absent where anybody may call: nobody is asked who they are, counted, or audited. */
  readonly callers?: Callers<Principal, Scope>
  /** From which overload level each kind of route is refused; absent where requests are answered whatever the load, and while the service ends. */
  readonly shedFrom?: ShedFrom
  /** Each body as it is meant, before it is checked; without it, as it was sent. */
  readBody?(body: unknown, method: string): unknown
  readonly envelope: Envelope
  readonly pages: Pages
  /** Of every answer, whatever is in it. `requestId` is the service's own where the caller's is none that can be noted. */
  headers?(request: RequestHead, requestId: string): Readonly<Record<string, string>>
}

export type ShedFrom = Readonly<Record<'list' | 'command' | 'never', number>>

/** `Principal` is what handlers are given of a caller; `Scope` is what routes name in `scopes`. */
export interface Callers<Principal, Scope extends string> {
  readonly credential: Credential<Principal>
  /** The caller of this request, where one credential is of several; without it, the credential alone says who calls. */
  sentBy?(principal: Principal, request: RequestHead): Principal
  /** How a caller is written in records, and whose Idempotency-Keys are whose: `api_key:key_01J...`. */
  nameOf(principal: Principal): string
  /** Unique among the callers of the surface: whose quota. */
  idOf(principal: Principal): string
  /** What lacks a scope, in sentences, where that is not the credential: `the session`. */
  calledOf?(principal: Principal): string | undefined
  grants(principal: Principal, scope: Scope): boolean
  /** Requests in a clock hour; undefined where no quota holds. Without it, no request is counted. */
  requestsPerHour?(principal: Principal, configuration: ApiConfiguration): number | undefined
  /** A rate that holds in the place of any quota; undefined for callers who have none. */
  rateOf?(principal: Principal): OwnRate | undefined
  /** Whose callers have only `limits.callersOfQuota` times the quota of one, all together; without it, each is counted alone. */
  quotaGroup?(principal: Principal): string
  /** Without it, nothing that they do is in an audit log. */
  audited?(principal: Principal): AuditedCaller
  /**
   * Without it, an Idempotency-Key is ignored. `sealing` is a text that the caller has and the store has not: answers that show a
   * secret are kept under it.
   */
  readonly repeats?: { sealing(presented: string, principal: Principal): string }
  /** Told of every answer to a caller that was let in, before it is sent; what it does is not waited for. */
  answered?(exchange: Exchange<Principal>, services: Services): void
  /** Which credential it is, where callers have several: for `noteUse`. */
  usedOf?(principal: Principal): string
  /** Written beside the first request of a minute (ms) with a credential, never waited for. */
  noteUse?(principal: Principal, minute: number): { readonly change: Change; readonly condition: Condition } | undefined
}

export interface OwnRate {
  readonly throttle: Throttle
  /** Whose it is, as no other caller is called. */
  readonly of: string
}

/** A request and its answer. */
export interface Exchange<Principal> {
  readonly principal: Principal
  readonly operationId: string
  readonly request: ApiRequest
  readonly response: ApiResponse
  readonly requestId: string
  readonly milliseconds: number
}

/** What has to be true of a caller beside their scopes, such as that they have accepted the terms. A route or an area declares it. */
export interface Requirement<Principal = never> {
  readonly error: ErrorKind
  /** What the caller reads who does not meet it. */
  readonly message: string
  isMet(principal: Principal, view: ReadView, configuration: ApiConfiguration, surroundings: Surroundings): boolean
}

/** What the request comes with, and comes into. */
export interface Surroundings {
  readonly request: RequestHead
  readonly presence: Presence
}

/** How a caller shows who they are. */
export interface Credential<Principal> {
  /** In sentences: "the API key lacks the scope ...". */
  readonly name: string
  /** What the request presents, which is never stored or logged. Throws `unauthorized`; called once for a request. */
  find(request: RequestHead): string
  /** Whose it is by what is stored now. Throws `unauthorized`; called again as long as an answer goes on. */
  verify(presented: string, view: ReadView, now: number): Principal
  /** What `verify` throws beside `unauthorized`. */
  readonly errors?: readonly ErrorKind[]
  /** WWW-Authenticate of a 401 (RFC 9110, 11.6.1). */
  readonly challenge: string
  /** In the OpenAPI document: schemes by name, and which of them a request needs. */
  readonly securitySchemes: Readonly<Record<string, object>>
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

/** What answers are written in. */
export interface Envelope {
  /** Around the JSON of an answer; absent where it is sent as it is. */
  readonly success?: { wrap(body: unknown, now: number): unknown; schema(body: TSchema): TSchema }
  error(error: AmpshardError, requestId: string, now: number): { readonly status: number; readonly body: unknown }
  /** The forms of these errors, for the OpenAPI document. */
  readonly errorForms: readonly ErrorForm[]
  /** The HTTP status that an error comes with, where it is not the one that it declares. */
  statusOf?(kind: ErrorKind): number
}

export interface ErrorForm {
  /** In the OpenAPI document. */
  readonly name: string
  /** `kinds` are all that there are. */
  schema(kinds: readonly ErrorKind[]): object
  /** Whether the error comes in this form: from the route, or from any. */
  has(
    kind: ErrorKind,
    route?: { readonly errors?: readonly ErrorKind[]; readonly requires?: readonly Requirement[] },
  ): boolean
  example(kind: ErrorKind): { readonly name: string; readonly value: object }
}

/** How a list is asked for a page, and answers with it. */
export interface Pages {
  query(perPage: number, maximum: number): TProperties
  /** What the schemas of the parameters cannot say: settles the values, or names the fault. */
  settle?: Settle
  /** Which rows the parameters ask for. */
  askedFor(query: Readonly<Record<string, unknown>>): PageQuery
  /** Of the answer's body. `name` is what the list calls its rows, `fields` what it says beside them. */
  schema(row: TSchema, name: string, fields: TProperties): TSchema
  answer(page: AnsweredPage, asked: PageQuery, target: Target, configuration: ApiConfiguration): PageAnswer
}

/** `given` names the parameters that were sent; the others have their defaults. */
export type Settle = (query: Record<string, unknown>, given: readonly string[]) => ErrorDetail | undefined

/** What of the answer the page makes. */
export interface PageAnswer {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface AnsweredPage {
  readonly name: string
  readonly rows: readonly object[]
  /** Over all pages. */
  readonly total: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** What the request asked for, as it came. */
export type Target = Pick<ApiRequest, 'path' | 'query'>

export interface AuditedCaller {
  /** Whose log has the entries; absent for a caller without an organization, whose entries are in the log of what they concern. */
  readonly organizationId?: string
  /** Whose log has what such a caller does that concerns no organization, or only what is theirs under `ownerId`. */
  readonly otherwise?: string | undefined
  /** What belongs to such a caller has this in the place of an organization. */
  readonly ownerId?: string
  readonly actor: Pick<AuditEntry, 'key_id' | 'key_name' | 'user_id' | 'installer_id'>
}

export function defineSurface<Principal = undefined, Scope extends string = never>(
  surface: Surface<Principal, Scope>,
): Surface<Principal, Scope> {
  return surface
}

/** Whose a path is that leads to no route. */
export function createSurfaceOf(surfaces: readonly Surface[]): (path: string) => Surface {
  const longestFirst = [...surfaces].sort((one, other) => other.root.length - one.root.length)
  return (path) => (longestFirst.find(({ root }) => path.startsWith(root)) ?? longestFirst.at(-1)) as Surface
}
