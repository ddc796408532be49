// Turns of a thread that has other things to do: of all long work that waits for a later turn of the event loop, one piece goes on in each.
// With an immediate for each, all of them would go on in the same turn, and what arrives meanwhile would wait for the sum. Owners take the
// turns in rounds: whoever has much work under way has one turn in a round, like everybody else.

import { createFairLines } from './fair-lines.js'

/** As many as are under way, which is bounded where they begin. */
const lines = createFairLines<() => void>({
  waitingPerOwner: Number.POSITIVE_INFINITY,
  waiting: Number.POSITIVE_INFINITY,
})

function goOn(): void {
  const next = lines.take()
  if (lines.waiting > 0) setImmediate(goOn)
  next?.work()
}

/** Resolves in a later turn of the event loop, in which no other piece of long work goes on. */
export function laterTurn(owner: string): Promise<void> {
  return new Promise((resolve) => {
    lines.add(owner, resolve)
    if (lines.waiting === 1) setImmediate(goOn)
  })
}
