// Runs the tests that are built, those of folders (`npm test -- console`), or the files that are named, some processes at a time. It stands in for the command of tap, which traces
// what every process loads: a second of the processor for each file, for coverage alone.

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { report } from '@tapjs/reporter'
import { t } from 'tap'
import { collectsByItself } from './support/child.js'

/** For a machine that is as slow as it may be, and busy. */
const timeoutSeconds = 900
/** Twice the processors of a small machine: a test that waits for a disk or a timer leaves its processor to another. With more, each waits for the others, and all take a quarter more of the processors. */
const jobs = 4

/** Files that one process runs, one after another. */
interface Run {
  readonly name: string
  readonly files: readonly string[]
  /** All are loaded before the first begins. */
  readonly isAtOnce?: boolean
}

/** How long files take that take long, by their names, on two processors. `npm test -- --record` writes them down. */
const secondsFile = fileURLToPath(new URL('../../test/seconds.json', import.meta.url))
const known = JSON.parse(readFileSync(secondsFile, 'utf8')) as Readonly<Record<string, number>>
const longSeconds = 2

const nameOf = (file: string): string => file.replace(/^dist\/test\/|\.test\.js$/g, '')
const secondsOf = (files: readonly string[]): number => files.reduce((sum, file) => sum + (known[nameOf(file)] ?? 1), 0)

/** Each process loads the test runner and what its files test, which takes longer than most of them; four of them are to end together, though. */
const secondsOfProcess = 150

interface Sharing {
  readonly name: string
  /** Files that have these words share it. */
  readonly words: RegExp
  readonly filesOfProcess: number
  readonly isAtOnce?: boolean
}

/** What files share by being in one process. */
const sharings: readonly Sharing[] = [
  { name: 'the shared kill', words: /testOverKill\(/, filesOfProcess: 100, isAtOnce: true },
  { name: 'the roaming service', words: /sharedService\(roamingFlags\)/, filesOfProcess: 8 },
  // Guests' charge points stand at it, too.
  { name: 'the shared service', words: /sharedService\(|support\/guest\.js/, filesOfProcess: 25 },
  { name: 'the console', words: /consoleStage\(/, filesOfProcess: 4 },
]

function builtTests(): string[] {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.js'))
  return files.sort().map((file) => join('dist/test', file))
}

function sharingOf(file: string): Sharing | undefined {
  const text = readFileSync(file, 'utf8')
  return sharings.find(({ words }) => words.test(text))
}

/** Files of processes that take about as long as each other: the longest first, each to the one that has least. */
function balanced(files: readonly string[], processes: number): string[][] {
  const parts = Array.from({ length: processes }, (): string[] => [])
  const longestFirst = [...files].sort((one, other) => secondsOf([other]) - secondsOf([one]))
  for (const file of longestFirst)
    parts.reduce((least, part) => (secondsOf(part) < secondsOf(least) ? part : least)).push(file)
  return parts
}

function runsOfSharing({ name, filesOfProcess, isAtOnce = false }: Sharing, files: readonly string[]): Run[] {
  const parts = balanced(files, Math.ceil(files.length / filesOfProcess))
  return parts.map((files, part) => ({ name: `${name}, ${part + 1} of ${parts.length}`, files, isAtOnce }))
}

/** Neighbours, which test the same, as many in a process as there is time for. */
function packed(files: readonly string[]): Run[] {
  const processes: string[][] = []
  for (const file of files) {
    const last = processes.at(-1)
    if (last === undefined || secondsOf([...last, file]) > secondsOfProcess) processes.push([file])
    else last.push(file)
  }
  return processes.map((files) => ({ name: `${nameOf(files[0] ?? '')} to ${nameOf(files.at(-1) ?? '')}`, files }))
}

/** The longest first, so that none is left running alone in the end. */
function runsOf(files: readonly string[]): Run[] {
  const sharing = new Map(files.map((file) => [file, sharingOf(file)]))
  const shared = sharings.map((one) => ({ one, files: files.filter((file) => sharing.get(file) === one) }))
  const runs = [
    ...shared.flatMap(({ one, files }) => runsOfSharing(one, files)),
    ...packed(files.filter((file) => sharing.get(file) === undefined)),
  ]
  return runs.sort((one, other) => secondsOf(other.files) - secondsOf(one.files))
}

const onlyIt = (file: string): Run => ({ name: nameOf(file), files: [file] })

const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const records = process.argv.includes('--record')
const isFolder = (name: string): boolean => !name.endsWith('.js')
const inFolder = builtTests().filter((file) =>
  named.some((name) => isFolder(name) && nameOf(file).startsWith(`${name}/`)),
)
const runs = [
  ...runsOf(named.length > 0 ? inFolder : builtTests()),
  ...named.filter((name) => !isFolder(name)).map(onlyIt),
]
const terminal = process.stdout.isTTY

t.setTimeout(0)
t.jobs = Math.min(jobs, runs.length)
// A reporter asks for the settings of tap's command; all of them are left as they are.
if (terminal) void report('base', t, { get: () => undefined } as unknown as Parameters<typeof report>[2])
t.plan(runs.length)
const recorded = records ? join(mkdtempSync(join(tmpdir(), 'ampshard-seconds-')), 'files') : undefined
for (const { name, files, isAtOnce = false } of runs) {
  const words = isAtOnce ? ['--at-once'] : []
  // tap hands its tracing down to every process in NODE_OPTIONS.
  const args = [
    '-u',
    'NODE_OPTIONS',
    process.execPath,
    collectsByItself,
    '--enable-source-maps',
    'dist/test/run-together.js',
    ...words,
    ...files,
  ]
  void t.spawn('env', args, {
    name,
    timeout: timeoutSeconds * 1000,
    // Beside the runner's patience, each process has its own, of half a minute unless told otherwise.
    env: {
      ...process.env,
      TAP_TIMEOUT: String(timeoutSeconds),
      ...(recorded !== undefined && { TEST_SECONDS_FILE: recorded }),
    },
    buffered: t.jobs > 1,
    stdio: terminal ? 'pipe' : 'inherit',
  })
}
if (recorded !== undefined)
  t.teardown(() => {
    const lines = readFileSync(recorded, 'utf8').trim().split('\n')
    const took = lines
      .map((line) => line.split(' '))
      .map(([file = '', seconds]) => [nameOf(file), Math.round(Number(seconds))] as const)
    const long = took.filter(([, seconds]) => seconds >= longSeconds).sort(([, one], [, other]) => other - one)
    writeFileSync(secondsFile, `${JSON.stringify(Object.fromEntries(long), undefined, 2)}\n`)
  })
