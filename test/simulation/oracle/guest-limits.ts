// A guest's charge costs no more than was set aside, as far as the service can see to it: before what has really flowed costs more, the
// service has decided to end the charge, and has its charge point stop it.

import type { Charge } from '../charge-point/charges.js'
import type { Line } from '../network.js'
import { costCents } from './costs.js'
import type { Row, RowChange } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface GuestLimitOracle {
  /** After a group of commits: how its sessions and guests have changed. */
  written(
    sessions: readonly RowChange[],
    guests: readonly RowChange[],
    chargeOf: (session: Row) => Charge | undefined,
  ): void
  opened(line: Line): void
  closed(line: Line): void
  /** The process that had all sockets is gone. */
  gone(): void
  /** A CALL that the edge gives out. */
  sent(action: string, payload: Row): void
  look(): void
}

interface Running {
  readonly charge: Charge
  readonly transactionId: unknown
  /** Since when the disk has the session, and since when it costs more than was set aside. */
  readonly since: number
  overSince: number | undefined
}

/** How long the service may take to find a charge that it was not told of, and to look at it again; troubles included. */
const foundWithinMs = 75_000
const seenWithinMs = 30_000
/** From the decision to the call, where the charge point is there to be called. */
const calledWithinMs = 90_000

/** `clockIsSet`: the clock by which the service looks again may have been set back. */
export function createGuestLimitOracle({ check }: Verdict, now: () => number, clockIsSet: boolean): GuestLimitOracle {
  const running = new Map<unknown, Running>()
  /** By the id of their session. */
  const guests = new Map<unknown, { readonly row: Row; readonly limitSince: number | undefined }>()
  const lines = new Map<string, Map<number, number>>()
  const stopped = new Set<unknown>()

  /** Since when one of its sockets has been there. */
  function connectedSince(chargePointId: string): number {
    return Math.min(...(lines.get(chargePointId)?.values() ?? []), Number.POSITIVE_INFINITY)
  }

  return {
    written(sessions, guestChanges, chargeOf) {
      for (const { after } of guestChanges) {
        if (after?.session_id === undefined) continue
        const since = guests.get(after.session_id)?.limitSince
        const limitSince = after.limit === undefined ? undefined : (since ?? now())
        guests.set(after.session_id, { row: after, limitSince })
      }
      for (const { after } of sessions) {
        if (after === undefined || !String(after.id_tag).startsWith('GST')) continue
        const charge = chargeOf(after)
        if (after.status !== 'active' || charge === undefined) running.delete(after.session_id)
        else if (!running.has(after.session_id))
          running.set(after.session_id, {
            charge,
            transactionId: after.transaction_id,
            since: now(),
            overSince: undefined,
          })
      }
    },
    opened({ chargePointId, id }) {
      const ofChargePoint = lines.get(chargePointId) ?? new Map<number, number>()
      lines.set(chargePointId, ofChargePoint.set(id, now()))
    },
    closed({ chargePointId, id }) {
      lines.get(chargePointId)?.delete(id)
    },
    gone: () => lines.clear(),
    sent(action, payload) {
      if (action === 'RemoteStopTransaction') stopped.add(payload.transactionId)
    },
    look() {
      if (clockIsSet) return
      for (const [id, one] of running) {
        const { charge, since } = one
        const guest = guests.get(id)
        const aside = (guest?.row.payment as { authorized_minor: number } | undefined)?.authorized_minor
        if (guest === undefined || aside === undefined || now() - since < foundWithinMs) continue
        if (costCents(charge.taken()) > aside) one.overSince ??= now()
        const late = one.overSince !== undefined && now() - one.overSince > seenWithinMs
        check(
          'guest-limit',
          !late || guest.limitSince !== undefined,
          () => `${id} runs on with ${charge.taken()} Wh for ${costCents(charge.taken())} cents of ${aside}`,
        )
        const decidedSince = Math.max(
          guest.limitSince ?? Number.POSITIVE_INFINITY,
          connectedSince(charge.chargePointId),
        )
        check(
          'guest-limit',
          now() - decidedSince < calledWithinMs || stopped.has(one.transactionId),
          () => `${id} is to be stopped, and ${charge.chargePointId} was not told for ${now() - decidedSince} ms`,
        )
      }
    },
  }
}
