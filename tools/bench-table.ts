// The figures in bench/README.md: the newest full run that is committed, and beside it runs of a part that have a name and are newer. A full run that comes after them has
// their scenarios as well, and takes their place.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Results, ScenarioResult } from '../bench/report.js'
import type { Measurement } from '../bench/scenario.js'
import type { SubjectName } from '../bench/servers/subjects.js'

const folder = 'bench/results'
const allSubjects: readonly SubjectName[] = ['floor', 'ocpp-rpc', 'ampshard']

interface Run {
  readonly file: string
  readonly results: Results
  /** Undefined of a full run, empty of a part without a name. */
  readonly part: string | undefined
}

function runOf(root: string, file: string): Run {
  const results = JSON.parse(readFileSync(join(root, folder, file), 'utf8')) as Results
  // The commit may end in a word as well: that the sources have changed.
  const ending = file.slice(`${results.date.slice(0, 10)}-${results.commit}`.length)
  const [, name] = /^(?:-([a-z]+))?-part\.json$/.exec(ending) ?? []
  return { file, results, part: ending === '.json' ? undefined : (name ?? '') }
}

/** `root` is the folder of the project. */
export function benchTable(root: string): string {
  const runs = readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.json') && !file.endsWith('-quick.json'))
    .map((file) => runOf(root, file))
    .sort((one, other) => (one.results.date < other.results.date ? 1 : -1))
  const full = runs.find(({ part }) => part === undefined)
  if (full === undefined) throw new Error(`there is no full run in ${folder}`)
  const isNewer = ({ results }: Run): boolean => results.date > full.results.date
  const newestOfName = ({ part }: Run, at: number): boolean => runs.findIndex((one) => one.part === part) === at
  const parts = runs.filter((run, at) => (run.part ?? '') !== '' && isNewer(run) && newestOfName(run, at))
  return [full, ...parts.reverse()].map(tableOf).join('\n\n')
}

function tableOf({ file, results, part }: Run): string {
  const { cpu, cores, memoryGiB, system, node } = results.machine
  const subjects = allSubjects.filter((subject) =>
    results.scenarios.some(({ measurements }) => measurements[subject] !== undefined),
  )
  return [
    ...(part === undefined ? [] : [`### Measured alone: ${part}`, '']),
    `From [results/${file}](results/${file}): ${cores} cores of an ${cpu}, ${memoryGiB} GiB, ${system}, Node.js ${node};`,
    'the servers and their generator on the same cores.',
    '',
    `| scenario | figure | ${subjects.join(' | ')} | target |`,
    `|---|---|${subjects.map(() => '---|').join('')}---|`,
    ...results.scenarios.flatMap((scenario) => rowsOf(scenario, subjects)),
  ].join('\n')
}

function rowsOf({ scenario, measurements, targets }: ScenarioResult, subjects: readonly SubjectName[]): string[] {
  const metrics = [...new Set(subjects.flatMap((subject) => (measurements[subject] ?? []).map(({ metric }) => metric)))]
  return metrics.map((metric, at) => {
    const cells = subjects.map((subject) => shown(measurements[subject]?.find((one) => one.metric === metric)))
    const verdicts = targets
      .filter((target) => target.metric === metric)
      .map(({ target, met }) => `${target}: ${met === undefined ? 'not measured' : met ? 'met' : '**missed**'}`)
    return `| ${at === 0 ? scenario : ''} | ${metric} | ${cells.join(' | ')} | ${verdicts.join('; ')} |`
  })
}

function shown(measurement: Measurement | undefined): string {
  if (measurement === undefined) return ''
  const { value, unit } = measurement
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
}
