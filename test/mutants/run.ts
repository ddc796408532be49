// `npm run test:mutants`: plants each bug in a copy of the built tree and runs the tests that must catch it. Exits with 1 unless all are caught.
// `--only name` runs some bugs, `--share 2/4` the second quarter of them, and `--list` prints the list.

import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Bug } from './bug.js'
import { bugs } from './bugs.js'
import { type Copy, createCopy } from './copy.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    share: { type: 'string', default: '1/1' },
    list: { type: 'boolean', default: false },
  },
})

function chosenBugs(): readonly Bug[] {
  const { only, share } = values
  const unknown = only.filter((name) => !bugs.some((bug) => bug.name === name))
  if (unknown.length > 0) throw new Error(`--only: no planted bug is named ${unknown.join(', ')}`)
  const [, part = '', parts = ''] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(share) ?? []
  if (part === '' || Number(part) > Number(parts)) throw new Error(`--share: ${share} is not a share such as 2/4`)
  return bugs
    .filter(({ name }) => only.length === 0 || only.includes(name))
    .filter((_, at) => at % Number(parts) === Number(part) - 1)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const verdicts = { passed: 'SURVIVED', failed: 'caught  ', killed: 'KILLED  ' } as const

async function isCaught(bug: Bug, copy: Copy): Promise<boolean> {
  const startedAt = performance.now()
  const { status } = await copy.with(bug, () => copy.test(bug.tests))
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)
  say(`${verdicts[status]} ${seconds} s  ${bug.name}: ${bug.breaks}`)
  return status === 'failed'
}

/** The tests have to pass with nothing planted, or their failure proves nothing. */
async function runChosen(chosen: readonly Bug[], copy: Copy): Promise<boolean> {
  const sound = await copy.test([...new Set(chosen.flatMap(({ tests }) => tests))])
  if (sound.status !== 'passed') {
    say(`${sound.output}\nThe tests fail with no bug planted.`)
    return false
  }
  let caught = 0
  for (const bug of chosen) if (await isCaught(bug, copy)) caught++
  say(`\n${caught} of ${chosen.length} planted bugs were caught`)
  return chosen.length > 0 && caught === chosen.length
}

const chosen = chosenBugs()
if (values.list)
  for (const { name, file, breaks, tests } of chosen) say(`${name} (${file}; ${tests.join(', ')}): ${breaks}`)
else {
  const copy = createCopy(root)
  try {
    if (!(await runChosen(chosen, copy))) process.exitCode = 1
  } finally {
    copy.end()
  }
}
