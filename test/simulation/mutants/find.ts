// One planted bug, in a process of its own: runs seed after seed until one of them catches it, and prints which as JSON.

import { register } from 'node:module'
import type { WorldResult } from '../world.js'
import { mutants } from './mutants.js'

const [name, count] = process.argv.slice(2)
const mutant = mutants.find((one) => one.name === name)
if (mutant === undefined) throw new Error(`there is no mutant ${name}`)
register('./hooks.js', import.meta.url, { data: mutant })

const { runWorld } = await import('../world.js')
let caught: WorldResult | undefined
for (let seed = 1; seed <= Number(count) && caught === undefined; seed++) {
  const result = await runWorld({ seed, chargePoints: 200, minutes: 10 })
  if (result.violations.length > 0) caught = result
}
console.log(JSON.stringify({ seed: caught?.seed, violation: caught?.violations[0] }))
