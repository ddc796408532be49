// What roaming partners are answered with: the envelope of OCPI 2.2.1 (4.1.7) around every answer, and pages by offset with headers (4.1.4).

import { Type } from 'typebox'
import type { ErrorKind } from '../../runtime/errors.js'
import type { Envelope, Pages } from '../pipeline/surface.js'
import { formatTimestamp } from '../pipeline/timestamp.js'
import { ocpiCodeOf, ocpiHttpStatusOf } from './ocpi-errors.js'

const statusCode = Type.Integer({
  description:
    'OCPI 2.2.1, 5: 1000 for success; 2000 to 2004 for what the caller can mend, 3000 to 3003 for what the service could not do. An error with a status code under HTTP 200 has no `data`.',
})
const statusMessage = Type.Optional(Type.String({ description: 'For people.' }))
const timestampOf = Type.String({ format: 'date-time', description: 'When the answer was made.' })
const fields = { status_code: statusCode, status_message: statusMessage, timestamp: timestampOf }

const success = 1000

/** The answer of what has nothing to say but that it was done. */
export const noData = Type.Null()

export const ocpiEnvelope: Envelope = {
  success: {
    wrap: (data, now) => ({
      ...(data !== null && { data }),
      status_code: success,
      status_message: 'Success',
      timestamp: formatTimestamp(now),
    }),
    schema: (data) => Type.Object(data === noData ? fields : { data: Type.Optional(data), ...fields }),
  },
  error: ({ kind, message, extras }, _requestId, now) => ({
    status: extras.unreadable === true ? 400 : ocpiHttpStatusOf(kind),
    body: { status_code: ocpiCodeOf(kind), status_message: message, timestamp: formatTimestamp(now) },
  }),
  statusOf: ocpiHttpStatusOf,
  errorForms: [
    {
      name: 'OcpiError',
      schema: () => ({
        type: 'object',
        description: 'An error as OCPI has it.',
        required: ['status_code', 'status_message', 'timestamp'],
        properties: {
          status_code: { type: 'integer', minimum: 2000, maximum: 3999 },
          status_message: { type: 'string', description: 'For people.' },
          timestamp: { type: 'string', format: 'date-time' },
        },
      }),
      has: () => true,
      example: (kind: ErrorKind) => ({
        name: `${kind.code}_in_ocpi`,
        value: { status_code: ocpiCodeOf(kind), status_message: kind.meaning, timestamp: '2026-01-20T10:00:00Z' },
      }),
    },
  ],
}

/** Of every list (OCPI 2.2.1, 4.1.4: a server says how many it gives at most, and gives no more). */
export const ocpiPage = { perPage: 25, maximum: 100 } as const

/** What a list says beside its rows that knows where its next page begins: undefined behind the last. The link then says it in `after`. */
export const nextPage = 'next_page'

export const ocpiPages: Pages = {
  query: (perPage, maximum) => ({
    offset: Type.Integer({ minimum: 0, default: 0, description: 'How many objects are passed over before the page.' }),
    limit: Type.Integer({
      minimum: 1,
      default: perPage,
      description: `How many objects the page has; more than ${maximum} are taken for ${maximum}.`,
    }),
  }),
  askedFor(query) {
    const { offset, limit } = query as { readonly offset: number; readonly limit: number }
    return { offset, limit: Math.min(limit, ocpiPage.maximum) }
  },
  schema: (row) => Type.Array(row),
  answer({ rows, total, fields }, { offset, limit }, { path, query }, { apiUrl }) {
    const headers: Record<string, string> = { 'X-Total-Count': String(total), 'X-Limit': String(ocpiPage.maximum) }
    const next = offset + rows.length
    const after = fields[nextPage]
    if (nextPage in fields ? typeof after === 'string' : rows.length > 0 && next < total) {
      const parameters = new URLSearchParams(query)
      if (typeof after === 'string') parameters.set('after', after)
      parameters.set('offset', String(next))
      parameters.set('limit', String(limit))
      headers.Link = `<${apiUrl}${path}?${parameters}>; rel="next"`
    }
    return { body: rows, headers }
  },
}
