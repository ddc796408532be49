// Which failures of test files count: real processes run small test files, one of which fails, one fails once, and one kills its process.

import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Test, test } from 'tap'
import { excerpt, judge, type Run } from './judge.js'
import { type FileResult, readResults } from './results.js'

const samples = {
  passes: "test('passes', (t) => { t.ok(true); t.ok(true); t.end() })",
  fails: "test('fails', (t) => { t.equal(1, 2, 'one is two'); t.end() })",
  once: `test('fails once', (t) => { t.ok(isAgain, 'the second time'); t.end() })`,
  kills: `test('kills its process once', (t) => { if (!isAgain) process.kill(process.pid, 'SIGKILL'); t.ok(true); t.end() })`,
  throws: `if (!isAgain) throw new Error('not loaded'); test('is loaded', (t) => { t.ok(true); t.end() })`,
} as const
type Sample = keyof typeof samples

/** A directory with test files; each finds out by a file of its own whether it has run before. */
function stage(t: Test) {
  const directory = t.testdir()
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'))
  const results = join(directory, 'results')
  const { TEST_FULL: _, ...environment } = process.env
  const node = (...args: string[]) =>
    spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...environment, TEST_RESULTS: results } })
  const write = (name: string, sample: Sample): string => {
    const file = join(directory, `${name}.js`)
    const mark = JSON.stringify(`${file}.mark`)
    const again = `const isAgain = existsSync(${mark}); writeFileSync(${mark}, '')`
    const imports = "import { existsSync, writeFileSync } from 'node:fs'\nimport { test } from 'tap'"
    writeFileSync(file, `${imports}\n${again}\n${samples[sample]}\n`)
    return file
  }
  return {
    nameOf: (name: string) => join(directory, `${name}.js`),
    results: () => new Map(readResults(results).map((one) => [one.file, one])),
    /** In one process, in this order. */
    run: (named: Readonly<Record<string, Sample>>) => {
      const files = Object.entries(named).map(([name, sample]) => write(name, sample))
      return node('dist/test/run.js', '--together', ...files).status
    },
    judge: () => {
      const list = join(directory, 'flaky.json')
      writeFileSync(list, '[]')
      const words = ['--results', results, '--status', '1', '--flaky', list]
      const { stdout, stderr } = node('dist/test/runner/judge-results.js', ...words)
      const [passed, failed] = readFileSync(join(results, 'totals'), 'utf8').trim().split(' ').map(Number)
      return {
        passed,
        failed,
        report: `${stdout}${stderr}`,
        list: JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1)),
      }
    },
  }
}

test('judge - a file that fails whenever it runs is a failure, with its output, and the others of its process are not', (t) => {
  const { run, judge, results, nameOf } = stage(t)
  t.equal(run({ first: 'passes', second: 'fails', third: 'passes' }), 1)
  t.equal(results().get(nameOf('first'))?.status, 'passed')
  t.equal(results().get(nameOf('second'))?.status, 'failed')
  t.equal(results().get(nameOf('third'))?.status, 'passed')
  const { failed, report, list } = judge()
  t.equal(failed, 1)
  t.match(report, /^FAILED .*second/m)
  t.match(report, 'one is two')
  t.notMatch(report, 'FLAKY')
  t.same(list, [])
  t.end()
})

test('judge - a file that fails once and then passes twice is flaky: it is listed, and counts as passed', (t) => {
  const { run, judge, nameOf } = stage(t)
  run({ first: 'passes', second: 'once', third: 'throws' })
  const { passed, failed, report, list } = judge()
  t.equal(failed, 0)
  t.ok((passed ?? 0) >= 4)
  t.match(report, /^FLAKY .*second/m)
  t.match(report, 'the second time', 'its output is that of the run that failed')
  t.match(report, /^FLAKY .*third/m)
  t.same(list, [nameOf('second'), nameOf('third')])
  t.end()
})

test('judge - if a process dies, the file that ran is rerun, and so are those that did not get to run', (t) => {
  const { run, judge, results, nameOf } = stage(t)
  run({ first: 'passes', second: 'kills', third: 'passes', fourth: 'fails' })
  const statuses = ['first', 'second', 'third', 'fourth'].map((name) => results().get(nameOf(name))?.status)
  t.same(statuses, ['passed', 'died', 'not run', 'not run'])
  const { failed, report, list } = judge()
  t.equal(failed, 1)
  t.same(list, [nameOf('second')])
  t.match(report, /^FAILED .*fourth/m)
  t.notMatch(report, /^(FAILED|FLAKY) .*third/m)
  t.end()
})

const failedOnce = (name: string): FileResult => ({
  file: `dist/test/${name}.test.js`,
  isFull: false,
  status: 'failed',
  seconds: 1,
  passed: 0,
  failed: 1,
  output: 'not ok 1 - it',
})
const passes = (result: FileResult): FileResult => ({ ...result, status: 'passed', passed: 1, failed: 0 })
/** Of files that all pass when they run alone. */
const judged = (names: readonly string[], more: Partial<Run> = {}) =>
  judge({
    results: names.map(failedOnce),
    status: 1,
    flakyBefore: [],
    runAlone: passes,
    hasTime: () => true,
    ...more,
  })

test('judge - three flaky files are accepted, and four fail the run', (t) => {
  t.match(judged(['a', 'b', 'c']), { passed: 3, failed: 0, flaky: ['a', 'b', 'c'] })
  t.match(judged(['a', 'b', 'c', 'd']), { passed: 4, failed: 1, flaky: ['a', 'b', 'c', 'd'] })
  t.end()
})

test('judge - a file that was flaky at the commit before fails the run', (t) => {
  t.match(judged(['a'], { flakyBefore: ['b'] }), { failed: 0 })
  t.match(judged(['a'], { flakyBefore: ['a'] }), { failed: 1, report: /two consecutive commits/ })
  t.end()
})

test('judge - a file is flaky only if both of its reruns pass', (t) => {
  let runs = 0
  const runAlone = (result: FileResult): FileResult => (++runs === 1 ? passes(result) : result)
  t.match(judged(['a'], { runAlone }), { failed: 1, flaky: [] })
  t.equal(runs, 2)
  t.end()
})

test('judge - a test command that fails without a failing file is a failure', (t) => {
  const results = [passes(failedOnce('a'))]
  t.match(judged([], { results, status: 0 }), { passed: 1, failed: 0 })
  t.match(judged([], { results, status: 2 }), { passed: 1, failed: 1, report: /ended with 2/ })
  t.end()
})

test('judge - a file that there is no time to rerun has failed', (t) => {
  t.match(judged(['a'], { hasTime: () => false }), { failed: 1, flaky: [] })
  t.end()
})

test('excerpt - failing tests with what follows, or the end where the process died', (t) => {
  t.equal(excerpt('ok 1 - a\nnot ok 2 - b\n  ---\nok 3 - c\n'), '    not ok 2 - b\n      ---')
  t.equal(excerpt('ok 1 - a\nKilled\n'), '    ok 1 - a\n    Killed')
  t.end()
})
