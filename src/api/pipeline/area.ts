// An area: the routes of one subject. What they have in common is declared once (tag, path, scopes), and what a method implies is not
// declared at all, so that a route says only what is its own. Routes that change something do it through a draft.

import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { conflict, type ErrorKind } from '../../runtime/errors.js'
import { type Draft, openDraft, type RowReader } from './draft.js'
import { type ListDeclaration, listOf } from './list-route.js'
import type { Owned, OwnedRow, Tenant } from './owned.js'
import { type Answer, type Method, type Route, type RouteDeclaration, type RouteRequest, routeOf } from './route.js'
import type { Services } from './services.js'
import type { Surface } from './surface.js'

export interface AreaOptions<Scope extends string> {
  /** The heading under which the reference shows it. */
  readonly tag: string
  /** What every path of it begins with. */
  readonly path: `/${string}`
  readonly read: Scope
  readonly write: Scope
}

type None = TObject<Record<never, never>>
type NoRow = undefined

/** What follows the area's own path. */
export type Path = '' | `/${string}`

interface Common<
  Principal,
  Scope extends string,
  Id extends string,
  Row extends OwnedRow | NoRow,
  Params extends TProperties,
  Query extends TObject,
> extends Pick<RouteDeclaration<TObject, Query, TSchema>, 'operationId' | 'summary' | 'description'> {
  /** The record that the path names: it is found before the handler runs, which gets it as `row`. */
  readonly of?: Owned<Row & OwnedRow, Id, Principal>
  /** Parameters of the path beside the identifier of that record. */
  readonly params?: Params
  readonly query?: Query
  /** Beside those that follow: `not_found` from parameters of the path, `conflict` from a record that is held. */
  readonly errors?: readonly ErrorKind[]
  /** Where they are not the area's. */
  readonly scopes?: readonly [Scope, ...Scope[]]
  readonly examples?: Readonly<Record<string, unknown>>
}

type ParamsOf<Id extends string, Row, Params extends TProperties> = Static<TObject<Params>> &
  (Row extends NoRow ? unknown : { readonly [Name in Id]: string })

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
  /** Returns the body of the answer. */
  read(
    request: RouteRequest<Principal, ParamsOf<Id, Row, Params>, Static<Query>, Static<Body>> & { readonly row: Row },
    services: Services,
  ): object | Promise<object>
}

export interface Changing<
  Principal,
  Scope extends string,
  Id extends string,
  Row extends OwnedRow | NoRow,
  Params extends TProperties,
  Query extends TObject,
  Body extends TSchema,
> extends Common<Principal, Scope, Id, Row, Params, Query> {
  /** null for an answer without a body. */
  readonly answer: TSchema | null
  /** 200, or 204 without a body, unless given. */
  readonly status?: 201
  readonly body?: Body
  readonly bodyOptional?: boolean
  readonly secret?: boolean
  /** Returns the body of the answer. It may run again on what is stored then; `row` is held by the draft. */
  change(
    request: RouteRequest<Principal, ParamsOf<Id, Row, Params>, Static<Query>, Static<Body>> & { readonly row: Row },
    draft: Draft,
    services: Services,
  ): object | undefined | Promise<object | undefined>
}

type Loose = Omit<
  RouteDeclaration<TObject, TObject, TSchema>,
  'params' | 'query' | 'headers' | 'body' | 'tags' | 'sheddable'
>

export interface Area<Principal, Scope extends string> extends AreaOptions<Scope> {
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
    Row extends TSchema,
    Params extends TObject = None,
    Filters extends TProperties = Record<never, never>,
    Fields extends TProperties = Record<never, never>,
  >(
    path: Path,
    declaration: Omit<ListDeclaration<Principal, Scope, Params, Filters, Row, Fields>, 'path' | 'tags' | 'surface'>,
  ) => Route
  /** For what asks actors, and answers as they do. */
  route: <Params extends TObject = None, Query extends TObject = None, Body extends TSchema = None>(
    declaration: Omit<Loose, 'path'> & {
      readonly path: Path
      readonly params?: Params
      readonly query?: Query
      readonly body?: Body
      readonly scopes?: readonly [Scope, ...Scope[]]
      readonly sheddable?: 'list' | 'command' | 'never'
      handle(
        request: RouteRequest<Principal, Static<Params>, Static<Query>, Static<Body>>,
        services: Services,
      ): Answer | Promise<Answer>
    },
  ) => Route
}

type DefineChange<Principal, Scope extends string> = <
  Id extends string = never,
  Row extends OwnedRow | NoRow = NoRow,
  Params extends TProperties = Record<never, never>,
  Query extends TObject = None,
  Body extends TSchema = None,
>(
  path: Path,
  declaration: Changing<Principal, Scope, Id, Row, Params, Query, Body>,
) => Route

/** Declarations with their types forgotten. */
type AnyReading = Reading<Tenant, string, string, OwnedRow, TProperties, TObject, TSchema>
type AnyChanging = Changing<Tenant, string, string, OwnedRow, TProperties, TObject, TSchema>

export function defineArea<Principal, Scope extends string>(
  surface: Surface<Principal, Scope>,
  options: AreaOptions<Scope>,
): Area<Principal, Scope> {
  const { tag, path: prefix, read, write } = options
  const shared = { tags: [tag], surface: surface as unknown as Surface<Tenant>, sheddable: 'never' } as const

  /** The identifier of the record that the path names, and the other parameters. */
  function paramsOf({ of, params = {} }: AnyReading | AnyChanging): { readonly params?: TObject } {
    const all = { ...of?.params.properties, ...params }
    return Object.keys(all).length === 0 ? {} : { params: Type.Object(all) }
  }

  function rowOf({ of }: AnyReading | AnyChanging, request: AnyRequest, view: RowReader): unknown {
    return of === undefined ? undefined : of.own(view, request.principal, request.params[of.id] as string)
  }

  function reading(method: Method, path: Path, declaration: AnyReading): Route {
    const { of, answer, read: answerOf, params: _, scopes, ...route } = declaration
    return routeOf({
      ...route,
      ...shared,
      ...paramsOf(declaration),
      method,
      path: `${prefix}${path}`,
      scopes: scopes ?? [read],
      responses: { 200: answer },
      ...(method !== 'GET' && { changesNothing: true }),
      handle(request: AnyRequest, services: Services) {
        const row = rowOf(declaration, request, services.view())
        const body = answerOf({ ...request, row } as never, services)
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
        errors = [],
        ...route
      } = declaration
      return routeOf({
        ...route,
        ...shared,
        ...paramsOf(declaration),
        method,
        path: `${prefix}${path}`,
        scopes: scopes ?? [write],
        responses: { [status]: answer },
        errors: of === undefined ? errors : [...errors, conflict],
        handle(request: AnyRequest, services: Services) {
          const draft = openDraft(services.view())
          const row = rowOf(declaration, request, draft)
          const answerWith = (body: object | undefined): Answer => ({
            status,
            ...(body !== undefined && { body }),
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
    list: (path, declaration) =>
      listOf({ ...declaration, surface, tags: [tag], path: `${prefix}${path}`, scopes: declaration.scopes ?? [read] }),
    route: (declaration) =>
      routeOf({
        ...shared,
        ...declaration,
        surface,
        path: `${prefix}${declaration.path}`,
        scopes: declaration.scopes ?? [declaration.method === 'GET' ? read : write],
      }),
  }
}

type AnyRequest = RouteRequest<Tenant, Readonly<Record<string, unknown>>, unknown, unknown>
