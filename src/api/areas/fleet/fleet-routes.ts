// The fleet in columns: a snapshot of all charge points, a stream of what changes after it, and what needs attention.

import { Type } from 'typebox'
import { patternOf } from '../../../runtime/fault-words.js'
import { takes } from '../../pipeline/accepted-encoding.js'
import { chargePointId, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { principalId } from '../../surfaces/principal.js'
import { tooManyStreams } from '../events/errors.js'
import { area } from './area.js'
import { causeKinds } from './cause.js'
import { columnsSchema, dictionariesSchema } from './encode.js'
import { limits } from './limits.js'

const cursor = () =>
  Type.String({
    ...patternOf('^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$', 'the id of an event: evt_ and 26 digits and capital letters'),
    description: 'The `cursor` of a snapshot, or of the last message.',
  })

const getSnapshot = area.route({
  method: 'GET',
  path: '/snapshot',
  operationId: 'getFleetSnapshot',
  summary: 'Get all charge points, in columns',
  description:
    'For programs that keep a whole fleet: some 25 bytes a charge point, compressed. Each array in `columns` has a value for each charge point, in the order of their ids. `cursor` ' +
    'is the newest event that the rows include: a stream (`GET /cpo/fleet/stream`) that begins there misses nothing. Of several pages, begin at the `cursor` of the first.',
  query: Type.Object({
    after: Type.Optional(chargePointId('Returns charge points after this one: `next` of the previous page.')),
    limit: Type.Integer({ minimum: 1, maximum: limits.rowsPerPage, default: 20_000 }),
  }),
  headers: Type.Object({ 'Accept-Encoding': Type.Optional(Type.String()) }),
  responses: {
    200: named('FleetSnapshot', {
      as_of: timestamp(),
      cursor: Type.String(),
      total: Type.Integer({ description: 'How many charge points there are in all.' }),
      next: nullable(Type.String({ description: 'The last charge point of this page, if others follow.' })),
      dictionaries: dictionariesSchema,
      columns: columnsSchema,
    }),
  },
  sheddable: 'list',
  async handle({ principal, query, headers, isGone }, services) {
    const compressed = takes(headers['Accept-Encoding'], 'gzip')
    const body = await services.fleets.page(principal.organization.organization_id, query, compressed, isGone)
    return {
      status: 200,
      body,
      contentType: 'application/json; charset=utf-8',
      headers: { Vary: 'Accept-Encoding', ...(compressed && { 'Content-Encoding': 'gzip' }) },
    }
  },
})

const streamFleet = area.route({
  method: 'GET',
  path: '/stream',
  operationId: 'streamFleet',
  summary: 'Stream the charge points that change',
  description:
    'Sends server-sent events, at most two a second: `rows` with `cursor`, `removed` (ids), `total`, `dictionaries` and `columns` as in the snapshot, with the changed charge points, whole; `totals` with the ' +
    'summary of the fleet, without `updated_at`; and `reload` where too much has changed: read the snapshot again, the stream goes on. Begins now, or after `cursor` or `Last-Event-ID`. The dictionaries are those of the message ' +
    'alone. Power and `last_seen_at` change all the time: those in `watch` are read every five seconds. Every five seconds without a message, the stream sends a comment.',
  query: Type.Object({
    cursor: Type.Optional(cursor()),
    watch: Type.Optional(
      Type.Array(chargePointId(), {
        maxItems: limits.watchedPerStream,
        description:
          'Charge points whose power is wanted live. Separate several with commas, or give the parameter more than once.',
      }),
    ),
  }),
  headers: Type.Object({ 'Last-Event-ID': Type.Optional(cursor()) }),
  responses: { 200: 'text/event-stream' },
  errors: [tooManyStreams],
  sheddable: 'list',
  handle({ query, headers, principal, isStillAllowed }, services) {
    const stream = services.fleets.stream({
      organizationId: principal.organization.organization_id,
      callerId: principalId(principal),
      cursor: headers['Last-Event-ID'] ?? query.cursor,
      watch: query.watch ?? [],
      isAllowed: isStillAllowed,
    })
    // Proxies that gather an answer before they pass it on would hold messages back.
    return { status: 200, stream, contentType: 'text/event-stream', headers: { 'X-Accel-Buffering': 'no' } }
  },
})

const shared = Type.Object(
  Object.fromEntries(
    ['vendor', 'model', 'firmware', 'error_code', 'network', 'site'].map((name) => [name, nullable(Type.String())]),
  ),
  { description: 'What the charge points have in common.' },
)

const cause = named('FleetCause', {
  cause_id: Type.String({ description: 'The same as long as the cause lasts.' }),
  kind: Type.Enum([...causeKinds]),
  title: Type.String(),
  why: Type.String(),
  shared,
  charge_points: Type.Integer(),
  share_of_group: nullable(
    Type.Number({ description: 'The share of those with `shared` that are concerned; null if nothing is shared.' }),
  ),
  since: nullable(timestamp()),
  filter: Type.String({ description: 'Shows these charge points, in the language of the filter of the console.' }),
  examples: Type.Array(Type.String(), { maxItems: limits.examplesOfCause }),
})

const getAttention = area.get('/attention', {
  operationId: 'getFleetAttention',
  summary: 'Get what needs attention, by cause',
  description:
    'Groups charge points by what they have in common. Faults are of a firmware, a model or a site if they are at least five times as frequent there as elsewhere, and at least three. Charge points were lost ' +
    'together if at least five from one network, or three at one site, went offline within a minute. Those that have never connected are one cause. One that is connected and has sent no BootNotification for a minute is `silent`. Worked out every 15 seconds at most.',
  answer: named('FleetAttention', {
    as_of: timestamp(),
    causes: Type.Array(cause, { maxItems: limits.causes }),
    charge_points: Type.Integer({
      minimum: 0,
      description: 'How many charge points these are about; one that several are about is counted once.',
    }),
  }),
  sheddable: 'list',
  read: ({ principal, isGone }, services) => services.fleets.attention(principal.organization.organization_id, isGone),
})

export const fleetRoutes = [getSnapshot, streamFleet, getAttention]
