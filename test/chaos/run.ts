// npm run chaos: every fault in its full size, or one of them; prints the seed, the commit, the machine and a table.

import { Command } from 'commander'
import { commit, machine } from '../../bench/machine.js'
import { runScenario, type ScenarioResult, type SizeName } from './scenario.js'
import { scenarios } from './scenarios.js'

interface Flags {
  readonly only?: readonly string[]
  readonly seed: number
  readonly rounds?: number
  readonly parts?: readonly string[]
  readonly small: boolean
  readonly markdown: boolean
}

const command = new Command('chaos')
  .description('Runs the built service and breaks it; exits with 1 when a promise does not hold.')
  .argument('[name...]', `of ${scenarios.map(({ name }) => name).join(', ')}; all without it`)
  .option('--only <name...>', 'the same')
  .option('--parts <name...>', 'of a scenario of several parts, such as the attacks of hostile, those of these names')
  .option(
    '--seed <number>',
    'repeats the random choices of an earlier run',
    Number,
    Math.floor(Math.random() * 2 ** 31),
  )
  .option('--rounds <number>', 'how often the fault happens, in place of the size of the scenario', Number)
  .option('--markdown', 'tables of scenarios that have one are printed as Markdown, for a document', false)
  .option('--small', 'the size that continuous integration runs', false)
  .parse()
const flags = command.opts<Flags>()
const named = [...command.args, ...(flags.only ?? [])]
const unknown = named.filter((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknown.length > 0) command.error(`there is no scenario ${unknown.join(', ')}`)
if (!Number.isInteger(flags.seed)) command.error('--seed takes a whole number')
if (flags.rounds !== undefined && !(flags.rounds >= 1)) command.error('--rounds takes a number of at least 1')

const size: SizeName = flags.small ? 'small' : 'full'
const { cpu, cores, memoryGiB, system, node } = machine()
console.log(`seed     ${flags.seed}`)
console.log(`commit   ${commit()}`)
console.log(`machine  ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}`)
console.log(`size     ${size}\n`)

const terminal = process.stdout.isTTY === true
const results: ScenarioResult[] = []
for (const scenario of scenarios) {
  if (named.length > 0 && !named.includes(scenario.name)) continue
  console.log(`${scenario.name}: ${scenario.promise}`)
  const result = await runScenario(scenario, {
    size,
    seed: flags.seed,
    rounds: flags.rounds,
    parts: flags.parts,
    markdown: flags.markdown,
    note: (text) => console.log(`${terminal ? '\r\x1b[K' : ''}${flags.markdown ? '' : '  '}${text}`),
    ...(terminal && { progress: (text: string) => process.stdout.write(`\r\x1b[K  ${text}`) }),
  })
  if (terminal) process.stdout.write('\r\x1b[K')
  print(result)
  results.push(result)
}
const broken = results.filter(({ violations }) => violations.length > 0)
if (broken.length > 0) {
  const names = broken.map(({ name }) => name).join(' ')
  console.log(`broken: ${names}\nagain with: npm run chaos -- ${names} --seed ${flags.seed}`)
}
process.exit(broken.length === 0 ? 0 : 1)

function print({ figures, violations, seconds, directory }: ScenarioResult): void {
  const rows = [...Object.entries(figures), ['seconds', Math.round(seconds)] as const]
  const width = Math.max(...rows.map(([name]) => name.length))
  for (const [name, value] of rows) console.log(`  ${name.padEnd(width)}  ${value}`)
  for (const violation of violations) console.log(`  VIOLATION ${violation}`)
  if (directory !== undefined) console.log(`  kept: ${directory}`)
  console.log()
}
