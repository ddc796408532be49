// Pages by number: `page` and `per_page` in, and with the rows which page it is and how many rows there are in all.

import { Type } from 'typebox'
import { pageFields, pageQuery } from '../pipeline/paging.js'
import type { Pages } from '../pipeline/surface.js'

/** One that the list takes: where it does not, it is a text that nothing has read. */
const isOffset = (offset: unknown): offset is number => typeof offset === 'number'

/** A list that has another name for its rows has them under `data` too. */
export const numberedPages: Pages = {
  query: pageQuery,
  settle(query, given) {
    if (given.includes('page') && isOffset(query.offset))
      return { path: 'offset', message: 'takes the place of page: send one of the two' }
    if (query.limit === undefined) return undefined
    if (given.includes('per_page') && query.limit !== query.per_page)
      return { path: 'limit', message: 'is another name of per_page and must not differ from it' }
    query.per_page = query.limit
    return undefined
  },
  askedFor(query) {
    const { page, per_page } = query as { readonly page: number; readonly per_page: number }
    const { offset } = query
    return { offset: isOffset(offset) ? offset : (page - 1) * per_page, limit: per_page }
  },
  schema(row, name, fields) {
    const rows = Type.Array(row)
    const names =
      name === 'data'
        ? { data: rows }
        : { [name]: rows, data: Type.Array(row, { description: `The same as \`${name}\`.` }) }
    return Type.Object({ ...fields, ...names, ...pageFields })
  },
  answer({ name, rows, total, fields }, { offset, limit }) {
    const named = name === 'data' ? { data: rows } : { [name]: rows, data: rows }
    return { body: { ...fields, ...named, total, page: Math.floor(offset / limit) + 1, per_page: limit } }
  },
}
