// Runs a file of the built program (tools/bundle.ts). Beside it may be what V8 had compiled of it when a service had started with it
// (tools/keep-compiled.ts), for the same release of Node.js on the same kind of machine: a start that has it need not compile it again. It
// imports nothing of ours, and is not put into the files that it runs.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import vm from 'node:vm'

/** What the function takes that each file is. */
export const bundleParameters = ['exports', 'require', 'module', '__dirname', 'importMeta'] as const

interface Exporting {
  exports: Readonly<Record<string, unknown>>
}

type Bundle = (
  exports: Exporting['exports'],
  require: NodeJS.Require,
  module: Exporting,
  directory: string,
  importMeta: object,
) => void

/** Where what was compiled of a file is kept. It begins with the line in which that file ends, its hash. */
export function keptFileOf(file: string): string {
  return `${file}.${process.version}-${process.platform}-${process.arch}.cache`
}

/** `// `, a hash in hex, and the end of the line. */
const lastLineLength = 68

export const lastLineOf = (text: string): string => text.slice(-lastLineLength)

/** Undefined where there is none, or none of this very text: V8 itself would only compare its length. */
export function keptOf(file: string, text: string): Buffer | undefined {
  try {
    const kept = readFileSync(keptFileOf(file))
    return kept.toString('latin1', 0, lastLineLength) === lastLineOf(text) ? kept.subarray(lastLineLength) : undefined
  } catch {
    return undefined
  }
}

/** Returns what it exports, by name. */
export function loadBundle(url: URL): Readonly<Record<string, unknown>> {
  const file = fileURLToPath(url)
  const text = readFileSync(file, 'latin1')
  const cachedData = keptOf(file, text)
  // Stacks name it as they name modules.
  const script = new vm.Script(text, { filename: url.href, ...(cachedData !== undefined && { cachedData }) })
  const require = createRequire(url)
  const module: Exporting = { exports: {} }
  const bundle = script.runInThisContext() as Bundle
  const resolve = (name: string): string => pathToFileURL(require.resolve(name)).href
  bundle(module.exports, require, module, dirname(file), { url: url.href, resolve })
  return module.exports
}
