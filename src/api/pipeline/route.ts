// How a route is declared: one value from which matching, validation, types, authorization and documentation follow.
// A route says what it needs and what it answers; the pipeline does everything in between.

import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Address } from '../../runtime/actor/actor.js'
import type { AmpshardError, ErrorKind } from '../../runtime/errors.js'
import type { Change, Condition } from '../../runtime/store/store.js'
import type { BodyStream } from './message.js'
import type { Services } from './services.js'
import type { Requirement, Settle, Surface, Target } from './surface.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an answer has to fulfil at the commit, and what the caller is told when it does not. */
export interface Precondition {
  readonly condition: Condition
  /** Without it, the handler runs again on what is stored then, a few times; after that 409 `conflict`. */
  readonly otherwise?: AmpshardError
}

export interface Concerned {
  readonly organizationId: string
  /** Ids that neither path nor answer have. */
  readonly resources?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  /** Sent as JSON; text and bytes are sent as they are, under `contentType`. */
  readonly body?: unknown
  readonly contentType?: string
  /** In the place of a body: sent as it comes about, under `contentType`. */
  readonly stream?: BodyStream
  readonly headers?: Readonly<Record<string, string>>
  /** Committed, in one batch with the idempotency record, before anybody is answered. */
  readonly changes?: readonly Change[]
  readonly conditions?: readonly Precondition[]
  /** Whose it is that was changed, where a key of another organization may do so: it stands in the audit log of both. */
  readonly concerns?: Concerned
  /** Told once the commit is on disk. */
  readonly tell?: readonly { readonly to: Address; readonly message: unknown }[]
}

export interface RouteRequest<Principal, Params, Query, Body, Headers = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Those that the route has declared. */
  readonly headers: Headers
  readonly requestId: string
  readonly target: Target
  /** Of the client, which may be behind proxies. */
  readonly remoteAddress: string
  /** Who calls, as the route's surface knows them; undefined where it asks nobody. */
  readonly principal: Principal
  /** Whether the caller would be let in now; for answers that go on after they began. */
  readonly isStillAllowed: () => boolean
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean
}

/** What an answer is that is not JSON: one media type, or one of several. */
export type MediaTypes = string | readonly string[]

export function isMediaTypes(declared: TSchema | MediaTypes): declared is MediaTypes {
  return typeof declared === 'string' || Array.isArray(declared)
}

export interface RouteDeclaration<
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Headers extends TObject = TObject,
> {
  readonly method: Method
  /** With `{name}` for a parameter that is one whole segment. */
  readonly path: `/${string}`
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  /** What is under its tags, where its area says so. */
  readonly about?: string
  readonly params?: Params
  readonly query?: Query
  /** Headers that it reads, under their usual names. */
  readonly headers?: Headers
  readonly body?: Body
  /** What the schema of the query cannot say. */
  readonly settleQuery?: Settle
  /** A body that may be left out: it is then taken for `{}`. */
  readonly bodyOptional?: boolean
  /** By status; null for an answer without a body. */
  readonly responses: Readonly<Record<number, TSchema | MediaTypes | null>>
  /** Beyond those of the pipeline itself. */
  readonly errors?: readonly ErrorKind[]
  /** What overload sheds it: lists first, then commands. */
  readonly sheddable: 'list' | 'command' | 'never'
  /** A method other than GET that only computes its answer: it is not in the audit log. */
  readonly changesNothing?: boolean
  /** The answer shows a secret once: its idempotency record is sealed with what its caller alone has. */
  readonly secret?: boolean
  /** Examples of the request's body, by name. */
  readonly examples?: Readonly<Record<string, unknown>>
}

interface SurfaceRoute<
  Principal,
  Scope extends string,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Headers extends TObject,
> extends RouteDeclaration<Params, Query, Body, Headers> {
  /** Who calls it, and how they are answered. */
  readonly surface: Surface<Principal, Scope>
  /** Any of them suffices; `write:X` includes `read:X`. */
  readonly scopes?: readonly Scope[]
  /** What has to be true of the caller beside. */
  readonly requires?: readonly Requirement<Principal>[]
  handle(
    request: RouteRequest<Principal, Static<Params>, Static<Query>, Static<Body>, Static<Headers>>,
    services: Services,
  ): Answer | Promise<Answer>
}

/** A declared route with its types forgotten: what the pipeline and the documentation work with. */
export interface Route
  extends Omit<RouteDeclaration<TObject, TObject, TSchema>, 'params' | 'query' | 'headers' | 'body'> {
  readonly params: TObject
  readonly query: TObject
  readonly headers: TObject
  readonly body: TSchema | undefined
  readonly surface: Surface
  readonly scopes: readonly string[]
  readonly requires: readonly Requirement[]
  readonly handle: (
    request: RouteRequest<unknown, unknown, unknown, unknown>,
    services: Services,
  ) => Answer | Promise<Answer>
}

const nothing = Type.Object({})

/** What an area makes of a declaration (area.ts). */
export function routeOf<
  Principal,
  Scope extends string,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Headers extends TObject,
>(declaration: SurfaceRoute<Principal, Scope, Params, Query, Body, Headers>): Route {
  const { params, query, headers, body, scopes, requires } = declaration
  return {
    ...declaration,
    params: params ?? nothing,
    query: query ?? nothing,
    headers: headers ?? nothing,
    body,
    scopes: scopes ?? [],
    requires: (requires ?? []) as readonly Requirement[],
    // The pipeline has validated the request against these very schemas and admitted the caller.
    handle: (request, services) => declaration.handle(request as never, services),
  }
}
