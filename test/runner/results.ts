// The results of test files, on disk: a directory with a line for each event of a file, and a file with the output of each.
// Several files share a process, so its exit status says nothing about one of them. TEST_RESULTS names the directory.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface EventOfFile {
  readonly file: string
  /** It ran with TEST_FULL=1. */
  readonly isFull: boolean
}

/** `planned`: a process will run it. `began`, `ended`: it ran. `fault`: its process failed outside of any test. */
type Progress =
  | { readonly event: 'planned' | 'began' | 'fault' }
  | { readonly event: 'ended'; readonly seconds: number; readonly passed: number; readonly failed: number }

type ResultEvent = EventOfFile & Progress

export interface FileResult extends EventOfFile {
  /** `died`: its process ended while it ran. `not run`: its process ended before. */
  readonly status: 'passed' | 'failed' | 'died' | 'not run'
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  readonly output: string
}

export const { TEST_RESULTS: resultsDirectory } = process.env
export const isFullRun = process.env.TEST_FULL === '1'

const eventsFile = (directory: string): string => join(directory, 'events.jsonl')
const outputFile = (directory: string, { file, isFull }: EventOfFile): string =>
  join(directory, `${file.replaceAll('/', '%')}${isFull ? '.full' : ''}.txt`)

/** One write for each line: several processes append to the file. */
export function writeResult(directory: string, file: string, progress: Progress): void {
  mkdirSync(directory, { recursive: true })
  appendFileSync(eventsFile(directory), `${JSON.stringify({ file, isFull: isFullRun, ...progress })}\n`)
}

export function writeOutput(directory: string, file: string, text: string | Uint8Array): void {
  appendFileSync(outputFile(directory, { file, isFull: isFullRun }), text)
}

function resultOf(directory: string, events: readonly ResultEvent[]): FileResult {
  const [first] = events
  if (first === undefined) throw new Error('a result needs events')
  const { file, isFull } = first
  const ends = events.filter((one) => one.event === 'ended')
  const faults = events.filter(({ event }) => event === 'fault').length
  const sum = (part: (end: (typeof ends)[number]) => number): number => ends.reduce((sum, end) => sum + part(end), 0)
  const died = ends.length === 0
  const failed = sum((end) => end.failed) + faults + (died ? 1 : 0)
  const status = died
    ? events.some(({ event }) => event === 'began')
      ? ('died' as const)
      : ('not run' as const)
    : failed > 0
      ? ('failed' as const)
      : ('passed' as const)
  const path = outputFile(directory, first)
  const output = status !== 'passed' && existsSync(path) ? readFileSync(path, 'utf8') : ''
  return { file, isFull, status, seconds: sum((end) => end.seconds), passed: sum((end) => end.passed), failed, output }
}

/** One result for each file, and a second one for a file that also ran with TEST_FULL=1. */
export function readResults(directory: string): FileResult[] {
  if (!existsSync(eventsFile(directory))) return []
  const lines = readFileSync(eventsFile(directory), 'utf8').trim().split('\n')
  const events = lines.map((line) => JSON.parse(line) as ResultEvent)
  const ofFile = new Map<string, ResultEvent[]>()
  for (const event of events) {
    const key = outputFile(directory, event)
    const known = ofFile.get(key)
    if (known === undefined) ofFile.set(key, [event])
    else known.push(event)
  }
  return [...ofFile.values()].map((events) => resultOf(directory, events))
}

/** The files' process failed. If none of its files failed, the fault is put down to the last one that began. */
export function blameProcess(directory: string, files: readonly string[]): void {
  const results = readResults(directory).filter(({ file, isFull }) => files.includes(file) && isFull === isFullRun)
  if (results.some(({ status }) => status !== 'passed')) return
  const last = files.at(-1)
  if (last !== undefined) writeResult(directory, last, { event: 'fault' })
}
