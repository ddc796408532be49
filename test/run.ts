// Runs built tests, some processes at a time: the gate, all files with `--full`, those of folders (`npm test -- console`), or named files. Each
// named file has a process of its own, unless `--together` is given. The command of tap would trace what every process loads, which costs a second
// of processor time for each file.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { report } from '@tapjs/reporter'
import { t } from 'tap'
import { blameProcess, readResults, resultsDirectory, writeResult } from './runner/results.js'
import { builtTests, isFullOnly, nameOf } from './runner/suites.js'
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
  {
    name: 'the console',
    words: /(?:console|installation)Stage\(|sharedBrowser\(|installationOperator\(|operator\(t\)/,
    // Half of their time they wait for the browser: three processes are as long as all others together.
    filesOfProcess: 9,
  },
]

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
const isFull = process.argv.includes('--full')
const isTogether = process.argv.includes('--together')

function runsOfWords(): Run[] {
  if (named.length === 0) return runsOf(builtTests().filter((file) => isFull || !isFullOnly(file)))
  const inFolder = builtTests().filter((file) =>
    named.some((name) => isFolder(name) && nameOf(file).startsWith(`${name}/`)),
  )
  const files = named.filter((name) => !isFolder(name))
  return isTogether ? runsOf([...inFolder, ...files]) : [...runsOf(inFolder), ...files.map(onlyIt)]
}

/** Tests that take a sample take it by the commit: each commit another one, and a commit always the same. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    // The sources are a copy without their history.
    return '0'
  }
}
const { TEST_SEED: seed = commit() } = process.env

const runs = runsOfWords()
const terminal = process.stdout.isTTY

t.setTimeout(0)
t.jobs = Math.min(jobs, runs.length)
// A reporter asks for the settings of tap's command; all of them are left as they are.
if (terminal) void report('base', t, { get: () => undefined } as unknown as Parameters<typeof report>[2])
t.plan(runs.length)
const results = resultsDirectory ?? (records ? mkdtempSync(join(tmpdir(), 'ampshard-results-')) : undefined)
for (const { name, files, isAtOnce = false } of runs) {
  if (results !== undefined) for (const file of files) writeResult(results, file, { event: 'planned' })
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
  const ended = t.spawn('env', args, {
    name,
    timeout: timeoutSeconds * 1000,
    // Beside the runner's patience, each process has its own, of half a minute unless told otherwise.
    env: {
      ...process.env,
      TAP_TIMEOUT: String(timeoutSeconds),
      TEST_SEED: seed,
      ...(isFull && { TEST_FULL: '1' }),
      ...(results !== undefined && { TEST_RESULTS: results }),
    },
    buffered: t.jobs > 1,
    stdio: terminal ? 'pipe' : 'inherit',
  })
  if (results !== undefined)
    void ended.then((result) => {
      if (result?.ok === false) blameProcess(results, files)
    })
}
if (results !== undefined && records)
  t.teardown(() => {
    const took = readResults(results).map(({ file, seconds }) => [nameOf(file), Math.round(seconds)] as const)
    // Files that this run left out keep their seconds.
    const all = Object.entries({ ...known, ...Object.fromEntries(took) })
    const exists = new Set(builtTests().map(nameOf))
    const long = all
      .filter(([name, seconds]) => seconds >= longSeconds && exists.has(name))
      .sort(([, one], [, other]) => other - one)
    writeFileSync(secondsFile, `${JSON.stringify(Object.fromEntries(long), undefined, 2)}\n`)
  })
