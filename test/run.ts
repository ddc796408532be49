// Runs the tests that are built, or the files that are named, some processes at a time. It stands in for the command of tap, which traces
// what every process loads: a second of the processor for each file, for coverage alone.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { report } from '@tapjs/reporter'
import { t } from 'tap'

const timeoutSeconds = 480
/** Twice the processors of a small machine: a test that waits for a disk or a timer leaves its processor to another. With more, each waits for the others. */
const jobs = 4

/**
 * Short files share processes, room by room, so many files each: to load what they test takes longer than to test it. They leave nothing
 * behind that another file could see. Files that use the shared service do the same, however long they take.
 */
const rooms = ['actors', 'api', 'console', 'field-notes', 'ocpp16', 'pricing', 'runtime', 'service']
const filesOfProcess = 25
/** Pages in a browser take longer. */
const browserFilesOfProcess = 7
/** It changes what its process loads. */
const alone = 'pricing/broken-sums'

/** Files that one process runs. */
interface Run {
  readonly name: string
  readonly files: readonly string[]
}

/** How long files take that take long, by their names, on two processors. `npm test -- --record` writes them down. */
const secondsFile = fileURLToPath(new URL('../../test/seconds.json', import.meta.url))
const known = JSON.parse(readFileSync(secondsFile, 'utf8')) as Readonly<Record<string, number>>
const longSeconds = 5

const nameOf = (file: string): string => file.replace(/^dist\/test\/|\.test\.js$/g, '')
const secondsOf = ({ files }: Run): number => files.reduce((sum, file) => sum + (known[nameOf(file)] ?? 1), 0)

function builtTests(): string[] {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.js'))
  return files.sort().map((file) => join('dist/test', file))
}

/** Guests' charge points stand at it, too. */
const usesSharedService = (file: string): boolean =>
  /sharedService\(|support\/guest\.js/.test(readFileSync(file, 'utf8'))

const sharesKill = (file: string): boolean => readFileSync(file, 'utf8').includes('testOverKill(')

function groupOf(file: string): string {
  if (sharesKill(file)) return 'the shared kill'
  if (usesSharedService(file)) return 'the shared service'
  const [room = ''] = nameOf(file).split('/')
  return rooms.includes(room) ? room : 'other rooms'
}

function shared(files: readonly string[]): Run[] {
  const byRoom = new Map<string, string[]>()
  for (const file of files) {
    const name = groupOf(file)
    byRoom.set(name, [...(byRoom.get(name) ?? []), file])
  }
  return [...byRoom].flatMap(([room, ofRoom]) => {
    const parts = Math.ceil(ofRoom.length / (room === 'console' ? browserFilesOfProcess : filesOfProcess))
    return Array.from({ length: parts }, (_, part) => ({
      name: `${room}, ${part + 1} of ${parts}`,
      files: ofRoom.filter((_, at) => at % parts === part),
    }))
  })
}

/** The longest first, so that none is left running alone in the end. */
function allRuns(): Run[] {
  const files = builtTests()
  const shares = (file: string): boolean =>
    sharesKill(file) || usesSharedService(file) || (known[nameOf(file)] === undefined && nameOf(file) !== alone)
  const others = files.filter((file) => !shares(file))
  const runs = [...shared(files.filter(shares)), ...others.map((file) => ({ name: file, files: [file] }))]
  return runs.sort((one, other) => secondsOf(other) - secondsOf(one))
}

const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const records = process.argv.includes('--record')
const runs = named.length > 0 ? named.map((file) => ({ name: file, files: [file] })) : allRuns()
const terminal = process.stdout.isTTY

t.setTimeout(0)
t.jobs = Math.min(jobs, runs.length)
// A reporter asks for the settings of tap's command; all of them are left as they are.
if (terminal) void report('base', t, { get: () => undefined } as unknown as Parameters<typeof report>[2])
t.plan(runs.length)
const took = new Map<string, number>()
for (const { name, files } of runs) {
  // tap hands its tracing down to every process in NODE_OPTIONS.
  const args = ['-u', 'NODE_OPTIONS', process.execPath, '--enable-source-maps', 'dist/test/run-together.js', ...files]
  void t
    .spawn('env', args, {
      name,
      timeout: timeoutSeconds * 1000,
      // Beside the runner's patience, each process has its own, of half a minute unless told otherwise.
      env: { ...process.env, TAP_TIMEOUT: String(timeoutSeconds) },
      buffered: t.jobs > 1,
      stdio: terminal ? 'pipe' : 'inherit',
    })
    .then((result) => {
      if (files.length === 1) took.set(nameOf(name), Math.round((result?.time ?? 0) / 1_000))
    })
}
if (records)
  t.teardown(() => {
    const long = [...took].filter(([, seconds]) => seconds >= longSeconds).sort(([, one], [, other]) => other - one)
    writeFileSync(secondsFile, `${JSON.stringify(Object.fromEntries(long), undefined, 2)}\n`)
  })
