// Waits for something that the service does in its own time: asks again and again, for a bounded time.

/** Longer and longer: whoever waits for long would otherwise take the processor from what is waited for. */
const [shortestPauseMs, longestPauseMs] = [25, 150]
/** For a service on cores that other tests use as well: only what never comes about takes as long. */
export const patienceMs = 60_000

/** Resolves with the first answer that is neither undefined nor false; rejects when there is none within `withinMs`. */
export async function until<Found>(
  look: () => Promise<Found | undefined | false> | Found | undefined | false,
  withinMs = patienceMs,
): Promise<Found> {
  const deadline = Date.now() + withinMs
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.1)) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`it did not come about within ${withinMs} ms: ${look.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
