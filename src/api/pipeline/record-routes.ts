// The routes that most records have: a list, and one of them read, created, replaced and removed. Whose it is, that it has not changed
// meanwhile, its version and its times are seen to here; a route says what its fields are and how they are shown.

import type { Static, TProperties, TSchema } from 'typebox'
import { type AmpshardError, conflict, type ErrorDetail, type ErrorKind } from '../../runtime/errors.js'
import type { ReadView } from '../../runtime/store/store.js'
import type { KeyPart } from '../../runtime/store/table.js'
import type { Area, HeldRow, Path } from './area.js'
import type { Draft } from './draft.js'
import type { Owned, OwnedRow, Tenant } from './owned.js'
import { readCombinedPage } from './paging.js'
import type { Route } from './route.js'
import type { Services } from './services.js'
import { invalid } from './steps/validate.js'
import { formatTimestamp } from './timestamp.js'

export interface StampedRow extends HeldRow {
  readonly created_at: string
  readonly updated_at: string
}

/** What rows are shown with. */
export interface Showing extends Pick<Services, 'presence' | 'config' | 'clock'> {
  readonly view: ReadView
  /** ms since the epoch */
  readonly now: number
}

export const showingOf = ({ view, clock, presence, config }: Services): Showing => ({
  view: view(),
  now: clock.now(),
  clock,
  presence,
  config,
})

export interface RecordOptions<Row> {
  /** Behind the area's, where it has one of its own; that of one record has its identifier behind it. */
  readonly path?: Path
  /** How callers see one. */
  readonly schema: TSchema
  show(row: Row, showing: Showing): object
}

interface Words {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
}

interface Writing<Body extends TSchema> extends Words {
  readonly body: Body
  readonly examples?: Readonly<Record<string, unknown>>
  readonly errors?: readonly ErrorKind[]
  /** What is wrong with a body that its schema lets pass. */
  check?(body: Static<Body>): readonly ErrorDetail[]
}

/** What a record has of its own: the rest is seen to. */
type Own<Row, Id extends string> = Omit<Row, keyof StampedRow | Id>

/** Of a record that actors write, these alone. */
export interface ReadRoutes {
  /** By `index`, in groups of the organization; a filter by the index that `indexes` names, in groups of organization and value. */
  list<Filters extends TProperties = Record<never, never>>(
    options: Words & {
      readonly filters?: Filters
      readonly indexes?: { readonly [Name in keyof Filters & string]: string }
      readonly index?: string
      readonly newestFirst?: boolean
      /** What the rows are called; `data` has them too. */
      readonly name?: string
      readonly perPage?: number
      readonly maximum?: number
    },
  ): Route
  get(options: Words): Route
}

export interface RecordRoutes<Principal, Row extends StampedRow, Id extends string> extends ReadRoutes {
  create<Body extends TSchema>(
    options: Writing<Body> & {
      /** How many an organization may have: of those in `index`, `most`; otherwise 409. */
      readonly room?: { readonly index: string; readonly most: number; readonly otherwise: () => AmpshardError }
      fields(body: Static<Body>, services: Services, principal: Principal): Own<Row, Id>
      /** What goes with the row as it is stored. */
      along?(row: Row, draft: Draft, services: Services): void
    },
  ): Route
  /** With PUT. */
  replace<Body extends TSchema>(
    options: Writing<Body> & {
      fields(body: Static<Body>, before: Row, services: Services): Partial<Own<Row, Id>>
      /** The same. */
      along?(row: Row, draft: Draft, services: Services): void
    },
  ): Route
  remove(
    options: Words & {
      readonly errors?: readonly ErrorKind[]
      /** Throws where it has to stay, by what it reads through the draft; and removes what goes with it. */
      along?(row: Row, draft: Draft, services: Services): void
    },
  ): Route
}

/** The path of one record. */
const pathOf = (path: Path, id: string): Path => `${path as ''}/{${id}}`

