// The simulation's table of planted bugs, made of their declarations.

import type { Mutant } from '../test/simulation/mutants/mutant.js'
import { mutants } from '../test/simulation/mutants/mutants.js'
import { worlds } from '../test/simulation/mutants/worlds.js'

export function plantedBugsTable(): string {
  const rows = mutants.map(
    (mutant) => `| ${mutant.bug} (\`${mutant.name}\`) | ${mutant.caughtBy} | ${mutant.seed}${worldOf(mutant)} |`,
  )
  return ['| Planted bug | Caught by | Seed |', '|---|---|---|', ...rows].join('\n')
}

function worldOf({ world }: Mutant): string {
  const [name] = Object.entries(worlds).find(([, one]) => one === world) ?? []
  return name === undefined ? '' : `, \`${name}\``
}
