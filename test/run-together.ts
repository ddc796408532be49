// Runs test files in this process, one after another, which loads what they need once. Each runs alone as well.

import hooks from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Base, TestBase as TapTest } from 'tap'

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
root.teardown(async () => {
  await endFile()
  const last = files.at(-1)
  if (last !== undefined && !isAtOnce) record(last)
})
// Bound before it is another one for the files.
await import('./support/whole-process.js')
Object.assign(root, { teardown: (teardown: Teardown) => void ofFile.push(teardown) })

/** Where how long each file has taken is written down. */
const { TEST_SECONDS_FILE: secondsFile } = process.env
let began = performance.now()
function record(file: string): void {
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  if (secondsFile !== undefined) appendFileSync(secondsFile, `${file} ${seconds}\n`)
  began = performance.now()
}

/** All tests of the files that were loaded before have ended: none runs while another file is loaded. */
function load(now: readonly string[], later: readonly string[], before?: string): void {
  void root.test(now.length === 1 ? `${now[0]} is loaded` : 'all files are loaded', { buffered: false }, async (t) => {
    // Tests of a file may run some at a time.
    root.jobs = 1
    await endFile()
    if (before !== undefined) record(before)
    for (const file of now) await t.resolves(import(pathToFileURL(resolve(file)).href), file)
    // Comes after the tests of these, which are waiting by now.
    if (later.length > 0) load(later.slice(0, 1), later.slice(1), now[0])
  })
}
if (isAtOnce) load(files, [])
else load(files.slice(0, 1), files.slice(1))
