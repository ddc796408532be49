// A step of `.ci/run`: `judge-results.js --results <directory> --status <of npm test> --seconds <it may take>`. Prints the report, and writes
// the numbers of passed and failed assertions to the file `totals` of the directory.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Judged, judge } from './judge.js'
import { type FileResult, readResults } from './results.js'

const { values } = parseArgs({
  options: {
    results: { type: 'string' },
    status: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '3600' },
    flaky: { type: 'string', default: 'test/flaky.json' },
  },
})
const { results: directory } = values
if (directory === undefined) throw new Error('--results must name a directory')
const milliseconds = Number(values.seconds) * 1_000
const left = (): number => milliseconds - performance.now()

let runs = 0
function runAlone(result: FileResult): FileResult {
  runs++
  const alone = join(directory as string, `alone-${runs}`)
  const { TEST_FULL: _, ...environment } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['dist/test/run.js', result.file], {
    env: { ...environment, TEST_RESULTS: alone, ...(result.isFull && { TEST_FULL: '1' }) },
    timeout: Math.max(1_000, Math.round(left())),
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
  })
  const [found] = readResults(alone)
  return { ...(found ?? { ...result, status: 'died', failed: 1 }), output: `${stdout}${stderr}` }
}

const judged: Judged = judge({
  results: readResults(directory),
  status: Number(values.status),
  flakyBefore: existsSync(values.flaky) ? (JSON.parse(readFileSync(values.flaky, 'utf8')) as string[]) : [],
  runAlone,
  hasTime: () => left() > 0,
})
console.log(judged.report)
writeFileSync(join(directory, 'totals'), `${judged.passed} ${judged.failed}\n`)
