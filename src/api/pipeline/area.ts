// An area: the routes of one subject. What they have in common is declared once (tag, path, scopes), and what a method implies is not
// declared at all, so that a route says only what is its own. Routes that change something do it through a draft.

import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { conflict, type ErrorKind } from '../../runtime/errors.js'
import type { ReadView } from '../../runtime/store/store.js'
import { type Draft, openDraft, type Versioned } from './draft.js'
import { type ListDeclaration, type ListPage, listOf } from './list-route.js'
import type { Owned, OwnedRow, Tenant } from './owned.js'
import type { PageQuery } from './paging.js'
import { type Answer, type Method, type Route, type RouteDeclaration, type RouteRequest, routeOf } from './route.js'
import type { Services } from './services.js'
import type { Requirement, Surface } from './surface.js'

export type AreaOptions<Scope extends string, Principal = never> = AreaPlace<Principal> & AreaScopes<Scope>

/** A surface that has scopes has no area without them. */
type AreaScopes<Scope extends string> = [Scope] extends [never]
  ? { readonly read?: never; readonly write?: never }
  : { readonly read: Scope; readonly write: Scope }

interface AreaPlace<Principal> {
  /** The heading under which the reference shows it. */
  readonly tag: string
  /** What is under that heading, in a sentence. Of several areas under one heading, one says it. */
  readonly about?: string
  /** What every path of it begins with; nothing where they have nothing in common. */
  readonly path: Path
  /** The record that the area's path names, such as an organization: it has to be the caller's, and nothing else is asked of it. */
  readonly within?: Within<Principal>
  /** Of the callers of every route of it. */
  readonly requires?: readonly Requirement<Principal>[]
}

export interface Within<Principal> {
  readonly id: string
  readonly params: TObject
  /** Throws `not_found`. */
  own(view: ReadView, principal: Principal, id: string): unknown
}

type None = TObject<Record<never, never>>
type NoRow = undefined

/** What follows the area's own path. */
export type Path = '' | `/${string}`

/** What the path of a route names. */
interface Named<Principal, Id extends string, Row extends OwnedRow | NoRow, Params extends TProperties> {
  /** The record that the path names: it is found before the handler runs, which gets it as `row`. */
  readonly of?: Owned<Row & OwnedRow, Id, Principal>
  /** Parameters of the path beside the identifier of that record. */
  readonly params?: Params
}

interface Common<
  Principal,
  Scope extends string,
  Id extends string,
  Row extends OwnedRow | NoRow,
  Params extends TProperties,
  Query extends TObject,
> extends Named<Principal, Id, Row, Params>,
    Pick<RouteDeclaration<TObject, Query, TSchema>, 'operationId' | 'summary' | 'description'> {
  readonly query?: Query
  /** Beside those that follow: `not_found` from parameters of the path, `conflict` from a record that is held. */
  readonly errors?: readonly ErrorKind[]
  /** Where they are not the area's. */
  readonly scopes?: readonly [Scope, ...Scope[]]
  /** Beside those of the area. */
  readonly requires?: readonly Requirement<Principal>[]
  readonly examples?: Readonly<Record<string, unknown>>
}

type ParamsOf<Id extends string, Row, Params extends TProperties> = Static<TObject<Params>> &
  (Row extends NoRow ? unknown : { readonly [Name in Id]: string })

type Request<Principal, Id extends string, Row, Params extends TProperties, Query, Body> = RouteRequest<
  Principal,
  ParamsOf<Id, Row, Params>,
  Query,
  Body
> & { readonly row: Row }

export interface Reading<
  Principal,
  Scope extends string,
  Id extends string,
  Row extends OwnedRow | NoRow,
  Params extends TProperties,
  Query extends TObject,
  Body extends TSchema,
> extends Common<Principal, Scope, Id, Row, Params, Query> {
  readonly answer: TSchema
  readonly body?: Body
  /** Where overload sheds it like a list. */
  readonly sheddable?: 'list'
  /** Returns the body of the answer. */
  read(
    request: Request<Principal, Id, Row, Params, Static<Query>, Static<Body>>,
    services: Services,
  ): object | Promise<object>
}

/** A row that a draft can hold. */
export type HeldRow = OwnedRow & Versioned

/** A row that has no version cannot be held: what actors write is changed by asking them. */
type Held<Row> = Row extends NoRow ? unknown : 'version' extends keyof Row ? unknown : { readonly of: never }

export interface Changing<
  Principal,
  Scope extends string,
  Id extends string,
  Row extends HeldRow | NoRow,
  Params extends TProperties,
  Query extends TObject,
  Body extends TSchema,
> extends Common<Principal, Scope, Id, Row, Params, Query> {
  /** null for an answer without a body. */
  readonly answer: TSchema | null
  /** 200, or 204 without a body, unless given. */
  readonly status?: 201 | 202
  readonly body?: Body
  readonly bodyOptional?: boolean
  readonly secret?: boolean
  /** Returns the body of the answer. It may run again on what is stored then; `row` is held by the draft. */
  change(
    request: Request<Principal, Id, Row, Params, Static<Query>, Static<Body>>,
    draft: Draft,
    services: Services,
  ): object | null | undefined | Promise<object | null | undefined>
}

