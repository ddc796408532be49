// One planted bug, in a process of its own: runs seed after seed until the invariant that it breaks fails in one of them, and
// prints which as JSON.

import { register } from 'node:module'
import { worldOf } from './mutant.js'
import { mutants } from './mutants.js'

const [name, first, count] = process.argv.slice(2)
const mutant = mutants.find((one) => one.name === name)
if (mutant === undefined) throw new Error(`there is no mutant ${name}`)
register('./hooks.js', import.meta.url, { data: mutant })

const { runWorld } = await import('../world.js')
let caught: number | undefined
const end = Number(first) + Number(count)
for (let seed = Number(first); seed < end && caught === undefined; seed++) {
  const { violations } = await runWorld(worldOf(mutant, seed))
  if (violations.some(({ invariant }) => invariant === mutant.caughtBy)) caught = seed
}
console.log(JSON.stringify({ seed: caught }))
