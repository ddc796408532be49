// Libraries that are preloaded into the service to break the machine under it, built from shims/*.c where they are used.

import { execFileSync } from 'node:child_process'
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
