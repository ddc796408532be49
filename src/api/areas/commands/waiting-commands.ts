// The commands that wait for an answer: they are in the history once they have ended.

import { Type } from 'typebox'
import {
  commandRouterAddress,
  type ListWaitingMessage,
  type WaitingCommands,
} from '../../../actors/command-router/messages.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { chargePointId } from '../../pipeline/schemas.js'
import { area } from './area.js'
import { waitingCommandSchema, waitingCommandView } from './command-views.js'
import { limits } from './limits.js'

/** Nobody waits for long to hear what waits. */
const waitingWithinMs = 2_000

const getWaitingCommands = area.route({
  method: 'GET',
  path: '/history/waiting',
  operationId: 'getWaitingCommands',
  summary: 'Get the commands that wait for an answer, the newest first',
  description: `Returns the newest ${limits.shownWaiting} of them. A command is in the history once the charge point has answered, or its time is over.`,
  query: Type.Object({ charge_point_id: Type.Optional(chargePointId()) }),
  responses: {
    200: Type.Object({
      commands: Type.Array(waitingCommandSchema),
      count: Type.Integer({ minimum: 0, description: 'How many wait, also those that are not returned.' }),
    }),
  },
  sheddable: 'list',
  async handle({ principal, query: { charge_point_id } }, services) {
    const message: ListWaitingMessage = {
      type: 'list-waiting',
      limit: limits.shownWaiting,
      ...(charge_point_id !== undefined && { chargePointId: charge_point_id }),
    }
    const to = commandRouterAddress(principal.organization.organization_id)
    const read = await services.longReads.of(principal.organization.organization_id)()
    try {
      const { commands, count } = (await askActor(services, to, message, {
        withinMs: waitingWithinMs,
      })) as WaitingCommands
      const view = services.view()
      return { status: 200, body: { commands: commands.map((one) => waitingCommandView(one, view)), count } }
    } finally {
      read.end()
    }
  },
})

export const waitingCommandRoutes = [getWaitingCommands]
