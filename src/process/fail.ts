// How a thread fails that is told to, to show that it may.

import type { Fault } from './threads.js'

/** Only called in a process that was started to be broken. */
export function fail(fault: Fault): void {
  if (process.env.AMPSHARD_FAULTS !== 'true') return
  setImmediate(() => {
    if (fault === 'throw') throw new Error('a fault that was asked for')
    if (fault === 'spin') for (;;);
    // Hangs as well, and leaves the processor to others.
    if (fault === 'block') return void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    const held: unknown[] = []
    for (;;) held.push(new Array(1_000_000).fill(held.length))
  })
}
