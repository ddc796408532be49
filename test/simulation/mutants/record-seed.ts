// Writes the seed that has caught a planted bug beside its declaration, in the sources.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './mutant.js'

const declarations = fileURLToPath(new URL('../../../../test/simulation/mutants/planted/', import.meta.url))

export function recordSeed({ name }: Pick<Mutant, 'name'>, seed: number): void {
  for (const file of readdirSync(declarations)) {
    const text = readFileSync(declarations + file, 'utf8')
    const at = text.indexOf(`name: '${name}'`)
    if (at < 0) continue
    const declared = text.slice(at).replace(/seed: \d+/, `seed: ${seed}`)
    writeFileSync(declarations + file, text.slice(0, at) + declared)
  }
}
