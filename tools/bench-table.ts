// The figures in bench/README.md, made of the newest full run that is committed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Results, ScenarioResult } from '../bench/report.js'
import type { Measurement } from '../bench/scenario.js'

const folder = 'bench/results'
const subjects = ['floor', 'ocpp-rpc', 'ampshard'] as const

/** `root` is the folder of the project. */
export function benchTable(root: string): string {
  const names = readdirSync(join(root, folder)).filter(
    (name) => name.endsWith('.json') && !/-(part|quick)\.json$/.test(name),
  )
  const runs = names.map((name) => ({
    name,
    results: JSON.parse(readFileSync(join(root, folder, name), 'utf8')) as Results,
  }))
  const newest = runs.sort((one, other) => (one.results.date < other.results.date ? 1 : -1))[0]
  if (newest === undefined) throw new Error(`there is no full run in ${folder}`)
  const { cpu, cores, memoryGiB, system, node } = newest.results.machine
  return [
    `From [results/${newest.name}](results/${newest.name}): ${cores} cores of an ${cpu}, ${memoryGiB} GiB, ${system}, Node.js ${node};`,
    'the servers and their generator on the same cores.',
    '',
    '| scenario | figure | floor | ocpp-rpc | ampshard | target |',
    '|---|---|---|---|---|---|',
    ...newest.results.scenarios.flatMap(rowsOf),
  ].join('\n')
}

function rowsOf({ scenario, measurements, targets }: ScenarioResult): string[] {
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
