// Which failures of test files count: real processes run small test files, one of which fails, one fails once, and one kills its process.

import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Test, test } from 'tap'
import { excerpt } from './judge.js'
import { readResults } from './results.js'

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
    judge: ({ status = 1, flakyBefore = [] as readonly string[], seconds = 600 } = {}) => {
      const list = join(directory, 'flaky.json')
      writeFileSync(list, JSON.stringify(flakyBefore))
      const words = ['--results', results, '--status', String(status), '--seconds', String(seconds), '--flaky', list]
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

test('judge - a file that was flaky at the commit before fails the run', (t) => {
  const { run, judge, nameOf } = stage(t)
  run({ first: 'once' })
  const { failed, report } = judge({ flakyBefore: [nameOf('first')] })
  t.equal(failed, 1)
  t.match(report, /two consecutive commits/)
  t.end()
})

test('judge - three flaky files are accepted', (t) => {
  const three = stage(t)
  three.run({ a: 'once', b: 'once', c: 'once' })
  t.equal(three.judge().failed, 0)
  t.end()
})

test('judge - four flaky files fail the run', (t) => {
  const { run, judge } = stage(t)
  run({ a: 'once', b: 'once', c: 'once', d: 'once' })
  const { failed, list } = judge()
  t.equal(failed, 1)
  t.equal(list.length, 4)
  t.end()
})

test('judge - a test command that fails without a failing file is a failure', (t) => {
  const { run, judge } = stage(t)
  t.equal(run({ first: 'passes' }), 0)
  t.equal(judge({ status: 0 }).failed, 0)
  t.equal(judge({ status: 2 }).failed, 1)
  t.end()
})

test('judge - a file that there is no time to rerun has failed', (t) => {
  const { run, judge } = stage(t)
  run({ first: 'once' })
  const { failed, list } = judge({ seconds: 0 })
  t.equal(failed, 1)
  t.same(list, [])
  t.end()
})

test('excerpt - failing tests with what follows, or the end where the process died', (t) => {
  t.equal(excerpt('ok 1 - a\nnot ok 2 - b\n  ---\nok 3 - c\n'), '    not ok 2 - b\n      ---')
  t.equal(excerpt('ok 1 - a\nKilled\n'), '    ok 1 - a\n    Killed')
  t.end()
})
