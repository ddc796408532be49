// Runs test files in this process, one after another, which loads what they need once. Each runs alone as well.
// With TEST_RESULTS, it writes down how each file ended.

import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Base, TestBase as TapTest } from 'tap'
import { resultsDirectory, writeOutput, writeResult } from './runner/results.js'

// tap names directories of tests after the arguments: with all files, the name would be too long for a file system.
const words = process.argv.splice(2)
const files = words.filter((word) => word !== '--at-once')
const isAtOnce = words.length > files.length

// tap follows every promise and every callback, so that whatever is thrown outside of a test's own flow fails the test that it came from. That
// takes a tenth of the processor's time. Tests of a process follow each other, so it is put down to the one that runs.
const notFollowed = { enable: () => notFollowed, disable: () => notFollowed }
Object.assign(hooks, { createHook: () => notFollowed })
syncBuiltinESMExports()
const { t: root, TestBase } = await import('tap')

/** The innermost of those that run. */
function running(test: TapTest): Base {
  const [inner] = test.activeSubtests
  return inner instanceof TestBase ? running(inner) : (inner ?? test)
}
process.on('uncaughtException', (error) => running(root).threw(error))

// What a file has started for all of its tests ends with the last of them, and not with the process: a service that nobody asks anything any
// more costs a thirtieth of a processor.
type Teardown = () => unknown
let ofFile: Teardown[] = []
async function endFile(): Promise<void> {
  const teardowns = ofFile.reverse()
  ofFile = []
  for (const teardown of teardowns) await teardown()
}
// Bound before it is another one for the files.
await import('./support/whole-process.js')
Object.assign(root, { teardown: (teardown: Teardown) => void ofFile.push(teardown) })

/** The file that is being loaded: tests that are added belong to it. */
let loading = files[0] ?? ''
if (resultsDirectory !== undefined) recordIn(resultsDirectory)

interface Tally {
  /** Tests that were added and have not ended. */
  waiting: number
  hasBegun: boolean
  milliseconds: number
  passed: number
  failed: number
}

/** Follows the tests at the top: their file, their assertions, and their output. */
function recordIn(directory: string): void {
  const fileOf = new Map<Base, string>()
  const tallies = new Map(
    files.map((file): [string, Tally] => [
      file,
      { waiting: 0, hasBegun: false, milliseconds: 0, passed: 0, failed: 0 },
    ]),
  )
  let current = loading
  let counted = { pass: 0, fail: 0 }
  const tallyOf = (test: Base): Tally | undefined => tallies.get(fileOf.get(test) ?? '')
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream)
    const copying = (...args: Parameters<typeof write>): boolean => {
      writeOutput(directory, current, args[0])
      return write(...args)
    }
    Object.assign(stream, { write: copying })
  }
  root.on('subtestAdd', (test) => {
    fileOf.set(test, loading)
    const tally = tallyOf(test)
    if (tally !== undefined) tally.waiting++
  })
  root.on('subtestStart', (test) => {
    current = fileOf.get(test) ?? current
    const tally = tallyOf(test)
    if (tally?.hasBegun !== false) return
    tally.hasBegun = true
    writeResult(directory, current, { event: 'began' })
  })
  root.on('subtestEnd', (test) => {
    const file = fileOf.get(test)
    const tally = tallyOf(test)
    if (file === undefined || tally === undefined) return
    const { pass, fail } = root.counts
    tally.waiting--
    tally.milliseconds += test.time ?? 0
    tally.passed += pass - counted.pass
    if (test.results?.ok === false) tally.failed += Math.max(1, fail - counted.fail)
    counted = { pass, fail }
    if (tally.waiting > 0) return
    const { milliseconds, passed, failed } = tally
    writeResult(directory, file, { event: 'ended', seconds: Math.round(milliseconds / 100) / 10, passed, failed })
  })
}

/** All tests of the files that were loaded before have ended: none runs while another file is loaded. */
function load(now: readonly string[], later: readonly string[]): void {
  const name = now.length === 1 ? now[0] : 'all files'
  loading = now[0] ?? ''
  void root.test(`${name} is loaded`, { buffered: false }, async (t) => {
    // Tests of a file may run some at a time.
    root.jobs = 1
    for (const file of now) {
      loading = file
      await t.resolves(import(pathToFileURL(resolve(file)).href), file)
    }
    // These come after the tests of the files, which are waiting by now.
    void root.test(`${name} is ended`, { buffered: false }, endFile)
    if (later.length > 0) load(later.slice(0, 1), later.slice(1))
  })
}
if (isAtOnce) load(files, [])
else load(files.slice(0, 1), files.slice(1))