export function readRoutes<Principal extends Tenant, Scope extends string, Row extends OwnedRow, Id extends string>(
  area: Area<Principal, Scope>,
  owned: Owned<Row, Id>,
  { path = '', schema, show }: RecordOptions<Row>,
): ReadRoutes {
  const { table } = owned
  return {
    list({
      filters,
      indexes = {},
      index = 'byOrganization',
      newestFirst = false,
      perPage = 50,
      maximum = 200,
      ...words
    }) {
      return area.list(path, {
        ...words,
        ...(filters !== undefined && { filters }),
        row: schema,
        perPage,
        maximum,
        async read({ principal, query }, services) {
          const { organization_id } = principal.organization
          const wanted = query as Readonly<Record<string, KeyPart | boolean | undefined>>
          const lists = Object.entries<string>(indexes).flatMap(([name, indexed]) => {
            const value = wanted[name]
            if (value === undefined) return []
            return [{ index: indexed, group: [organization_id, typeof value === 'boolean' ? Number(value) : value] }]
          })
          const at = showingOf(services)
          const all = { index, group: [organization_id] }
          const begin = services.longReads.of(organization_id)
          const page = { view: at.view, begin, table, lists, all, query, newestFirst }
          const { rows, total } = await readCombinedPage(page)
          return { rows: rows.map((row) => show(row, at)), total }
        },
      })
    },

    get: (words) =>
      area.get(pathOf(path, owned.id), {
        ...words,
        of: owned,
        answer: schema,
        read: ({ row }, services) => show(row as Row, showingOf(services)),
      }),
  }
}

export function recordRoutes<Principal extends Tenant, Scope extends string, Row extends StampedRow, Id extends string>(
  area: Area<Principal, Scope>,
  owned: Owned<Row, Id>,
  { path = '', schema, show }: RecordOptions<Row>,
): RecordRoutes<Principal, Row, Id> {
  const { table, idPrefix = '' } = owned
  const one = pathOf(path, owned.id)
  const stamped = owned as unknown as Owned<StampedRow, Id>

  function requireSound(faults: readonly ErrorDetail[] = []): void {
    if (faults.length > 0) throw invalid(faults)
  }

  return {
    ...readRoutes(area, owned, { path, schema, show }),

    create({ check, room, fields, along, ...route }) {
      return area.post(path, {
        ...route,
        ...(room !== undefined && { errors: [...(route.errors ?? []), conflict] }),
        answer: schema,
        status: 201,
        change(request, draft, services) {
          const { organization_id } = request.principal.organization
          requireSound(check?.(request.body))
          if (room !== undefined)
            draft.requireRoom(table, { index: room.index, group: [organization_id] }, room.most, room.otherwise())
          const now = formatTimestamp(services.clock.now())
          const row = draft.put<StampedRow>(
            table as never,
            {
              [owned.id]: services.newId(idPrefix),
              organization_id,
              ...fields(request.body, services, request.principal),
              created_at: now,
              updated_at: now,
            } as unknown as StampedRow,
          )
          along?.(row as Row, draft, services)
          return show(row as Row, showingOf(services))
        },
      })
    },

    replace({ check, fields, along, ...route }) {
      return area.put(one, {
        ...route,
        of: stamped,
        answer: schema,
        change(request, draft, services) {
          const before = request.row as Row
          requireSound(check?.(request.body))
          const updated_at = formatTimestamp(services.clock.now())
          const changed = fields(request.body, before, services)
          const row = draft.put<StampedRow>(table as never, { ...before, ...changed, updated_at })
          along?.(row as Row, draft, services)
          return show(row as Row, showingOf(services))
        },
      })
    },

    remove({ along, ...route }) {
      const answer = { ...route, answer: null }
      if (along === undefined)
        return area.delete(one, {
          ...answer,
          params: owned.params.properties,
          change({ principal, params }, draft) {
            const id = (params as Readonly<Record<string, string>>)[owned.id] as string
            draft.remove(table, table.key(owned.own(draft.view, principal, id)))
            return undefined
          },
        })
      return area.delete(one, {
        ...answer,
        of: stamped,
        change({ row }, draft, services) {
          along(row as Row, draft, services)
          draft.remove(table, table.key(row as Row))
          return undefined
        },
      })
    },
  }
}
