// A step of `.ci/run`: runs the files of the full suite that the change can affect, and a rotating share of the others. Ends with 0 also if
// tests fail, because `judge.ts` reruns them and counts them. Ends with 1 if there are no results.

import { spawnSync } from 'node:child_process'
import { readResults, resultsDirectory } from './results.js'
import { baseOfChange, changedPaths, numberOfCommit, select } from './selection.js'
import { nameOf } from './suites.js'

if (resultsDirectory === undefined) throw new Error('TEST_RESULTS must name a directory')
const base = baseOfChange()
const changed = changedPaths(base)
const { affected, share, rest } = await select(changed, numberOfCommit())
const namesOf = (files: readonly string[]): string => files.map(nameOf).join(' ') || 'none'
console.log(`# ${changed?.length ?? 'all'} paths have changed since ${base ?? 'the beginning'}`)
console.log(`# affected (${affected.length}): ${namesOf(affected)}`)
console.log(`# this commit's share of the others (${share.length}): ${namesOf(share)}`)
console.log(`# not run (${rest.length}): ${namesOf(rest)}`)

const files = [...affected, ...share]
if (files.length > 0) {
  const args = ['dist/test/run.js', '--together', ...files]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, TEST_FULL: '1' } })
  const results = readResults(resultsDirectory).filter(({ isFull }) => isFull)
  const isTold = files.every((file) => results.some((result) => result.file === file))
  process.exitCode = isTold && (status === 0 || results.some(({ status }) => status !== 'passed')) ? 0 : 1
}
