// How a list is declared: what it may be filtered by, what its rows are, and how they are read. Paging parameters and the shape of the
// answer are the surface's, the same for each of its lists. Lists that go by a cursor are no such lists.

import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { PageQuery } from './paging.js'
import { type Route, type RouteDeclaration, type RouteRequest, routeOf } from './route.js'
import type { Services } from './services.js'
import type { Requirement, Surface } from './surface.js'

/** One page of rows, as callers see them: of the declared shape. */
export interface ListPage {
  readonly rows: readonly object[]
  /** Over all pages. */
  readonly total: number
}

type Declaration = Omit<
  RouteDeclaration<TObject, TObject, TSchema>,
  'method' | 'query' | 'body' | 'responses' | 'sheddable'
>

export interface ListDeclaration<
  Principal,
  Scope extends string,
  Params extends TObject,
  Filters extends TProperties,
  Row extends TSchema,
  Fields extends TProperties,
> extends Omit<Declaration, 'params'> {
  readonly params?: Params
  readonly surface: Surface<Principal, Scope>
  readonly scopes?: readonly Scope[]
  readonly requires?: readonly Requirement<Principal>[]
  /** What the rows are called; `data` has them too. */
  readonly name?: string
  readonly row: Row
  /** Rows of a page unless the caller says, and at most. */
  readonly perPage: number
  readonly maximum: number
  readonly filters?: Filters
  /** What the answer has beside the rows and the page. */
  readonly fields?: Fields
  read(
    request: RouteRequest<Principal, Static<Params>, Static<TObject<Filters>> & PageQuery, unknown>,
    services: Services,
  ): (ListPage & Static<TObject<Fields>>) | Promise<ListPage & Static<TObject<Fields>>>
}

/** What an area makes of the declaration of a list (area.ts). */
export function listOf<
  Principal,
  Scope extends string,
  Row extends TSchema,
  Params extends TObject,
  Filters extends TProperties,
  Fields extends TProperties,
>(declaration: ListDeclaration<Principal, Scope, Params, Filters, Row, Fields>): Route {
  const { name = 'data', row, perPage, maximum, filters, fields = {}, read, ...route } = declaration
  const { pages } = route.surface
  return routeOf({
    ...route,
    method: 'GET',
    query: Type.Object({ ...filters, ...pages.query(perPage, maximum) }),
    ...(pages.settle !== undefined && { settleQuery: pages.settle }),
    responses: { 200: pages.schema(row, name, fields) },
    sheddable: 'list',
    async handle(request, services) {
      const query = request.query as Record<string, unknown>
      const asked = pages.askedFor(query)
      Object.assign(query, asked)
      // The pipeline has checked the query against the schema above.
      const { rows, total, ...others } = await read(request as never, services)
      return {
        status: 200,
        ...pages.answer({ name, rows, total, fields: others }, asked, request.target, services.config),
      }
    },
  })
}
