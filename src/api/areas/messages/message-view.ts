// A message as callers see it, wherever it was kept: in memory, in the log, in a capture, or as meter values.

import { Type } from 'typebox'
import { encodeTime } from 'ulid'
import {
  answerTypes,
  type ConformanceRule,
  conformanceRules,
  describeExchange,
  exchangeKinds,
} from '../../../ocpp16/index.js'
import { commandsTable } from '../../../records/command.js'
import type { ConnectionChange, Message } from '../../../records/message.js'
import { idAt } from '../../../runtime/ids.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { actorName } from '../../surfaces/actor-name.js'
import { limits } from './limits.js'
import type { Pair } from './pairs.js'

export const sources = ['log', 'ring', 'capture', 'meter', 'event'] as const
export type Source = (typeof sources)[number]

/** What a message is before it is shown. */
export interface KnownMessage extends Omit<Message, 'organization_id' | 'charge_point_id'> {
  readonly source: Source
  readonly connection?: ConnectionChange
  readonly meter?: { readonly power_watts: number | null; readonly energy_wh: number | null }
}

const rules = Object.keys(conformanceRules) as ConformanceRule[]

export const messageSchema = named('Message', {
  id: Type.String({ description: 'Where it stands in the list; a page begins before or after it.' }),
  at: timestamp('When the request was received or sent.'),
  kind: Type.Enum([...exchangeKinds]),
  direction: Type.Enum(['in', 'out'], { description: '`in`: the charge point asks. `out`: the service asks.' }),
  action: nullable(Type.String()),
  message_id: nullable(Type.String()),
  connector_id: nullable(Type.Integer()),
  transaction_id: nullable(Type.Integer()),
  request: nullable(
    Type.String({ description: 'The frame as it was sent, with secrets masked; null where it was not kept.' }),
  ),
  answer: nullable(Type.String({ description: 'The same of its answer.' })),
  answer_type: Type.Enum([...answerTypes], {
    description: '`timeout`: the answer was awaited in vain. `none`: no answer was seen, or none is kept.',
  }),
  error_code: nullable(Type.String()),
  milliseconds: nullable(Type.Integer({ description: 'From the request to its answer.' })),
  violations: Type.Array(
    Type.Object({
      rule: Type.Enum(rules),
      meaning: Type.String(),
      path: nullable(Type.String({ description: 'Where in the payload of the request, as a JSON pointer.' })),
      received: Type.Unknown({ description: 'What was sent there, shortened; null where it was not a single value.' }),
    }),
    { description: 'Which rules of OCPP 1.6 the request breaks.' },
  ),
  command_id: nullable(Type.String()),
  executed_by: nullable(Type.String({ description: 'Who gave the command, where somebody did.' })),
  executed_by_name: nullable(
    Type.String({ description: 'The name of that key or member; `executed_by` without one.' }),
  ),
  cut: Type.Boolean({ description: 'A frame is longer than what is kept of it.' }),
  source: Type.Enum([...sources], { description: 'Where it was kept: `ring` is memory.' }),
  connection: nullable(
    Type.Object(
      {
        state: Type.Enum(['connected', 'disconnected']),
        remote_address: nullable(Type.String()),
        code: nullable(Type.Integer({ description: 'The close code of the WebSocket.' })),
        reason: nullable(Type.String()),
      },
      { description: 'Only of the kind `connection`.' },
    ),
  ),
  meter: nullable(
    Type.Object(
      { power_watts: nullable(Type.Number()), energy_wh: nullable(Type.Number()) },
      { description: 'Only of `source` `meter`: what was stored of the meter values.' },
    ),
  ),
})

/** An id for what has none: of the same time and count, the same for the same content. */
export function idOf(at: number, content: string, count = 0): string {
  return idAt('msg', { time: at, timeText: encodeTime(Math.max(0, at), 10), count }, Buffer.from(content))
}

/** What was said in memory; `now`: wall ms. */
export function ofPair(
  { at, count, direction, messageId, request, answer, milliseconds, cut, isRequestCut, event }: Pair,
  now: number,
): KnownMessage {
  if (event !== undefined) return ofEvent(at, count, event)
  const { error_code, ...described } = describeExchange({
    at,
    direction,
    ...(request !== undefined && { request }),
    ...(answer !== undefined && { answer }),
    isCut: isRequestCut,
  })
  const isOver = direction === 'out' && now - at > limits.unansweredAfterMs
  return {
    id: idOf(at, `${direction}/${messageId ?? ''}`, count),
    at,
    direction,
    ...described,
    ...(request !== undefined && { request }),
    ...(answer !== undefined && { answer }),
    ...(cut && { cut: true as const }),
    answer_type: answer === undefined ? (isOver ? 'timeout' : 'none') : error_code === undefined ? 'result' : 'error',
    ...(error_code !== undefined && { error_code }),
    ...(milliseconds !== undefined && { milliseconds: Math.round(milliseconds) }),
    source: 'ring',
  }
}

function ofEvent(at: number, count: number, { connected, disconnected }: NonNullable<Pair['event']>): KnownMessage {
  const change: ConnectionChange =
    disconnected === undefined
      ? { at, ...(connected !== undefined && { remote_address: connected.remoteAddress }) }
      : { at, close: disconnected }
  return ofConnection(change, count)
}

export function ofConnection(connection: ConnectionChange, count = 0): KnownMessage {
  const { at, close } = connection
  const id = idOf(at, `connection/${close === undefined}`, count)
  return { id, at, kind: 'connection', direction: 'in', answer_type: 'none', connection, source: 'event' }
}

export function messageView(view: ReadView, organizationId: string, message: KnownMessage) {
  const { direction, message_id, connection, violations = [], before: _, ...known } = message
  // The message id of a call is the id of its command.
  const command =
    direction === 'out' && message_id?.startsWith('cmd_') === true ? view.get(commandsTable, [message_id]) : undefined
  const isOwn = command?.organization_id === organizationId
  return {
    id: known.id,
    at: formatTimestamp(known.at),
    kind: known.kind,
    direction,
    action: known.action ?? null,
    message_id: message_id ?? null,
    connector_id: known.connector_id ?? null,
    transaction_id: known.transaction_id ?? null,
    request: known.request ?? null,
    answer: known.answer ?? null,
    answer_type: known.answer_type,
    error_code: known.error_code ?? null,
    milliseconds: known.milliseconds ?? null,
    violations: violations.map(({ rule, path = null, received = null }) => ({
      rule,
      meaning: conformanceRules[rule].meaning,
      path,
      received,
    })),
    command_id: isOwn ? (message_id ?? null) : null,
    executed_by: isOwn ? command.executed_by : null,
    executed_by_name: isOwn ? actorName(view, organizationId, command.executed_by) : null,
    cut: known.cut === true,
    source: known.source,
    connection:
      connection === undefined
        ? null
        : {
            state: connection.close === undefined ? ('connected' as const) : ('disconnected' as const),
            remote_address: connection.remote_address ?? null,
            code: connection.close?.code ?? null,
            reason: connection.close?.reason ?? null,
          },
    meter: known.meter ?? null,
  }
}
