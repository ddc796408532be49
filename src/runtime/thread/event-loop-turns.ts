// Turns of a thread that has other things to do: of all long work that waits for a later turn of the event loop, one piece goes on in each.
// With an immediate for each, all of them would go on in the same turn, and what arrives meanwhile would wait for the sum.

const waiting: (() => void)[] = []

function goOn(): void {
  const next = waiting.shift()
  if (waiting.length > 0) setImmediate(goOn)
  next?.()
}

/** Resolves in a later turn of the event loop, in which no other piece of long work goes on. */
export function laterTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(goOn)
  })
}
