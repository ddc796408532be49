// One mail on its way: tried until the mail server has taken or refused it for good, with growing pauses, for about three days. An
// attempt is on disk before it is made, so that no crash and no full disk makes a flood of one mail.

import { type Mail, mailsTable } from '../../records/mail.js'
import { type ActorDefinition, type Context, type Effect, effect, type JobOutcome } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { limits } from './limits.js'
import {
  type MailMessage,
  mailAddress,
  mailKind,
  type SendMailRequest,
  type SendMailResult,
  sendMailJob,
} from './messages.js'
import { sendReason } from './new-mail.js'

export interface MailState {
  row: Mail | undefined
  /** The job has been asked for and has not answered. */
  sending: boolean
}

const none: readonly Effect[] = []
const firstPauseMs = 5_000
const longestPauseMs = 6 * 3_600_000
const errorCharacters = 200

/** How long to wait after so many attempts: 5 s, 15 s, 45 s and so on, at most six hours. */
export function pauseAfter(attempts: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 3 ** Math.min(attempts - 1, 10))
}

export const mail: ActorDefinition<MailState, MailMessage> = {
  kind: mailKind,
  load: (context) => ({ row: context.read().get(mailsTable, [context.id]), sending: false }),
  idle: ({ sending }) => !sending,
  handle(state, message, context) {
    switch (message.type) {
      case 'wake-up':
        return attempt(state, context)
      case 'attempted':
        state.sending = false
        return state.row === undefined ? none : attempted(state, state.row, message.outcome, context)
      case 'withdraw':
        return state.row?.content === undefined ? none : forget(state, context)
      default:
        message satisfies never
        return none
    }
  },
}

function attempt(state: MailState, context: Context): readonly Effect[] {
  const { row } = state
  // Nothing is left of it but its time.
  if (row?.content === undefined) return [wakeNoMore(mailAddress(context.id), sendReason)]
  if (row.is_for_nobody === true) return forget(state, context)
  if (state.sending) return none
  const { mail_id, organization_id, to, created_at, content } = row
  const attempts = row.attempts + 1
  state.row = { ...row, attempts }
  state.sending = true
  const request: SendMailRequest = { mail_id, organization_id, to, created_at, content }
  return [
    effect.put(mailsTable, state.row),
    wakeAfter(mailAddress(context.id), sendReason, pauseAfter(attempts), context),
    effect.job(sendMailJob, request, (outcome): MailMessage => ({ type: 'attempted', outcome })),
  ]
}

function attempted(state: MailState, row: Mail, outcome: JobOutcome, context: Context): readonly Effect[] {
  const about = { mail: row.mail_id, type: row.type, recipient: row.to, attempts: row.attempts }
  const result = outcome.ok ? (outcome.value as SendMailResult) : undefined
  if (result?.type === 'sent') {
    context.log.info(about, 'a mail was sent')
    return forget(state, context)
  }
  if (result?.type === 'written') {
    context.log.info(
      { ...about, subject: result.subject, file: result.file },
      'no mail server is set: a mail was written to a file',
    )
    return forget(state, context)
  }
  const refused = result?.type === 'refused'
  const error = (refused ? result.reason : outcome.ok ? 'no answer' : outcome.message).slice(0, errorCharacters)
  if (refused || context.steady() - (row.since ?? Date.parse(row.created_at)) > limits.mailRetriesMs) {
    context.log.error({ ...about, error }, 'a mail could not be delivered and is given up')
    const { content: _, ...rest } = row
    state.row = { ...rest, error }
    return [effect.put(mailsTable, state.row), wakeNoMore(mailAddress(context.id), sendReason)]
  }
  context.log.warn({ ...about, error }, 'a mail is tried again')
  state.row = { ...row, error }
  return [effect.put(mailsTable, state.row)]
}

function forget(state: MailState, context: Context): readonly Effect[] {
  state.row = undefined
  return [effect.remove(mailsTable, [context.id]), wakeNoMore(mailAddress(context.id), sendReason)]
}
