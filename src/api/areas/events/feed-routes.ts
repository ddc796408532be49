// The event feed: pages by cursor, a stream of server-sent events, and the schemas of every event.

import { Type } from 'typebox'
import { eventId } from '../../../events/envelope.js'
import { eventSelector, selects } from '../../../events/selection.js'
import type { OutboxRow } from '../../../runtime/actor/outbox.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { eventSchemas, schemasOfEvents } from '../../openapi/event-schemas.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { principalId } from '../../surfaces/principal.js'
import { siteFinder } from '../charge-points/site-of.js'
import { limits } from '../webhooks/limits.js'
import { area, referenceArea } from './area.js'
import { cursorExpired, tooManyStreams } from './errors.js'
import { placeOf, readFeed } from './event-feed.js'
import { isOfSite, placeOfEvent } from './events-of-site.js'

const cursor = () =>
  Type.Optional(
    Type.String({
      ...patternOf('^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$', 'the id of an event: evt_ and 26 digits and capital letters'),
      description:
        'The id of the last event that you have seen: `next_cursor` of the previous page, or the `id` of an event.',
    }),
  )

const types = Type.Optional(
  Type.Array(eventSelector(), {
    maxItems: limits.webhookEvents,
    description:
      'Only events with these names, of these areas (as `session.*`), or all (`*`). Separate several with commas, or give the parameter more than once.',
  }),
)

const feedEventSchema = named('FeedEvent', {
  id: eventId(),
  event: Type.String(),
  created_at: timestamp('When the event happened.'),
  subject: Type.String({
    description:
      "What the event is about: the charge point's id where there is one. The events of one subject are in order.",
  }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'As the schema of the event describes it.' }),
})

const siteId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'Only events of this site: those that name it, such as those of its sessions, and those about charge points that are in it now.',
  }),
)

const listEvents = area.get('', {
  operationId: 'listEvents',
  summary: 'List the events of the organization, oldest first',
  description:
    'Begins at the oldest event that is still stored, at `from`, or after `cursor`. `next_cursor` says where to go on, also from an ' +
    'empty page: a reader that stores it together with what it has done misses no event and sees none twice. A cursor after which ' +
    'events have already been removed is refused with 410 `cursor_expired`. With `types` or `site_id`, a page may be empty although more events follow.',
  query: Type.Object({
    cursor: cursor(),
    limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
    types,
    site_id: siteId,
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'ISO 8601. Begins with the events that were stored at this time or later. `cursor` takes precedence.',
      }),
    ),
  }),
  answer: Type.Object({
    data: Type.Array(feedEventSchema),
    next_cursor: Type.String(),
    has_more: Type.Boolean({ description: 'Whether the next page can be read at once.' }),
  }),
  errors: [cursorExpired],
  sheddable: 'list',
  read({ query, principal }, services) {
    const { organization_id: organizationId } = principal.organization
    const after = placeOf(query, services.view(), organizationId, services.clock.now())
    const { limit, types: selectors, site_id } = query
    const view = services.view()
    const [isSelected, siteOf] = [selects(selectors), siteFinder(view, organizationId)]
    const wanted = (row: OutboxRow): boolean => isSelected(row.event) && isOfSite(placeOfEvent(row), site_id, siteOf)
    const begin = services.longReads.of(organizationId)
    return readFeed({ view, begin }, { organizationId, after, limit, wanted })
  },
})

const streamEvents = area.route({
  method: 'GET',
  path: '/stream',
  operationId: 'streamEvents',
  summary: 'Stream the events of the organization as they happen',
  description:
    'Sends server-sent events: `id` as in the feed, `event` with the name, and `data` with the event as the feed returns it. Begins ' +
    'now, after `Last-Event-ID`, which a reader sends when it connects again, or after `cursor`. A place after which events have ' +
    'already been removed is refused with 410 `cursor_expired`. Every five seconds, the stream sends a comment, or an `id` alone. A ' +
    'reader that does not read what is sent is disconnected, and can resume. The stream ends when its key is no longer valid, and when ' +
    'the service stops.',
  query: Type.Object({ cursor: cursor(), types, site_id: siteId }),
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
      callerId: principalId(principal),
      after,
      types: query.types,
      siteId: query.site_id,
      isAllowed: isStillAllowed,
    })
    // Proxies that gather an answer before they pass it on would hold events back.
    return { status: 200, stream, contentType: 'text/event-stream', headers: { 'X-Accel-Buffering': 'no' } }
  },
})

const listEventSchemas = referenceArea.get('/schemas', {
  operationId: 'listEventSchemas',
  summary: 'List every event with the JSON Schemas of its payloads',
  answer: eventSchemas,
  read: schemasOfEvents,
})

export const feedRoutes = [listEvents, streamEvents, listEventSchemas]
