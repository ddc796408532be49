// A thread for tests of lanes: its jobs end at once, take their time, or never let go of the thread.

import { setTimeout as sleep } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'

export interface TestJob {
  readonly hangs?: boolean
  readonly waitsMs?: number
}

export function answers(): void {}

/** Returns the thread. */
export async function run({ hangs = false, waitsMs = 0 }: TestJob): Promise<number> {
  while (hangs);
  if (waitsMs > 0) await sleep(waitsMs)
  return threadId
}
