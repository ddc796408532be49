// Pages by number: `page` and `per_page` in, and with the rows which page it is and how many rows there are in all.

import { Type } from 'typebox'
import { pageFields, pageQuery } from '../pipeline/paging.js'
import type { Pages } from '../pipeline/surface.js'

/** A list that has another name for its rows has them under `data` too. */
export const numberedPages: Pages = {
  query: pageQuery,
  settle(query, given) {
    if (query.limit === undefined) return undefined
    if (given.includes('per_page') && query.limit !== query.per_page)
      return { path: 'limit', message: 'is another name of per_page and must not differ from it' }
    query.per_page = query.limit
    return undefined
  },
  askedFor(query) {
    const { page, per_page } = query as { readonly page: number; readonly per_page: number }
    return { offset: (page - 1) * per_page, limit: per_page }
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
    return { body: { ...fields, ...named, total, page: offset / limit + 1, per_page: limit } }
  },
}
