// Records that belong to an organization: how one is found by its identifier. Another organization's is as absent as one that does not
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
  keyOf?(organizationId: string, id: string): Key
  /** Where it is found in an index instead: `keyOf` then is the group in which it is alone. */
  readonly index?: string
  /** What `not_found` says beside its message. */
  extras?(id: string): ErrorExtras
}

export function defineOwned<Row extends OwnedRow, Id extends string>({
  table,
  id: name,
  idPrefix,
  called,
  schema = Type.String({ maxLength: 64 }),
  keyOf = (_, id) => [id],
  index,
  extras,
}: OwnedOptions<Row, Id>): Owned<Row, Id> {
  const owned: Owned<Row, Id> = {
    table,
    id: name,
    idPrefix,
    params: Type.Object({ [name]: schema } as Record<string, TSchema>) as TObject<Record<Id, TString>>,
    keyOf: ({ organization }, id) => keyOf(organization.organization_id, id),
    find(reader, principal, id) {
      const { view, get } = readerOf(reader)
      const key = owned.keyOf(principal, id)
      const [listed] = index === undefined ? [] : view.listBy(table, index, key, { limit: 1 })
      const found = index === undefined ? get(table, key) : listed && get(table, table.key(listed))
      return found?.organization_id === principal.organization.organization_id ? found : undefined
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
