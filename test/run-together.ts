// Runs test files in this process, which loads what they need once. Each runs alone as well.

import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Base, TestBase as TapTest } from 'tap'

// tap names directories of tests after the arguments: with all files, the name would be too long for a file system.
const files = process.argv.splice(2)

// tap follows every promise and every callback, so that whatever is thrown outside of a test's own flow fails the test that it came from. That
// takes a tenth of the processor's time. Tests of a process follow each other, so it is put down to the one that runs.
const notFollowed = { enable: () => notFollowed, disable: () => notFollowed }
Object.assign(hooks, { createHook: () => notFollowed })
syncBuiltinESMExports()
const { t, TestBase } = await import('tap')

/** The innermost of those that run. */
function running(test: TapTest): Base {
  const [inner] = test.activeSubtests
  return inner instanceof TestBase ? running(inner) : (inner ?? test)
}
process.on('uncaughtException', (error) => running(t).threw(error))

// Tests of the files begin when this one has ended: none runs while another file is loaded.
void t.test('all files are loaded', async (t) => {
  for (const file of files) await t.resolves(import(pathToFileURL(resolve(file)).href), file)
})
