// Runs the tests that are built, or the files that are named, each in a process of its own and some at a time. It stands in
// for the command of tap, which traces what every process loads: a second of the processor for each file, for coverage alone.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { report } from '@tapjs/reporter'
import { t } from 'tap'

const timeoutSeconds = 300
/** One more than the processors of a small machine: a test that waits for a disk or a timer leaves its processor to another. */
const jobs = 3

function builtTests(): string[] {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.js'))
  // From the end: the small ones of the actors and the API come last, and no long one is left running alone.
  return files
    .sort()
    .reverse()
    .map((file) => join('dist/test', file))
}

const named = process.argv.slice(2)
const files = named.length > 0 ? named : builtTests()
const terminal = process.stdout.isTTY

t.setTimeout(0)
t.jobs = Math.min(jobs, files.length)
// A reporter asks for the settings of tap's command; all of them are left as they are.
if (terminal) void report('base', t, { get: () => undefined } as unknown as Parameters<typeof report>[2])
t.plan(files.length)
for (const name of files) {
  // tap hands its tracing down to every process in NODE_OPTIONS.
  const args = ['-u', 'NODE_OPTIONS', process.execPath, '--enable-source-maps', name]
  void t.spawn('env', args, {
    name,
    timeout: timeoutSeconds * 1000,
    // Beside the runner's patience, each process has its own, of half a minute unless told otherwise.
    env: { ...process.env, TAP_TIMEOUT: String(timeoutSeconds) },
    buffered: t.jobs > 1,
    stdio: terminal ? 'pipe' : 'inherit',
  })
}
