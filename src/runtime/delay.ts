// Waiting. By the global timer, which is simulated time in the simulation.

export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
