// The area of events: the feed and the stream of an organization's events, and the schemas of all events, which anyone may read.

import { defineArea } from '../../pipeline/area.js'
import { anyone } from '../../surfaces/anyone.js'
import { operator } from '../../surfaces/operator.js'

const place = {
  tag: 'Events',
  about: 'What happened, as a feed, as a stream and as webhooks, with the schema of each event.',
  path: '/api/v1/events',
} as const

// Events report on charge points, sessions and billing together: they need the scope of webhooks, which receive the same.
export const area = defineArea(operator, { ...place, read: 'read:webhooks', write: 'write:webhooks' })

export const referenceArea = defineArea(anyone, place)
