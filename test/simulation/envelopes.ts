// Envelopes and replies get lost, come twice, or come late. The links between threads do none of that; those between nodes
// do, and the actors must not depend on the difference. Socket items are acknowledged by their link, and stay as they are.

import type { Envelope, Reply } from '../../src/runtime/actor/transport.js'
import type { ThreadBatch } from '../../src/runtime/link/wire.js'
import type { Faults } from './faults.js'

const latestMs = 3_000

/** Tells what of a batch arrives now; what comes later is given to `again` when its time has come. */
export function unreliable(faults: Faults) {
  return (batch: ThreadBatch, again: (later: ThreadBatch, delayMs: number) => void): ThreadBatch => {
    const { envelopes, replies, ...rest } = batch
    if (envelopes === undefined && replies === undefined) return batch
    const late = (part: ThreadBatch) => again(part, faults.random() * latestMs)
    const kept = <Item>(items: readonly Item[], later: (item: Item) => void): Item[] =>
      items.filter((item) => {
        if (faults.happens('envelopeLost')) return false
        if (faults.happens('envelopeRepeated')) later(item)
        if (!faults.happens('envelopeReordered')) return true
        later(item)
        return false
      })
    return {
      ...rest,
      ...(envelopes !== undefined && { envelopes: kept(envelopes, (one: Envelope) => late({ envelopes: [one] })) }),
      ...(replies !== undefined && { replies: kept(replies, (one: Reply) => late({ replies: [one] })) }),
    }
  }
}
