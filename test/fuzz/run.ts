// npm run fuzz: the whole fuzzer, or one target of it, for as long or as much as is wanted.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { commit, machine } from '../../bench/machine.js'
import { type FuzzTarget, fuzzTargets as targets } from './findings.js'
import { replay } from './replay.js'
import { fuzz } from './session.js'

interface Flags {
  readonly frames: number
  readonly upgrades: number
  readonly requests: number
  readonly floods: number
  readonly seed: number
  readonly target?: readonly FuzzTarget[]
  readonly minutes: number
  readonly small: boolean
  readonly corpus?: string
  readonly replay?: string
}

const seedFor = Math.floor(Math.random() * 2 ** 20)
const command = new Command('fuzz')
  .description('Feeds the built service with input of all kinds; exits with 1 when a promise does not hold.')
  .option('--frames <number>', 'frames on open sockets', Number, 1_000_000)
  .option('--upgrades <number>', 'upgrade requests and other raw bytes', Number, 20_000)
  .option('--requests <number>', 'requests to the API', Number, 100_000)
  .option('--floods <number>', 'bursts of what has no end, and connections that are left half-way', Number, 2_000)
  .option('--seed <number>', 'repeats the inputs of an earlier run', Number, seedFor)
  .option('--target <name...>', `of ${targets.join(', ')}`)
  .option('--minutes <number>', 'the longest that one target may take', Number, 60)
  .option('--small', 'the size that continuous integration runs', false)
  .option('--corpus <directory>', 'where inputs that found something are kept')
  .option('--replay <file>', 'sends a kept input to a new service, and says what it does')
  .parse()
const flags = command.opts<Flags>()
for (const name of [...targets, 'seed', 'minutes'] as const)
  if (!(flags[name] >= 0)) command.error(`--${name} takes a number`)
const unknown = (flags.target ?? []).filter((name) => !targets.includes(name))
if (unknown.length > 0) command.error(`there is no target ${unknown.join(', ')}`)

const teardowns: (() => Promise<void>)[] = []
const ending = { teardown: (handler: () => Promise<void>) => void teardowns.push(handler) }

async function end(code: number): Promise<never> {
  for (const handler of teardowns.reverse()) await handler()
  process.exit(code)
}

process.on('uncaughtException', (error) => {
  console.error(error)
  void end(1)
})
process.on('SIGTERM', () => void end(1))
process.on('SIGINT', () => void end(1))

if (flags.replay !== undefined) {
  const faults = await replay(ending, flags.replay)
  for (const fault of faults) console.log(`FOUND ${fault}`)
  if (faults.length === 0) console.log('nothing is wrong with it')
  await end(faults.length === 0 ? 0 : 1)
}

const { cpu, cores, memoryGiB, system, node } = machine()
console.log(`seed     ${flags.seed}`)
console.log(`commit   ${commit()}`)
console.log(`machine  ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}\n`)
const terminal = process.stdout.isTTY === true
let toldAt = performance.now()
const result = await fuzz(ending, {
  seed: flags.seed,
  sizes: flags.small
    ? { frames: 10_000, upgrades: 300, requests: 1_500, floods: 100 }
    : { frames: flags.frames, upgrades: flags.upgrades, requests: flags.requests, floods: flags.floods },
  targets: flags.target ?? targets,
  minutes: flags.minutes,
  corpus: flags.corpus ?? mkdtempSync(join(tmpdir(), 'ampshard-fuzz-')),
  sockets: flags.small ? 16 : 64,
  quietSeconds: flags.small ? 30 : 120,
  tell(text) {
    if (terminal) process.stdout.write(`\r\x1b[K  ${text}`)
    else if (performance.now() - toldAt > 10_000) {
      toldAt = performance.now()
      console.log(`  ${text}`)
    }
  },
})
if (terminal) process.stdout.write('\r\x1b[K')
const width = Math.max(...Object.keys(result.figures).map((name) => name.length))
for (const [name, value] of Object.entries(result.figures)) console.log(`  ${name.padEnd(width)}  ${value}`)
for (const { what, file } of result.findings.list) {
  console.log(`  FOUND ${what}`)
  if (file !== undefined) console.log(`        npm run fuzz -- --replay ${file}`)
}
for (const [kind, count] of result.findings.counts) console.log(`  ${count} of "${kind}"`)
if (result.findings.list.length === 0) console.log('  nothing was found')
else console.log(`\nagain with: npm run fuzz -- --seed ${flags.seed}`)
await end(result.findings.list.length === 0 ? 0 : 1)
