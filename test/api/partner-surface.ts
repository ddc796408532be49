// A surface that exists in tests alone, unlike the operators' in everything: callers without an organization who show a token, another
// envelope of answers and errors, pages by offset and headers, a quota and an overload level of its own.

import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { defineArea } from '../../src/api/pipeline/area.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { unauthorized } from '../../src/api/pipeline/errors.js'
import { defineSurface, type Envelope, type Pages } from '../../src/api/pipeline/surface.js'
import { conflict, fail, notFound, overloaded } from '../../src/runtime/errors.js'
import { defineTable } from '../../src/runtime/store/table.js'

export interface Partner {
  readonly partner_id: string
  readonly token_sha256: string
  readonly may: readonly PartnerScope[]
  readonly requests_per_hour: number
}

export type PartnerScope = 'locations' | 'tokens'

export const partnersTable = defineTable<Partner>({
  name: 'partners',
  key: (row) => [row.token_sha256],
  indexes: {},
})

export interface PartnerUse {
  readonly partner_id: string
  readonly minute: number
}

export const partnerUsesTable = defineTable<PartnerUse>({
  name: 'partner_uses',
  key: (row) => [row.partner_id],
  indexes: {},
})

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const timestamp = (now: number): string => new Date(now).toISOString()

const envelope: Envelope = {
  success: {
    wrap: (data, now) => ({ data, status_code: 1000, timestamp: timestamp(now) }),
    schema: (data) => Type.Object({ data, status_code: Type.Literal(1000), timestamp: Type.String() }),
  },
  error: ({ kind, message }, _requestId, now) => ({
    status: kind.status,
    body: {
      status_code: kind.status < 500 ? 2000 : 3000,
      status_message: `${kind.code}: ${message}`,
      timestamp: timestamp(now),
    },
  }),
  errorForms: [
    {
      name: 'PartnerError',
      schema: () => ({
        type: 'object',
        required: ['status_code', 'status_message', 'timestamp'],
        additionalProperties: false,
        properties: {
          status_code: { type: 'integer', enum: [2000, 3000] },
          status_message: { type: 'string' },
          timestamp: { type: 'string' },
        },
      }),
      has: () => true,
      example: ({ code }) => ({ name: `partner_${code}`, value: { status_code: 2000, status_message: code } }),
    },
  ],
}

const offsetPages: Pages = {
  query: (perPage, maximum) => ({
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum, default: perPage }),
  }),
  askedFor(query) {
    const { offset, limit } = query as { readonly offset: number; readonly limit: number }
    return { offset, limit }
  },
  schema: (row) => Type.Array(row),
  answer({ rows, total }, { offset, limit }, { path, query }) {
    const headers: Record<string, string> = { 'X-Total-Count': String(total), 'X-Limit': String(limit) }
    if (offset + rows.length < total) {
      const next = new URLSearchParams(query)
      next.set('offset', String(offset + rows.length))
      headers.Link = `<${path}?${next}>; rel="next"`
    }
    return { body: rows, headers }
  },
}

export const partner = defineSurface<Partner, PartnerScope>({
  root: '/partners/',
  guide: '## Partners\n\nSend the token of your network with each request.',
  callers: {
    credential: {
      name: 'token',
      challenge: 'Token',
      securitySchemes: { partnerToken: { type: 'http', scheme: 'token' } },
      security: [{ partnerToken: [] }],
      find: ({ headers }) =>
        /^Token (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? fail(unauthorized, 'a token is needed'),
      verify: (token, view) => view.get(partnersTable, [sha256(token)]) ?? fail(unauthorized, 'nobody has this token'),
    },
    nameOf: ({ partner_id }) => `partner:${partner_id}`,
    idOf: ({ partner_id }) => partner_id,
    grants: ({ may }, scope) => may.includes(scope),
    requestsPerHour: ({ requests_per_hour }) => requests_per_hour,
    audited: ({ partner_id }) => ({ actor: { key_id: partner_id, key_name: `partner ${partner_id}` } }),
    repeats: { sealing: (token) => `partner ${token}` },
    noteUse: ({ partner_id, token_sha256 }, minute) => ({
      change: putRow(partnerUsesTable, { partner_id, minute }),
      condition: { table: partnersTable.name, key: [token_sha256], is: 'present' },
    }),
  },
  shedFrom: { list: 1, command: 2, never: Number.POSITIVE_INFINITY },
  envelope,
  pages: offsetPages,
})

/** What the routes below have been asked: each reports the number of its call. */
let calls = 0

/** Whether the caller of the last `getPartner` would be let in now. */
export let isLastStillAllowed = (): boolean => false

const area = defineArea(partner, {
  tag: 'Partners',
  about: 'What partners ask.',
  path: '/partners',
  read: 'locations',
  write: 'tokens',
})

const getPartner = area.get('/me', {
  operationId: 'getPartner',
  summary: 'Get your registration',
  answer: Type.Object({ partner_id: Type.String() }),
  read({ principal, isStillAllowed }) {
    isLastStillAllowed = isStillAllowed
    return { partner_id: principal.partner_id }
  },
})

const listLocations = area.list('/locations', {
  operationId: 'listLocations',
  summary: 'List locations',
  row: Type.Object({ id: Type.Integer() }),
  filters: { country: Type.Optional(Type.String({ minLength: 2 })) },
  perPage: 2,
  maximum: 4,
  read({ query: { offset, limit } }) {
    const all = [1, 2, 3, 4, 5].map((id) => ({ id }))
    return { rows: all.slice(offset, offset + limit), total: all.length }
  },
})

const postToken = area.route({
  method: 'POST',
  path: '/tokens/{token_id}',
  operationId: 'postToken',
  summary: 'Store a token',
  params: { token_id: Type.String({ maxLength: 10 }) },
  body: Type.Object({ organization: Type.Optional(Type.String()), fails: Type.Optional(Type.String()) }),
  responses: { 201: Type.Object({ call: Type.Integer(), secret: Type.String() }) },
  errors: [conflict, notFound],
  secret: true,
  sheddable: 'command',
  handle({ body, params }) {
    calls++
    if (body.fails === 'refused') throw conflict('the token is there already')
    if (body.fails === 'unknown') throw overloaded('nobody knows')
    if (body.fails === 'defect') throw new TypeError('a defect')
    const concerns = body.organization === undefined ? {} : { concerns: { organizationId: body.organization } }
    return { status: 201, body: { call: calls, secret: `secret of ${params.token_id}` }, ...concerns }
  },
})

export const partnerRoutes = [getPartner, listLocations, postToken]
