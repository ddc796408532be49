// GET /api/v1/sessions/{session_id}/story: what happened around a session, from everything that is stored of it.

import { Type } from 'typebox'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, sessions } from './area.js'
import { limits } from './limits.js'
import { type StoryEntry, storedStory, storySources } from './story.js'
import { storyEvents } from './story-events.js'
import { storyMessages } from './story-messages.js'
import { storyPeriod } from './story-period.js'

const entrySchema = named('StoryEntry', {
  at: timestamp(),
  source: Type.Enum([...storySources], { description: 'Where it is stored.' }),
  name: Type.String({ description: 'What it is called there: a status, a command, an event.' }),
  title: Type.String({ description: 'What happened, in words.' }),
  detail: nullable(Type.String()),
  reference: nullable(
    Type.String({ description: 'The id of the command, the alert, the message, the event or the dispute.' }),
  ),
})

const storySchema = named('SessionStory', {
  session_id: Type.String(),
  from: timestamp('Ten minutes before the start.'),
  to: timestamp('Ten minutes after the end, or after now.'),
  entries: Type.Array(entrySchema, { description: 'The oldest first.' }),
  entries_left_out: Type.Integer({
    description: `How many entries in the middle are left out, as a story has at most ${limits.storyEntries}.`,
  }),
  events_complete: Type.Boolean({
    description:
      'false if events of the time are no longer stored, or if the organization has had too many of them to read all.',
  }),
})

/** The oldest first; of too many, those of the middle are left out. */
function merged(entries: readonly StoryEntry[]) {
  const sorted = entries.filter(({ at }) => Number.isFinite(at)).sort((a, b) => a.at - b.at)
  const half = limits.storyEntries / 2
  if (sorted.length <= limits.storyEntries) return { shown: sorted, leftOut: 0 }
  return { shown: [...sorted.slice(0, half), ...sorted.slice(-half)], leftOut: sorted.length - limits.storyEntries }
}

const getStory = area.route({
  method: 'GET',
  path: '/{session_id}/story',
  operationId: 'getSessionStory',
  summary: 'Get what happened around a session',
  description:
    'Merges the start, the end, the statuses of the connector, commands, limits, alerts, disputes, the payment of a guest, messages and events in the ' +
    'order of time. Each entry names its source. What belongs to the session before it at the connector, or to the next one, is left out.',
  of: sessions,
  responses: { 200: storySchema },
  sheddable: 'list',
  async handle({ row }, services) {
    const view = services.view()
    const now = services.clock.now()
    const period = storyPeriod(view, row, now)
    const reads = { view, begin: services.longReads.of(row.organization_id) }
    const { entries, complete } = await storyEvents(reads, row, period)
    const stored = storedStory(view, row, period, now)
    const told = new Set(stored.flatMap(({ reference }) => reference ?? []))
    const messages = await storyMessages(reads, row, period, told)
    const { shown, leftOut } = merged([...stored, ...messages, ...entries])
    const body = {
      session_id: row.session_id,
      from: formatTimestamp(period.from),
      to: formatTimestamp(period.to),
      entries: shown.map((entry) => ({ ...entry, at: formatTimestamp(entry.at) })),
      entries_left_out: leftOut,
      events_complete: complete,
    }
    return { status: 200, body }
  },
})

export const storyRoutes = [getStory]
