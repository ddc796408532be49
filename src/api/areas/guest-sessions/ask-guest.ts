// What routes ask the actor of a guest session, and what they throw where its charge point has not accepted a command.

import type { CommandReply } from '../../../actors/command-router/messages.js'
import {
  type GuestReply,
  type GuestSessionMessage,
  guestSessionAddress,
} from '../../../actors/guest-session/messages.js'
import { errorKind, overloaded } from '../../../runtime/errors.js'
import { Interrupted } from '../../../runtime/link/asks.js'
import { askActor } from '../../pipeline/ask-actor.js'
import type { Services } from '../../pipeline/services.js'
import { requireAccepted } from '../commands/run-command.js'

export interface AskGuest {
  readonly guestSessionId: string
  readonly message: GuestSessionMessage
  readonly withinMs: number
  /** What becomes of a request that is interrupted. */
  readonly then: string
}

export async function askGuest(
  { guestSessionId, message, withinMs, then }: AskGuest,
  services: Services,
): Promise<GuestReply> {
  return (await askActor(services, guestSessionAddress(guestSessionId), message, { withinMs, then })) as GuestReply
}

/** Throws what became of a command that the charge point has not accepted. */
export function throwUnaccepted(reply: CommandReply | undefined, chargePointId: string): never {
  if (reply?.type === 'recorded') requireAccepted(reply)
  if (reply?.type === 'refused') throw errorKind(reply.code)(reply.message, { chargePointId, retryAfterSeconds: 1 })
  throw overloaded('the command was interrupted; whether it was carried out is not known', {
    chargePointId,
    cause: new Interrupted(),
  })
}
