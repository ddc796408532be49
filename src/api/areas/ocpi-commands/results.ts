// What became of a command, in the words of OCPI (2.2.1, 13.4): from the answer of a charge point, or from why there is none.

import type { CallOutcome } from '../../../actors/messages/command.js'
import type { CommandResponseType, CommandResultType } from '../../../ocpi/schemas/command.js'

export interface Ended {
  readonly result: CommandResultType
  readonly message: string
}

/** What is answered at once. */
export interface Response {
  readonly result: CommandResponseType
  /** For people; none where the command was accepted. */
  readonly message?: string
}

type Statuses = Readonly<Record<string, Ended>>

const refused: Ended = { result: 'REJECTED', message: 'The charge point refused.' }

export const startStatuses: Statuses = {
  Accepted: { result: 'ACCEPTED', message: 'The charge point starts the session when the driver has plugged in.' },
  Rejected: refused,
}

export const stopStatuses: Statuses = {
  Accepted: { result: 'ACCEPTED', message: 'The charge point ends the session.' },
  Rejected: refused,
}

export const reserveStatuses: Statuses = {
  Accepted: { result: 'ACCEPTED', message: 'The connector is reserved.' },
  Occupied: { result: 'EVSE_OCCUPIED', message: 'The connector is in use.' },
  Faulted: { result: 'EVSE_INOPERATIVE', message: 'The connector is faulted.' },
  Unavailable: { result: 'EVSE_INOPERATIVE', message: 'The connector is not available.' },
  Rejected: refused,
}

export const unlockStatuses: Statuses = {
  Unlocked: { result: 'ACCEPTED', message: 'The connector is unlocked.' },
  UnlockFailed: { result: 'FAILED', message: 'The connector could not be unlocked.' },
  NotSupported: { result: 'NOT_SUPPORTED', message: 'The charge point cannot unlock the connector.' },
}

/** `statuses`: those of the answer to the call. */
export function resultOf(outcome: CallOutcome, statuses: Statuses): Ended {
  switch (outcome.type) {
    case 'answered': {
      const { status } = (outcome.payload ?? {}) as { readonly status?: unknown }
      const known = typeof status === 'string' && Object.hasOwn(statuses, status) ? statuses[status] : undefined
      return known ?? { result: 'FAILED', message: 'The answer of the charge point was not understood.' }
    }
    case 'call-error':
      return outcome.code === 'NotSupported' || outcome.code === 'NotImplemented'
        ? { result: 'NOT_SUPPORTED', message: 'The charge point does not support the command.' }
        : { result: 'FAILED', message: `The charge point answered with the error ${outcome.code}.` }
    case 'timeout':
      return { result: 'TIMEOUT', message: 'The charge point did not answer in time.' }
    case 'offline':
    case 'connection-lost':
      return { result: 'TIMEOUT', message: 'The charge point is not connected.' }
    case 'not-accepted':
      return { result: 'EVSE_INOPERATIVE', message: 'The charge point is not in operation yet.' }
    case 'queue-full':
      return { result: 'FAILED', message: 'Too many commands wait for the charge point.' }
    case 'not-sent':
    case 'managed-by-site':
      return { result: 'FAILED', message: 'The command could not be sent.' }
  }
}
