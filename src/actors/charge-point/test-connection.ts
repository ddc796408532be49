// Whether a charge point answers a ping now: its socket's front sends it, and tells what came of it. Whoever asks while one is under way
// is told of that one.

import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import type { ConnectionTest, PingEndedMessage } from './messages.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

export function testConnection(state: State, context: Context): readonly Effect[] {
  const { replyTo } = context
  if (replyTo === undefined) return none
  const answer = (test: ConnectionTest): readonly Effect[] => [effect.reply(replyTo, test)]
  const { connection, testers } = state
  if (connection === undefined) return answer({ type: 'offline' })
  // It breaks when pinged (field note 23).
  if (state.registration?.ping_interval_seconds === 0) return answer({ type: 'not-pinged' })
  if (testers.length >= limits.connectionTesters) return answer({ type: 'busy' })
  testers.push(replyTo)
  return testers.length === 1 ? [effect.ping(connection)] : none
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

function answerTesters({ testers }: State, test: ConnectionTest): readonly Effect[] {
  return testers.length === 0 ? none : testers.splice(0).map((tester) => effect.reply(tester, test))
}
