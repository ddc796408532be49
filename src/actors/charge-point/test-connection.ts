// Whether a charge point answers a ping now: its socket's front sends it, and tells what came of it. Whoever asks while one is under way
// is told of that one.

import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import type {
  ConnectionTest,
  ConnectionTestedMessage,
  PingEndedMessage,
  TestConnectionMessage,
  TestNotice,
} from './messages.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

export function testConnection(state: State, { notify }: TestConnectionMessage, context: Context): readonly Effect[] {
  const { replyTo } = context
  const answer = (test: ConnectionTest): readonly Effect[] => {
    if (notify !== undefined) return [tell(notify, test)]
    return replyTo === undefined ? none : [effect.reply(replyTo, test)]
  }
  const { connection, testers, testNotices } = state
  if (connection === undefined) return answer({ type: 'offline' })
  // It breaks when pinged (field note 23).
  if (state.registration?.ping_interval_seconds === 0) return answer({ type: 'not-pinged' })
  const waiting = testers.length + testNotices.length
  if (waiting >= limits.connectionTesters) return answer({ type: 'busy' })
  if (notify !== undefined) testNotices.push(notify)
  else if (replyTo !== undefined) testers.push(replyTo)
  else return none
  return waiting === 0 ? [effect.ping(connection)] : none
}

function tell({ to, id }: TestNotice, test: ConnectionTest): Effect {
  const message: ConnectionTestedMessage = { type: 'connection-tested', id, test }
  return effect.answer(to, message)
}

export function pingEnded(state: State, message: PingEndedMessage): readonly Effect[] {
  if (message.connection !== state.connection) return none
  const { latencyMs, answersPings, wasHeard } = message
  return answerTesters(state, { type: 'pinged', latencyMs, answersPings, wasHeard })
}

/** The socket is gone, and with it the ping. */
export function endTests(state: State): readonly Effect[] {
  return answerTesters(state, { type: 'offline' })
}

function answerTesters({ testers, testNotices }: State, test: ConnectionTest): readonly Effect[] {
  return [
    ...testers.splice(0).map((tester) => effect.reply(tester, test)),
    ...testNotices.splice(0).map((notice) => tell(notice, test)),
  ]
}
