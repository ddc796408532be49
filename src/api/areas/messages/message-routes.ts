// Lists of messages, and the stream of those to come.

import { Type } from 'typebox'
import { recordedName } from '../../../edge/frame-recorder.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { principalId } from '../../surfaces/principal.js'
import { chargePoints } from '../charge-points/area.js'
import { tooManyStreams } from '../events/errors.js'
import { area } from './area.js'
import { limits } from './limits.js'
import { messageSchema, messageView } from './message-view.js'
import { readMessages } from './read-messages.js'
import { selectionFields } from './selection.js'

const messageId = (description: string) =>
  Type.Optional(
    Type.String({
      ...patternOf('^msg_[0-7][0-9A-HJKMNP-TV-Z]{25}$', 'the id of a message: msg_ and 26 digits and capital letters'),
      description,
    }),
  )

const instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

const listMessages = area.get('/chargepoints/{charge_point_id}/messages', {
  operationId: 'listMessages',
  summary: 'List what a charge point and the service have said to each other, the newest first',
  description:
    'Each message is a request with its answer. The newest are read from memory, with all their frames. Before those come what is worth keeping, for as long as ' +
    '`--message-retention-days` says, captures, and what was stored of meter values. What is not kept is told by `gaps`. Secrets are masked. ' +
    'A page may be empty although `next` is set: with many messages that are not selected, read on.',
  of: chargePoints,
  query: Type.Object({
    ...selectionFields,
    from: instant('ISO 8601. Only messages from then on.'),
    to: instant('ISO 8601. Only messages from before then.'),
    before: messageId('Only messages before this one: `next` of the page before.'),
    after: messageId('Only messages after this one.'),
    limit: Type.Integer({ minimum: 1, maximum: limits.messagesPerPage, default: 50 }),
  }),
  answer: Type.Object({
    data: Type.Array(messageSchema),
    next: nullable(Type.String({ description: 'Before which message the next page goes on; null at the end.' })),
    gaps: Type.Array(
      Type.Object({
        from: timestamp(),
        to: timestamp(),
        heartbeats: Type.Integer({ minimum: 0 }),
        meter_values: Type.Integer({ minimum: 0 }),
        left_out: Type.Integer({ minimum: 0, description: 'Messages beyond those that are kept of one minute.' }),
      }),
      { description: 'Messages that are not kept one by one, as far as they were counted.' },
    ),
  }),
  sheddable: 'list',
  async read({ row, query }, services) {
    const { from, to, before, after, ...rest } = query
    const page = await readMessages(
      row,
      {
        ...rest,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
        ...(from !== undefined && { from: parseTimestamp(from) ?? 0 }),
        ...(to !== undefined && { to: parseTimestamp(to) ?? 0 }),
      },
      services,
    )
    const view = services.view()
    return {
      data: page.messages.map((message) => messageView(view, row.organization_id, message)),
      next: page.next ?? null,
      gaps: page.gaps.map((gap) => ({
        from: formatTimestamp(gap.from),
        to: formatTimestamp(gap.to),
        heartbeats: gap.heartbeats,
        meter_values: gap.meterValues,
        left_out: gap.leftOut,
      })),
    }
  },
})

const streamMessages = area.route({
  method: 'GET',
  path: '/chargepoints/{charge_point_id}/messages/stream',
  operationId: 'streamMessages',
  summary: 'Stream what a charge point and the service say to each other',
  description:
    'Sends server-sent events: `message` with a message as the list returns it, once it has been answered or nobody answers it; and `dropped` with the `count` of messages for which ' +
    'a slow reader had no room. Every five seconds without a message, the stream sends a comment. Nothing is sent again: read the list for what was before.',
  of: chargePoints,
  query: Type.Object(selectionFields),
  responses: { 200: 'text/event-stream' },
  errors: [tooManyStreams],
  sheddable: 'list',
  handle({ row, query, principal, isStillAllowed }, services) {
    const { charge_point_id: chargePointId, organization_id: organizationId } = row
    const isAllowed = () =>
      isStillAllowed() && isSame(chargePoints.find(services.view(), principal, chargePointId), row)
    const stream = services.messageStreams.stream({
      organizationId,
      callerId: principalId(principal),
      name: recordedName(row),
      selection: query,
      isAllowed,
    })
    // Proxies that gather an answer before they pass it on would hold messages back.
    return { status: 200, stream, contentType: 'text/event-stream', headers: { 'X-Accel-Buffering': 'no' } }
  },
})

/** One that was removed and registered again is another. */
function isSame(now: ChargePoint | undefined, before: ChargePoint): boolean {
  return now !== undefined && recordedName(now) === recordedName(before)
}

export const messageRoutes = [listMessages, streamMessages]