type Loose = Omit<
  RouteDeclaration<TObject, TObject, TSchema>,
  'params' | 'query' | 'headers' | 'body' | 'tags' | 'sheddable'
>

export interface Area<Principal, Scope extends string> extends AreaPlace<Principal> {
  get: <
    Id extends string = never,
    Row extends OwnedRow | NoRow = NoRow,
    Params extends TProperties = Record<never, never>,
    Query extends TObject = None,
  >(
    path: Path,
    declaration: Reading<Principal, Scope, Id, Row, Params, Query, None>,
  ) => Route
  /** A POST that only computes its answer. */
  compute: <
    Body extends TSchema,
    Id extends string = never,
    Row extends OwnedRow | NoRow = NoRow,
    Params extends TProperties = Record<never, never>,
    Query extends TObject = None,
  >(
    path: Path,
    declaration: Reading<Principal, Scope, Id, Row, Params, Query, Body>,
  ) => Route
  post: DefineChange<Principal, Scope>
  put: DefineChange<Principal, Scope>
  patch: DefineChange<Principal, Scope>
  delete: DefineChange<Principal, Scope>
  list: <
    Shown extends TSchema,
    Id extends string = never,
    Row extends OwnedRow | NoRow = NoRow,
    Params extends TProperties = Record<never, never>,
    Filters extends TProperties = Record<never, never>,
    Fields extends TProperties = Record<never, never>,
  >(
    path: Path,
    declaration: Named<Principal, Id, Row, Params> &
      Omit<
        ListDeclaration<Principal, Scope, TObject, Filters, Shown, Fields>,
        'path' | 'tags' | 'surface' | 'params' | 'read'
      > & {
        read(
          request: Request<Principal, Id, Row, Params, Static<TObject<Filters>> & PageQuery, unknown>,
          services: Services,
        ): (ListPage & Static<TObject<Fields>>) | Promise<ListPage & Static<TObject<Fields>>>
      },
  ) => Route
  /** For what asks actors, and answers as they do. */
  route: <
    Id extends string = never,
    Row extends OwnedRow | NoRow = NoRow,
    Params extends TProperties = Record<never, never>,
    Query extends TObject = None,
    Body extends TSchema = None,
    Headers extends TObject = None,
  >(
    declaration: Named<Principal, Id, Row, Params> &
      Omit<Loose, 'path'> & {
        readonly path: Path
        readonly query?: Query
        readonly headers?: Headers
        readonly body?: Body
        readonly scopes?: readonly [Scope, ...Scope[]]
        readonly requires?: readonly Requirement<Principal>[]
        readonly sheddable?: 'list' | 'command' | 'never'
        handle(
          request: Request<Principal, Id, Row, Params, Static<Query>, Static<Body>> & {
            readonly headers: Static<Headers>
          },
          services: Services,
        ): Answer | Promise<Answer>
      },
  ) => Route
}

type DefineChange<Principal, Scope extends string> = <
  Id extends string = never,
  Row extends HeldRow | NoRow = NoRow,
  Params extends TProperties = Record<never, never>,
  Query extends TObject = None,
  Body extends TSchema = None,
>(
  path: Path,
  declaration: Changing<Principal, Scope, Id, Row, Params, Query, Body> & Held<Row>,
) => Route

/** Declarations with their types forgotten. */
type AnyReading = Reading<Tenant, string, string, OwnedRow, TProperties, TObject, TSchema>
type AnyNamed = Named<Tenant, string, OwnedRow, TProperties>
type AnyChanging = Changing<Tenant, string, string, HeldRow, TProperties, TObject, TSchema>

