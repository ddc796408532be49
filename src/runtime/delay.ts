// Waiting, and waiting no longer. By the global timer, which is simulated time in the simulation.

export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** What `answered` resolves with, or undefined when it has not within the time. It leaves no timer behind. */
export function within<Value>(answered: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds)
    void answered.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
