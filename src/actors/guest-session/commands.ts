// The commands of a guest session, by way of the command router: they are in the history like those of an operator.

import type { OcppCall } from '../../ocpp16/index.js'
import type { GuestSession } from '../../records/guest-session.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { commandRouterAddress, type ExecuteMessage } from '../messages/command.js'
import { guestSessionAddress } from './messages.js'

export interface RunningCommand {
  readonly id: string
  readonly purpose: 'start' | 'stop'
}

const timeoutMs = 10_000
/** The router may have died with the command: after this nothing is heard of it any more. */
const routerAnswersMs = 15_000

export function beginCommand(
  state: { command: RunningCommand | undefined },
  row: GuestSession,
  purpose: RunningCommand['purpose'],
  call: OcppCall,
  context: Context,
): readonly Effect[] {
  const commandId = context.newId('cmd')
  state.command = { id: commandId, purpose }
  const message: ExecuteMessage = {
    type: 'execute',
    commandId,
    chargePointId: row.charge_point_id,
    command: call.action,
    parameters: call.payload,
    call,
    executedBy: row.created_by,
    timeoutMs,
    notify: guestSessionAddress(context.id),
  }
  return [
    effect.send(commandRouterAddress(row.organization_id), message),
    effect.schedule('command', context.monotonic() + routerAnswersMs, { type: 'command-late', commandId }),
  ]
}
