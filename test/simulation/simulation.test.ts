// That the simulator can be trusted: it repeats itself exactly, judges with an oracle of its own, and catches what is wrong.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { spawnNode } from '../support/child.js'
import { mutants } from './mutants/mutants.js'
import { plant } from './mutants/plant.js'
import { runMutants } from './mutants/run.js'

const output = fileURLToPath(new URL('../../', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))
const sources = fileURLToPath(new URL('../../../test/simulation/', import.meta.url))

/** Runs one of the simulator's programs; resolves with its exit code and what it printed. */
function run(program: string, ...args: string[]): Promise<{ readonly code: number; readonly printed: string }> {
  const child = spawnNode([`${output}test/simulation/${program}`, ...args], { stdio: 'pipe' })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, printed })))
}

const small = ['--charge-points=40', '--minutes=4']
/** A bug that shows in a small world. */
const smallBug = 'mail-not-tried-again'

test('simulation - a seed runs the same way twice, frame by frame', async (t) => {
  const [first, second] = await Promise.all([1, 2].map(() => run('run.js', '--seed=7', '--trace', ...small)))
  t.equal(first?.code, 0, first?.printed.slice(-2_000) ?? '')
  t.ok((first?.printed.split('\n').length ?? 0) > 300)
  t.equal(first?.printed, second?.printed)
})

test('simulation - a few seeds hold every invariant, and say how many checks that took', async (t) => {
  const { code, printed } = await run('run.js', '--from=100', '--seeds=2', '--workers=1', ...small)
  t.equal(code, 0, printed)
  t.match(printed, /2 seeds in [\d.]+ s, [\d.]+ seeds a second, \d{4,} invariants checked, 0 seeds failed/)
})

test('simulation - a planted bug is caught, and the line that runs it again is printed', async (t) => {
  const { code, printed } = await run('run.js', `--mutants=${smallBug}`, '--seeds=5', '--workers=1')
  t.equal(code, 0, printed)
  t.match(printed, new RegExp(`seed \\d+ catches ${smallBug} \\(mail-sent\\)`))
})

test('simulation - a recorded seed is a hint: a world that fails without the planted bug, too, has not caught it', async (t) => {
  const lines: string[] = []
  const mutant = mutants.find(({ name }) => name === smallBug)
  const broken = [{ invariant: 'settled' as const, wrong: 'all is lost' }]
  const caught = await runMutants({
    only: [smallBug],
    seeds: 5,
    workers: 1,
    record: false,
    runSound: async ({ seed }) => ({ violations: seed === mutant?.seed ? broken : [] }),
    say: (line) => void lines.push(line),
  })
  t.ok(caught)
  t.match(lines[0], /without a planted bug, settled: all is lost\n {2}again: npm run sim -- --seed=\d+/)
  t.match(lines.join('\n'), /its recorded seed \d+ does not any more: write down seed: \d+/)
})

test('simulation - every planted bug is a text of the sources as they are now', (t) => {
  for (const mutant of mutants) {
    const source = readFileSync(`${root}${mutant.file}`, 'utf8')
    t.not(plant(mutant, source), source, mutant.name)
  }
  t.ok(mutants.length >= 12)
  t.end()
})

test('simulation - the oracle shares no code with what it judges', (t) => {
  for (const name of readdirSync(`${sources}oracle`)) {
    const text = readFileSync(`${sources}oracle/${name}`, 'utf8')
    t.notMatch(text, /from '[./]*src\//, name)
  }
  t.end()
})

test('simulation - options that make no sense are refused in a line', async (t) => {
  const { code, printed } = await run('run.js', '--faults=earthquake')
  t.equal(code, 1)
  t.match(printed, /there is no fault earthquake/)
})
