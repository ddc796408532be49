// Records that belong to a caller, mostly to their organization: how one is found by its identifier. Another's is as absent as one that does not
// exist, and the answer is the same. Those that actors write have no version: routes read them, and a draft does not take them.

import { type TObject, type TSchema, type TString, Type } from 'typebox'
import { type ErrorExtras, notFound } from '../../runtime/errors.js'
import type { ReadView } from '../../runtime/store/store.js'
import type { Key, Table } from '../../runtime/store/table.js'
import type { Draft, Versioned } from './draft.js'

/** A caller that belongs to an organization. */
export interface Tenant {
  readonly organization: OwnedRow
}

export interface OwnedRow {
  readonly organization_id: string
}

/** What rows are read from: the store, or a draft, which then holds the row. */
export type Reader<Row> = ReadView | (Row extends Versioned ? Draft : never)

export interface Owned<Row extends OwnedRow = OwnedRow, Id extends string = string, Caller = Tenant> {
  readonly table: Table<Row>
  /** The name of its identifier in paths and bodies. */
  readonly id: Id
  /** What new identifiers begin with, without the underscore. */
  readonly idPrefix: string | undefined
  /** The identifier as the parameter of a path. */
  readonly params: TObject<Record<Id, TString>>
  keyOf(principal: Caller, id: string): Key
  find(reader: Reader<Row>, principal: Caller, id: string): Row | undefined
  /** Throws `not_found`. */
  own(reader: Reader<Row>, principal: Caller, id: string): Row
}

export interface OwnedOptions<Row extends OwnedRow, Id extends string> {
  readonly table: Table<Row>
  readonly id: Id
  readonly idPrefix?: string
  /** In sentences: `billing rule`. */
  readonly called: string
  /** The parameter's schema, where it is not any text. */
  readonly schema?: TString
  /** Where the key is not the identifier alone. */
  keyOf?(ownerId: string, id: string): Key
  /** Where it is found in an index instead: `keyOf` then is the group in which it is alone. */
  readonly index?: string
  /** What `not_found` says beside its message. */
  extras?(id: string): ErrorExtras
}

/** How it is known that a record is the caller's. */
export interface Ownership<Row extends Found, Found, Caller> {
  ownerOf(principal: Caller): string
  isOf(found: Found, ownerId: string): found is Row
}

const ofOrganization = {
  ownerOf: ({ organization }: Tenant): string => organization.organization_id,
  isOf: <Row extends OwnedRow>(found: Row, ownerId: string): found is Row => found.organization_id === ownerId,
}

export function defineOwned<Row extends OwnedRow, Id extends string>(options: OwnedOptions<Row, Id>): Owned<Row, Id> {
  return defineOwnedBy(ofOrganization, options)
}

/** What callers have who belong to no organization. `Found` is what the table has, `Row` what is theirs. */
export function defineOwnedBy<Found extends OwnedRow, Row extends Found, Id extends string, Caller>(
  { ownerOf, isOf }: Ownership<Row, Found, Caller>,
  {
    table,
    id: name,
    idPrefix,
    called,
    schema = Type.String({ maxLength: 64 }),
    keyOf = (_, id) => [id],
    index,
    extras,
  }: OwnedOptions<Found, Id>,
): Owned<Row, Id, Caller> {
  const owned: Owned<Row, Id, Caller> = {
    table,
    id: name,
    idPrefix,
    params: Type.Object({ [name]: schema } as Record<string, TSchema>) as TObject<Record<Id, TString>>,
    keyOf: (principal, id) => keyOf(ownerOf(principal), id),
    find(reader, principal, id) {
      const { view, get } = readerOf(reader)
      const key = owned.keyOf(principal, id)
      const [listed] = index === undefined ? [] : view.listBy(table, index, key, { limit: 1 })
      const found = index === undefined ? get(table, key) : listed && get(table, table.key(listed))
      return found !== undefined && isOf(found, ownerOf(principal)) ? found : undefined
    },
    own(reader, principal, id) {
      const found = owned.find(reader, principal, id)
      if (found !== undefined) return found
      throw notFound(`there is no such ${called}`, extras?.(id))
    },
  }
  return owned
}

/** That a draft takes only what has a version is seen to by `Reader`. */
function readerOf(reader: ReadView | Draft): Pick<ReadView, 'get'> & { readonly view: ReadView } {
  const view = 'view' in reader ? reader.view : reader
  return { view, get: (table, key) => (reader as ReadView).get(table, key) }
}
