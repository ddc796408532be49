// Asks roaming partners whether a driver may charge; roaming-answered.ts goes on with what they say. The request waits in the question itself, and not in
// memory. One whose shard ends meanwhile comes again, as it was not answered.

import { type OcpiAuthorization, ocpiAuthorizeJob } from '../../ocpi/authorization-call.js'
import { limits as ocpiLimits } from '../../ocpi/limits.js'
import { effect } from '../../runtime/actor/actor.js'
import type { LaterAnswer } from './request-handler.js'
import type { RoamingAnsweredMessage, RoamingQuestion, WaitingRequest } from './roaming-messages.js'
import type { State } from './state.js'

export function askPartners(
  state: State,
  waiting: WaitingRequest,
  receivedAt: number,
  question: RoamingQuestion,
): LaterAnswer {
  return {
    later(to) {
      state.asking++
      const organizationId = state.row.organization_id
      const { calls } = question
      const input: OcpiAuthorization = { calls, withinMs: ocpiLimits.ocpiAuthorizationMs }
      return [
        effect.job(ocpiAuthorizeJob, input, (outcome): RoamingAnsweredMessage => {
          return { type: 'roaming-answered', organizationId, waiting, to, receivedAt, question, outcome }
        }),
      ]
    },
  }
}
