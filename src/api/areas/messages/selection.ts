// Which messages are wanted: the parameters that lists and streams have in common.

import { type Static, Type } from 'typebox'
import { meterValues } from '../../../ocpp16/index.js'
import { connectorId } from '../../pipeline/schemas.js'
import type { KnownMessage } from './message-view.js'

const kinds = [
  'transaction',
  'status',
  'meter',
  'heartbeat',
  'command',
  'connection',
  'other',
  'error',
  'deviation',
] as const

export const selectionFields = {
  kind: Type.Optional(
    Type.Array(Type.Enum([...kinds]), {
      maxItems: kinds.length,
      description:
        'Only messages of these kinds. `error` are those of any kind that were answered with an error or not at all, `deviation` those that break a rule of OCPP 1.6. ' +
        'Separate several with commas, or give the parameter more than once.',
    }),
  ),
  action: Type.Optional(Type.String({ maxLength: 64, description: 'Only messages with this action of OCPP 1.6.' })),
  direction: Type.Optional(
    Type.Enum(['in', 'out'], {
      description: 'Only what the charge point has asked (`in`), or what it was asked (`out`).',
    }),
  ),
  connector_id: Type.Optional(connectorId(0, 'Only messages that name this connector.')),
  transaction_id: Type.Optional(Type.Integer({ description: 'Only messages of this transaction.' })),
  message_id: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Only messages with this id of OCPP, which charge points may use again.',
    }),
  ),
}

export type Selection = Static<ReturnType<typeof selectionSchema>>
const selectionSchema = () => Type.Object(selectionFields)

/** Whether it can be among them, as far as that is known before anybody has looked into it. */
export function canBeSelected(
  { direction, message_id }: Selection,
  pair: { readonly direction: string; readonly messageId?: string; readonly event?: object },
): boolean {
  if (direction !== undefined && (pair.event !== undefined || pair.direction !== direction)) return false
  return message_id === undefined || pair.messageId === message_id
}

export function isSelected(selection: Selection, message: KnownMessage): boolean {
  const { kind, action, direction, connector_id, transaction_id, message_id } = selection
  if (kind !== undefined && !kind.some((one) => isOf(one, message))) return false
  if (action !== undefined && message.action !== action) return false
  if (direction !== undefined && (message.kind === 'connection' || message.direction !== direction)) return false
  if (connector_id !== undefined && message.connector_id !== connector_id) return false
  if (transaction_id !== undefined && message.transaction_id !== transaction_id) return false
  return message_id === undefined || message.message_id === message_id
}

function isOf(kind: (typeof kinds)[number], { kind: own, answer_type, violations }: KnownMessage): boolean {
  if (kind === 'error') return answer_type === 'error' || answer_type === 'timeout'
  if (kind === 'deviation') return violations !== undefined
  return own === kind
}

/** Whether meter values as they are stored can be among them. */
export function selectsMeter({ kind, action, direction, message_id }: Selection): boolean {
  if (kind !== undefined && !kind.includes('meter')) return false
  if (action !== undefined && action !== meterValues.action) return false
  return direction !== 'out' && message_id === undefined
}

/** The same of connections that began or ended. */
export function selectsConnections({
  kind,
  action,
  direction,
  connector_id,
  transaction_id,
  message_id,
}: Selection): boolean {
  const isOfAll = [action, direction, connector_id, transaction_id, message_id].every((one) => one === undefined)
  return isOfAll && (kind === undefined || kind.includes('connection'))
}
