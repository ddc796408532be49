// Libraries that are preloaded into the service to break the machine under it, built from shims/*.c where they are used.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('../../../test/chaos/shims/', import.meta.url))

/** The environment that preloads the library of `shims/<name>.c`, built into `directory`. Needs Linux and a C compiler. */
export function preload(name: 'disk' | 'clock', directory: string): Readonly<Record<string, string>> {
  const library = join(directory, `${name}.so`)
  execFileSync('cc', [
    '-O2',
    '-Wall',
    '-shared',
    '-fPIC',
    '-o',
    library,
    join(sources, `${name}.c`),
    '-ldl',
    '-lpthread',
  ])
  return { LD_PRELOAD: library }
}

export interface SettableClock {
  /** Of every service that is to go by it. */
  readonly environment: Readonly<Record<string, string>>
  /** What a service reads that goes by it, ms. */
  now(): number
  /** Sets it to so many ms ahead of the machine's; negative for behind. */
  set(offsetMs: number): void
}

/** A wall clock for services under test, right until it is set. Monotonic time stays as it is. */
export function settableClock(directory: string): SettableClock {
  const file = join(directory, 'clock')
  let offsetMs = 0
  writeFileSync(file, Buffer.alloc(8))
  return {
    environment: { ...preload('clock', directory), CHAOS_CLOCK: file },
    now: () => Date.now() + offsetMs,
    set(toMs) {
      offsetMs = toMs
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(BigInt(toMs) * 1_000_000n)
      // In place: services have the file mapped.
      writeFileSync(file, bytes, { flag: 'r+' })
    },
  }
}