export function defineArea<Principal, Scope extends string>(
  surface: Surface<Principal, Scope>,
  options: AreaOptions<Scope, Principal>,
): Area<Principal, Scope> {
  const { tag, about, path: common, within, requires: ofAll = [] } = options as AreaPlace<Tenant>
  /** Where it is empty, the paths of the routes are not. */
  const prefix = common as `/${string}`
  const { read, write } = options as { readonly read?: Scope; readonly write?: Scope }
  const heading = { tags: [tag], ...(about !== undefined && { about }) }
  const shared = { ...heading, surface: surface as unknown as Surface<Tenant>, sheddable: 'never' } as const

  /** The identifier of the record that the path names, and the other parameters. */
  function paramsOf({ of, params = {} }: AnyNamed): { readonly params?: TObject } {
    const all = { ...within?.params.properties, ...of?.params.properties, ...params }
    return Object.keys(all).length === 0 ? {} : { params: Type.Object(all) }
  }

  const scopesOf = (own: readonly string[] | undefined, usual: Scope | undefined): readonly string[] =>
    own ?? (usual === undefined ? [] : [usual])

  const requiresOf = <Caller>(own: readonly Requirement<Caller>[] = []): readonly Requirement<Caller>[] => [
    ...(ofAll as readonly Requirement<Caller>[]),
    ...own,
  ]

  /** Throws `not_found` where the area's path names a record that is not the caller's. */
  function enter({ principal, params }: AnyRequest, view: ReadView): void {
    within?.own(view, principal, params[within.id] as string)
  }

  /** The request with the record that its path names, as the store has it. */
  function withRow<Asked>(declaration: AnyNamed, request: Asked, services: Services): Asked {
    const { of } = declaration
    if (of === undefined && within === undefined) return request
    const { principal, params } = request as AnyRequest
    const view = services.view()
    enter(request as AnyRequest, view)
    return { ...request, row: of?.own(view, principal, params[of.id] as string) }
  }

  /** Whoever calls, an act on a record is in the log of whose it is, unless the route says otherwise. */
  const concernsOf = (row: OwnedRow | NoRow): Pick<Answer, 'concerns'> =>
    row === undefined ? {} : { concerns: { organizationId: row.organization_id } }

  function reading(method: Method, path: Path, declaration: AnyReading): Route {
    const { of, answer, read: answerOf, params: _, scopes, requires, ...route } = declaration
    return routeOf({
      ...shared,
      ...route,
      ...paramsOf(declaration),
      method,
      path: `${prefix}${path}`,
      scopes: scopesOf(scopes, read),
      requires: requiresOf(requires),
      responses: { 200: answer },
      ...(method !== 'GET' && { changesNothing: true }),
      handle(request: AnyRequest, services: Services) {
        const body = answerOf(withRow(declaration, request, services) as never, services)
        return body instanceof Promise ? body.then((body) => ({ status: 200, body })) : { status: 200, body }
      },
    })
  }

  function changing(method: Method): (path: Path, declaration: AnyChanging) => Route {
    return (path, declaration) => {
      const {
        of,
        answer,
        status = answer === null ? 204 : 200,
        change,
        params: _,
        scopes,
        requires,
        errors = [],
        ...route
      } = declaration
      return routeOf({
        ...route,
        ...shared,
        ...paramsOf(declaration as unknown as AnyNamed),
        method,
        path: `${prefix}${path}`,
        scopes: scopesOf(scopes, write),
        requires: requiresOf(requires),
        responses: { [status]: answer },
        errors: of === undefined ? errors : [...errors, conflict],
        handle(request: AnyRequest, services: Services) {
          const draft = openDraft(services.view(), services.clock.now())
          enter(request, draft.view)
          const row = of?.own(draft, request.principal, request.params[of.id] as string)
          const answerWith = (body: object | null | undefined): Answer => ({
            status,
            ...(body !== undefined && { body }),
            ...concernsOf(row),
            ...draft.close(),
          })
          const body = change({ ...request, row } as never, draft, services)
          return body instanceof Promise ? body.then(answerWith) : answerWith(body)
        },
      })
    }
  }

  return {
    ...options,
    get: (path, declaration) => reading('GET', path, declaration as unknown as AnyReading),
    compute: (path, declaration) => reading('POST', path, declaration as unknown as AnyReading),
    post: changing('POST') as unknown as DefineChange<Principal, Scope>,
    put: changing('PUT') as unknown as DefineChange<Principal, Scope>,
    patch: changing('PATCH') as unknown as DefineChange<Principal, Scope>,
    delete: changing('DELETE') as unknown as DefineChange<Principal, Scope>,
    list(path, declaration) {
      const named = declaration as unknown as AnyNamed
      const { of: _, params: __, read: readPage, ...route } = declaration
      return listOf({
        ...route,
        ...paramsOf(named),
        ...heading,
        surface,
        path: `${prefix}${path}`,
        scopes: scopesOf(declaration.scopes, read),
        requires: requiresOf(declaration.requires),
        read: (request, services) => readPage(withRow(named, request, services) as never, services),
      })
    },
    route(declaration) {
      const named = declaration as unknown as AnyNamed
      const { of: _, params: __, handle, ...route } = declaration
      return routeOf({
        ...shared,
        ...route,
        ...paramsOf(named),
        surface,
        path: `${prefix}${declaration.path}`,
        scopes: scopesOf(declaration.scopes, declaration.method === 'GET' ? read : write),
        requires: requiresOf(declaration.requires),
        handle(request: unknown, services) {
          const asked = withRow(named, request, services) as { readonly row?: OwnedRow }
          const concerned = (answer: Answer): Answer => ({ ...concernsOf(asked.row), ...answer })
          const answer = handle(asked as never, services)
          return answer instanceof Promise ? answer.then(concerned) : concerned(answer)
        },
      })
    },
  }
}

type AnyRequest = RouteRequest<Tenant, Readonly<Record<string, unknown>>, unknown, unknown>
