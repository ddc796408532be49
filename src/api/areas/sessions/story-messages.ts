// What a charge point and the service said to each other during a session, as far as it is kept and nothing else tells it: who was asked about the
// tag, what its site and the service sent, and whatever was not answered or deviates from the standard.

import {
  messages,
  ocppErrorCodes,
  startTransaction,
  statusNotification,
  stopTransaction,
} from '../../../ocpp16/index.js'
import { type Message, messagesTable } from '../../../records/message.js'
import type { Session } from '../../../records/session.js'
import { lowestIdAt } from '../../../runtime/ids.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { type Long, walkList } from '../../pipeline/paging.js'
import { limits } from './limits.js'
import type { StoryEntry } from './story.js'
import { isOwn, type StoryPeriod } from './story-period.js'

/** The session itself tells of these, unless something was wrong with them. */
const toldActions: ReadonlySet<string> = new Set([
  startTransaction.action,
  stopTransaction.action,
  statusNotification.action,
])

const isOdd = ({ answer_type, violations }: Message): boolean =>
  answer_type === 'error' || answer_type === 'timeout' || violations !== undefined

function isOfSession(session: Session, { at, transaction_id, connector_id }: Message, period: StoryPeriod): boolean {
  if (transaction_id !== undefined) return transaction_id === session.transaction_id
  const isOfConnector = connector_id === undefined || connector_id === 0 || connector_id === session.connector_id
  return isOfConnector && isOwn(period, at)
}

function answerText({ answer_type, error_code, milliseconds }: Message): string {
  switch (answer_type) {
    case 'result':
      return milliseconds === undefined || milliseconds < 1 ? 'Answered' : `Answered in ${milliseconds} ms`
    case 'error':
      return errorCodes.has(error_code) ? `Answered with the error ${error_code}` : 'Answered with an error'
    case 'timeout':
      return 'Not answered in time'
    default:
      return 'No answer is kept'
  }
}

/** A charge point may call an action, or an error, anything: those who may not read messages are shown none but the standard's own. */
const errorCodes: ReadonlySet<string | undefined> = new Set(ocppErrorCodes)

function actionWords(action: string | undefined): string {
  if (action === undefined) return 'a frame that is no message'
  return messages.has(action) ? action : 'a request that OCPP 1.6 does not have'
}

function entryOf(message: Message): StoryEntry {
  const { id, at, direction, violations = [] } = message
  const action = actionWords(message.action)
  const deviations = violations.length === 0 ? '' : `; deviates from the standard (${violations.length})`
  return {
    at,
    source: 'message',
    name: action,
    title: direction === 'in' ? `The charge point sent ${action}` : `The charge point was sent ${action}`,
    detail: `${answerText(message)}${deviations}`,
    reference: id,
  }
}

/** `commandIds` are those of commands that are told by themselves: the ids of their calls are the same. */
export async function storyMessages(
  { view, begin }: { readonly view: ReadView } & Long,
  session: Session,
  period: StoryPeriod,
  commandIds: ReadonlySet<string>,
): Promise<StoryEntry[]> {
  const { organization_id, charge_point_id } = session
  const list = { index: 'byChargePoint', group: [organization_id, charge_point_id] }
  const between = { from: [lowestIdAt('msg', period.from)], to: [lowestIdAt('msg', period.to)] }
  const tells = (message: Message): boolean =>
    message.kind !== 'heartbeat' &&
    message.kind !== 'meter' &&
    isOfSession(session, message, period) &&
    !commandIds.has(message.message_id ?? '') &&
    (isOdd(message) || !toldActions.has(message.action ?? ''))
  const entries: StoryEntry[] = []
  let read = 0
  for await (const rows of walkList({ view, begin, table: messagesTable, list, between })) {
    entries.push(...rows.filter(tells).map(entryOf))
    read += rows.length
    if (read >= limits.storyMessagesRead || entries.length >= limits.storyEntriesOfSource) break
  }
  return entries.slice(0, limits.storyEntriesOfSource)
}
