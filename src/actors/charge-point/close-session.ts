// An operator ends a session that nobody else will: by estimate, at the last register that was metered. The charge point is not asked, and
// may be away, or registered no more. Its StopTransaction corrects the session, should it come.

import { sessionsTable } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { CloseSessionMessage, CloseSessionReply } from './messages.js'
import { closeByEstimate } from './sessions.js'
import type { State } from './state.js'

export function closeSession(state: State, message: CloseSessionMessage, context: Context): readonly Effect[] {
  const answer = (reply: CloseSessionReply): readonly Effect[] =>
    context.replyTo === undefined ? [] : [effect.reply(context.replyTo, reply)]
  // As the store has it: a session of whoever had the id before is not among those that this charge point has open.
  const session = context.read().get(sessionsTable, [message.sessionId])
  if (session === undefined || session.charge_point_id !== context.id) return answer({ type: 'unknown' })
  if (session.status !== 'active') return answer({ type: 'ended', status: session.status })
  const closed = closeByEstimate(state, session, { reason: message.reason, flag: 'closed_by_operator' }, context)
  return [...closed.effects, ...answer({ type: 'closed', session: closed.session })]
}
