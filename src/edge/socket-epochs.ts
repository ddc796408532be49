// In which order the sockets of a charge point came, whichever front and machine took them: the newest wins. The wall clock says so, and
// where that is behind, what the store knows of the charge point's last socket; no clock that another machine does not share.

import { chargePointStatesTable } from '../records/charge-point-state.js'
import type { Clock } from '../runtime/clock.js'
import type { ReadView } from '../runtime/store/store.js'

/** Returns the epoch of a socket that a charge point opens now: higher than that of each before it that is stored, or came to this front. */
export function createSocketEpochs(clock: Pick<Clock, 'now'>, view: () => ReadView): (chargePointId: string) => number {
  // The row of the socket before may be on its way to the disk.
  let last = 0
  return (chargePointId) => {
    const stored = view().get(chargePointStatesTable, [chargePointId])?.connection_epoch ?? 0
    last = Math.max(clock.now(), Math.floor(stored) + 1, last + 1)
    return last
  }
}
