// What a diagnosis of a connection says.

import { type Static, Type } from 'typebox'
import { checks } from '../../../edge/refusal-reasons.js'
import type { ConnectionAttempt } from '../../../records/connection-attempt.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { possibleAttempt } from './attempt-words.js'
import { outcomes } from './ladder.js'
import { lostTogetherSchema, type Said } from './lost-together.js'
import { nearSchema } from './near-charge-points.js'
import { neighbourSchema } from './neighbours.js'
import { probableCauseSchema } from './probable-cause.js'
import { refusedWords } from './refused-words.js'

const lastAttempt = Type.Object({
  attempt_id: Type.String(),
  at: timestamp('Of several, when the last of them came.'),
  times: Type.Integer({ minimum: 1, description: 'How many there were like this one, one after the other.' }),
  charge_point_id: Type.String({ description: 'The id that was sent, shortened.' }),
  remote_address: nullable(Type.String()),
  reason: Type.String(),
  cause: Type.String(),
  advice: Type.String({ description: 'What the charge point was answered.' }),
  http_status: Type.Integer(),
})

export const connectionDiagnosis = named('ConnectionDiagnosis', {
  charge_point_id: Type.String(),
  registered: Type.Boolean(),
  online: Type.Boolean(),
  since: nullable(timestamp('Since when it is connected, or since when it is not, as far as that is known.')),
  stages: Type.Array(
    Type.Object({
      stage: Type.Enum([...checks]),
      outcome: Type.Enum([...outcomes], {
        description:
          '`not_asked`: it does not apply to this charge point, or was not looked at. `not_reached`: the charge point has not come that far.',
      }),
      at: nullable(timestamp()),
      detail: Type.String(),
    }),
    {
      description:
        'What is looked at when the charge point connects, in this order. Of what fails before a connection is made, nothing can be known: a failed TLS handshake is never seen.',
    },
  ),
  cause: Type.String({ description: 'What is wrong, in plain words.' }),
  advice: Type.String({ description: 'What to do about it, in plain words.' }),
  steps: Type.Array(Type.String(), {
    description:
      'The same, one thing after the other: each only helps once those before it are good. `advice` is all of them.',
  }),
  explanation: Type.String({ description: 'The whole in a few sentences.' }),
  ocpp_endpoint: Type.String({
    description:
      'The address that has to be set in the charge point; of one whose address lacks its id, what that is put behind.',
  }),
  refused_since: nullable(timestamp('The first refusal since it was connected last, of the last 24 hours.')),
  attempts_24h: Type.Array(
    Type.Object({ at: timestamp('When the hour begins.'), count: Type.Integer({ minimum: 0 }) }),
    { description: 'Refused attempts by the hour.' },
  ),
  last: Type.Array(lastAttempt, { description: 'The newest refused attempts, the newest first.' }),
  similar: Type.Array(possibleAttempt, {
    description:
      'Refused attempts under other ids that are likely to be of this charge point: since it was connected last, and not while its own are refused. One line for each id.',
  }),
  differs_from: Type.Array(nearSchema, {
    description:
      'Of an id that nobody has registered: your charge points with nearly that id, or with it as their serial number, which are not connected. One of them may be what tries to connect.',
  }),
  lost_together: lostTogetherSchema,
  probable_cause: probableCauseSchema,
  neighbours: Type.Array(neighbourSchema),
})

export type Diagnosis = Static<typeof connectionDiagnosis>

export function said({ cause, steps }: Said): Pick<Diagnosis, 'cause' | 'advice' | 'steps'> {
  return { cause, advice: steps.join(' '), steps: [...steps] }
}

export function lastView(
  attempt: ConnectionAttempt,
  endpoint: string,
  isAddressKnown: boolean,
): Diagnosis['last'][number] {
  const { attempt_id, charge_point_id, remote_address, reason, advice, http_status, attempted_at, times = 1 } = attempt
  return {
    attempt_id,
    at: attempted_at,
    times,
    charge_point_id,
    remote_address: isAddressKnown ? remote_address : null,
    reason,
    cause: refusedWords(reason, endpoint, false).cause,
    advice,
    http_status,
  }
}
