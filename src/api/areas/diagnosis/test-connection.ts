// Whether a charge point answers now, and how fast; of every surface. A charge point that does not answer pings, or must not be pinged, is no
// less connected, so each case has its own answer.

import { Type } from 'typebox'
import { type ConnectionTest, chargePointAddress } from '../../../actors/charge-point/messages.js'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { type Asked, diagnose, diagnosisFields } from './connection-status.js'

const results = ['answered', 'heard', 'not_answering_pings', 'silent', 'not_pinged', 'offline'] as const
type Result = (typeof results)[number]

export const connectionTest = named('ConnectionTest', {
  charge_point_id: Type.String(),
  reachable: Type.Boolean({ description: 'Whether it is certain that the charge point can be reached now.' }),
  latency_ms: nullable(Type.Integer({ minimum: 0, description: 'From the ping to its pong; null without a pong.' })),
  ocpp_version: nullable(Type.String({ description: 'null if the charge point is not connected.' })),
  tested_at: timestamp(),
  result: Type.Enum([...results], {
    description:
      '`answered`: it answered the ping. `heard`: it answered no ping within 5 seconds, but sent a message. `not_answering_pings`: it sent ' +
      'nothing, and has answered no ping on this connection; some charge points never do. `silent`: it has answered pings before, and now sends nothing. ' +
      '`not_pinged`: its `ping_interval_seconds` is 0, so that it was not pinged. `offline`: it is not connected.',
  }),
  ...diagnosisFields,
})

/** What is said behind how it is connected. */
const explanations: Readonly<Record<Exclude<Result, 'offline'>, string>> = {
  answered: 'It answered a ping.',
  heard: 'It did not answer a ping, but has sent a message since.',
  not_answering_pings:
    'It has answered no ping and sent nothing within 5 seconds. Some charge points never answer pings: send it a command to see whether it answers.',
  silent:
    'It has answered pings before, but not this one, and has sent nothing within 5 seconds. Its link or its power may be gone; the service closes the connection if it stays silent.',
  not_pinged: 'It is set not to be pinged: send it a command to see whether it answers.',
}

export async function testConnectionOf(asked: Asked, services: Services) {
  const { charge_point_id } = asked.chargePoint
  const message = { type: 'test-connection' }
  const then = 'test the connection again'
  const test = (await askActor(services, chargePointAddress(charge_point_id), message, { then })) as ConnectionTest
  if (test.type === 'busy') throw rateLimited('the connection of this charge point is being tested already; try again')
  const result = resultOf(test)
  const { explanation, last_close, attempts } = await diagnose(asked, result !== 'offline', services)
  return {
    charge_point_id,
    reachable: result === 'answered' || result === 'heard',
    latency_ms: test.type === 'pinged' && test.latencyMs !== null ? Math.round(test.latencyMs) : null,
    ocpp_version: result === 'offline' ? null : '1.6',
    tested_at: formatTimestamp(services.clock.now()),
    result,
    explanation: result === 'offline' ? explanation : `${explanation} ${explanations[result]}`,
    last_close,
    attempts,
  }
}

function resultOf(test: Exclude<ConnectionTest, { readonly type: 'busy' }>): Result {
  if (test.type === 'offline') return 'offline'
  if (test.type === 'not-pinged') return 'not_pinged'
  if (test.latencyMs !== null) return 'answered'
  if (test.wasHeard) return 'heard'
  return test.answersPings ? 'silent' : 'not_answering_pings'
}
