// The event feed: pages by cursor, a stream of server-sent events, and the schemas of every event.

import { Type } from 'typebox'
import { eventId } from '../../../events/envelope.js'
import { eventSelector, selects } from '../../../events/selection.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { eventSchemas, schemasOfEvents } from '../../openapi/event-schemas.js'
import { defineRoute } from '../../pipeline/route.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { anyone } from '../../surfaces/anyone.js'
import { operator } from '../../surfaces/operator.js'
import { limits } from '../webhooks/limits.js'
import { cursorExpired, tooManyStreams } from './errors.js'
import { placeOf, readFeed } from './event-feed.js'

const cursor = () =>
  Type.Optional(
    Type.String({
      ...patternOf('^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$', 'the id of an event: evt_ and 26 digits and capital letters'),
      description: 'the id of the last event seen: `next_cursor` of the page before, or the `id` of an event',
    }),
  )

const types = Type.Optional(
  Type.Array(eventSelector(), {
    maxItems: limits.webhookEvents,
    description: 'only these: names, areas as in `session.*`, or `*`; with commas, or given more than once',
  }),
)

const feedEventSchema = named('FeedEvent', {
  id: eventId(),
  event: Type.String(),
  created_at: timestamp('when it happened'),
  subject: Type.String({
    description: "what it is about: the charge point's id where there is one; events of one subject are in order",
  }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: "of the event's schema" }),
})

// Events tell of charge points, sessions and billing together: the scope that webhooks need, which get the same.
const scopes = ['read:webhooks'] as const

const listEvents = defineRoute({
  method: 'GET',
  path: '/api/v1/events',
  operationId: 'listEvents',
  summary: 'The events of the organization, oldest first',
  description:
    'Begins at the oldest event that is kept, or at `from`, or behind `cursor`. `next_cursor` is where to go on, also from an ' +
    'empty page: a reader that stores it with what it has done misses nothing and sees nothing twice. A cursor behind which ' +
    'events have outlived their retention gets 410 `cursor_expired`. With `types`, a page may be empty and there is more.',
  tags: ['Events'],
  surface: operator,
  scopes,
  query: Type.Object({
    cursor: cursor(),
    limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
    types,
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'ISO 8601: begins with what was stored then or later; a cursor goes before it',
      }),
    ),
  }),
  responses: {
    200: Type.Object({
      data: Type.Array(feedEventSchema),
      next_cursor: Type.String(),
      has_more: Type.Boolean({ description: 'whether it is worth asking again at once' }),
    }),
  },
  errors: [cursorExpired],
  sheddable: 'list',
  async handle({ query, principal }, services) {
    const { organization_id: organizationId } = principal.organization
    const after = placeOf(query, services.view(), organizationId, services.clock.now())
    const { limit, types: selectors } = query
    const page = await readFeed(services.view(), { organizationId, after, limit, wanted: selects(selectors) })
    return { status: 200, body: page }
  },
})

const streamEvents = defineRoute({
  method: 'GET',
  path: '/api/v1/events/stream',
  operationId: 'streamEvents',
  summary: 'The events of the organization as they happen',
  description:
    'Server-sent events: `id` as in the feed, `event` its name, `data` the event as the feed has it. Begins now, or behind ' +
    '`Last-Event-ID`, which a reader that was cut off sends, or behind `cursor`; a place behind which events have outlived ' +
    'their retention gets 410 `cursor_expired`. A comment, or an `id` alone, comes every 15 seconds. A reader that does not ' +
    'take what waits for it is cut off, and resumes. The stream ends when its key does, and when the service stops.',
  tags: ['Events'],
  surface: operator,
  scopes,
  query: Type.Object({ cursor: cursor(), types }),
  headers: Type.Object({ 'Last-Event-ID': cursor() }),
  responses: { 200: 'text/event-stream' },
  errors: [cursorExpired, tooManyStreams],
  sheddable: 'list',
  handle({ query, headers, principal, isStillAllowed }, services) {
    const { organization_id: organizationId } = principal.organization
    const resumed = headers['Last-Event-ID']
    const begin = resumed === undefined ? query : { cursor: resumed, cursorName: 'Last-Event-ID' }
    const after = placeOf(begin, services.view(), organizationId, services.clock.now())
    const stream = services.eventStreams.stream({
      organizationId,
      after,
      types: query.types,
      isAllowed: isStillAllowed,
    })
    // Proxies that gather an answer before they pass it on would hold events back.
    return { status: 200, stream, contentType: 'text/event-stream', headers: { 'X-Accel-Buffering': 'no' } }
  },
})

const listEventSchemas = defineRoute({
  method: 'GET',
  path: '/api/v1/events/schemas',
  operationId: 'listEventSchemas',
  summary: 'Every event, with the JSON Schemas of what is sent',
  tags: ['Events'],
  surface: anyone,
  responses: { 200: eventSchemas },
  sheddable: 'never',
  handle: () => ({ status: 200, body: schemasOfEvents() }),
})

export const eventRoutes = [listEvents, streamEvents, listEventSchemas]
