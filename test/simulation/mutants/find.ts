// One planted bug, in a process of its own: runs seed after seed until the invariant that it breaks fails in one of them, and
// prints which as JSON.

import { pathToFileURL } from 'node:url'
import { worldOf } from './mutant.js'
import { mutants } from './mutants.js'

const [name, planted = '', first, count] = process.argv.slice(2)
const mutant = mutants.find((one) => one.name === name)
if (mutant === undefined) throw new Error(`there is no mutant ${name}`)

const { runWorld } = (await import(pathToFileURL(planted).href)) as typeof import('../world.js')
let caught: number | undefined
const end = Number(first) + Number(count)
for (let seed = Number(first); seed < end && caught === undefined; seed++) {
  const { violations } = await runWorld(worldOf(mutant, seed))
  if (violations.some(({ invariant }) => invariant === mutant.caughtBy)) caught = seed
}
console.log(JSON.stringify({ seed: caught }))
