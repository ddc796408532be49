// Work over all charge points of a fleet, which stops after every few of them, so that whoever carries it out can give others a turn.

export type Steps<Value> = Generator<undefined, Value>

/** How many charge points may be passed over in between. */
export const rowsPerTurn = 500

/** For what is known to be little. */
export function atOnce<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
