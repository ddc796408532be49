// Waits for what the service does in its own time, by asking again until it is so.

const attempts = 400

/** Resolves with the first value of `look` for which `holds`; throws when it does not come. */
export async function eventually<Value>(
  look: () => Promise<Value> | Value,
  holds: (value: Value) => boolean,
): Promise<Value> {
  let last: Value | undefined
  for (let at = 0; at < attempts; at++) {
    last = await look()
    if (holds(last)) return last
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`it never came to hold; the last value was ${JSON.stringify(last)}`)
}
