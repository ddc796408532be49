// Reruns the test files that failed, alone, and decides which of them count. A file that then passes twice is flaky: it counts as passed and is
// listed. More than three flaky files fail the run, and so does a file that test/flaky.json lists from the previous commit.

import type { FileResult } from './results.js'
import { nameOf } from './suites.js'

const reruns = 2
const mostFlaky = 3
/** So many broken files are no coincidence: rerunning them would only take time. */
const mostRerun = 20
/** Lines of a failing test's output that follow its name. */
const linesOfFailure = 30
const linesOfOutput = 300

export interface Judged {
  readonly passed: number
  readonly failed: number
  /** Names of files that failed, and then passed twice alone. */
  readonly flaky: readonly string[]
  /** What a person reads: the flaky files, the failures with their output, and the slowest files. */
  readonly report: string
}

export interface Run {
  readonly results: readonly FileResult[]
  /** Of the process that ran the gate. */
  readonly status: number
  /** Names in test/flaky.json. */
  readonly flakyBefore: readonly string[]
  /** Runs the file again, in a process of its own. */
  readonly runAlone: (result: FileResult) => FileResult
  readonly hasTime: () => boolean
}

/** The failing tests of an output in TAP, or its end if no test failed: then the process died. */
export function excerpt(output: string): string {
  const found: string[] = []
  let left = 0
  for (const line of output.split('\n')) {
    if (/^ *not ok /.test(line)) left = linesOfFailure + 1
    else if (/^ *ok /.test(line)) left = 0
    if (left > 0 || line.startsWith('# page: ')) found.push(line)
    left--
  }
  const lines = found.length > 0 ? found.slice(0, linesOfOutput) : output.trimEnd().split('\n').slice(-linesOfFailure)
  return lines.map((line) => `    ${line}`).join('\n')
}

const label = ({ file, isFull }: FileResult): string => `${nameOf(file)}${isFull ? ' (TEST_FULL=1)' : ''}`

/** As Biome formats it, so that it can be committed as it is. */
function formatted(names: readonly string[]): string {
  const line = `[${names.map((name) => JSON.stringify(name)).join(', ')}]`
  return line.length <= 120 ? line : JSON.stringify(names, undefined, 2)
}

interface Verdict {
  readonly result: FileResult
  readonly isFlaky: boolean
}

/** Of a file that failed. The assertions that count are those of the last run. */
function rerun(result: FileResult, { runAlone, hasTime }: Run): Verdict {
  let last = result
  for (let count = 0; count < reruns; count++) {
    if (!hasTime()) return { result, isFlaky: false }
    last = runAlone(result)
    if (last.status !== 'passed') return { result: last, isFlaky: false }
  }
  return { result: last, isFlaky: true }
}

function slowest(results: readonly FileResult[]): string[] {
  const sorted = [...results].sort((one, other) => other.seconds - one.seconds).slice(0, 10)
  return ['slowest test files:', ...sorted.map((one) => `${one.seconds.toFixed(1).padStart(8)} s  ${label(one)}`)]
}

export function judge(run: Run): Judged {
  // A file that did not get to run has not failed: its first result is the one that it has now.
  const waiting = run.results.filter(({ status }) => status === 'not run')
  const results = run.results.map((one) => (one.status === 'not run' && run.hasTime() ? run.runAlone(one) : one))
  const suspects = results.filter(({ status }) => status !== 'passed')
  const verdicts = new Map<FileResult, Verdict>()
  if (suspects.length <= mostRerun) for (const suspect of suspects) verdicts.set(suspect, rerun(suspect, run))
  const isFlaky = (result: FileResult): boolean => verdicts.get(result)?.isFlaky === true
  const flakyResults = suspects.filter(isFlaky)
  const broken = suspects.filter((result) => !isFlaky(result))
  const flaky = [...new Set(flakyResults.map(({ file }) => nameOf(file)))].sort()

  const faults = flaky
    .filter((name) => run.flakyBefore.includes(name))
    .map((name) => `${name} is flaky in two consecutive commits`)
  if (flaky.length > mostFlaky) faults.push(`${flaky.length} files are flaky; at most ${mostFlaky} may be`)
  if (run.status !== 0 && run.results.every(({ isFull, status }) => isFull || status === 'passed'))
    faults.push(`the test command ended with ${run.status}, although no test file failed`)
  if (suspects.length > mostRerun) faults.push(`${suspects.length} files failed: too many to rerun them`)

  const final = results.map((result) => verdicts.get(result)?.result ?? result)
  const passed = final.reduce((sum, result) => sum + result.passed, 0)
  const failed = broken.reduce((sum, one) => sum + Math.max(1, (verdicts.get(one)?.result ?? one).failed), 0)
  const report = [
    ...(waiting.length > 0 ? [`run alone, because their process died before: ${waiting.map(label).join(' ')}`] : []),
    ...flakyResults.map((one) => `FLAKY ${label(one)}\n${excerpt(one.output)}`),
    ...broken.map((one) => `FAILED ${label(one)} (${one.status})\n${excerpt(one.output)}`),
    ...faults.map((fault) => `FAILED: ${fault}`),
    ...slowest(final),
    `test/flaky.json of this commit:\n${formatted(flaky)}`,
  ]
  return { passed, failed: failed + faults.length, flaky, report: report.join('\n') }
}
