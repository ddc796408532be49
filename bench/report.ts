// The results as people read them (a table on the terminal) and as they are kept (a JSON file).

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.js'
import type { Measurement, Scenario, Target } from './scenario.js'
import type { SubjectName } from './servers/subjects.js'

export interface ScenarioResult {
  readonly scenario: string
  readonly title: string
  readonly parameters: Readonly<Record<string, number>>
  readonly measurements: Partial<Record<SubjectName, readonly Measurement[]>>
  /** Why there is no measurement, by subject. */
  readonly skipped: Partial<Record<SubjectName, string>>
  readonly targets: readonly TargetResult[]
}

export interface TargetResult {
  readonly metric: string
  /** `at most 12.5 us`, resolved when it is relative to another server. */
  readonly target: string
  readonly measured: number | undefined
  readonly met: boolean | undefined
}

export interface Results {
  readonly date: string
  readonly commit: string
  readonly machine: Machine
  readonly quick: boolean
  readonly scenarios: readonly ScenarioResult[]
}

export function judge(scenario: Scenario, measurements: ScenarioResult['measurements']): TargetResult[] {
  const find = (subject: SubjectName, metric: string): Measurement | undefined =>
    measurements[subject]?.find((one) => one.metric === metric)
  return scenario.targets.map((target: Target) => {
    const measured = find('ampshard', target.metric)
    const base = target.timesSubject === undefined ? 1 : find(target.timesSubject, target.metric)?.value
    const bound = base === undefined ? undefined : base * target.value
    const relative = target.timesSubject === undefined ? '' : ` (${target.value} x ${target.timesSubject})`
    const known = measured !== undefined && bound !== undefined
    return {
      metric: target.metric,
      target: `${target.is} ${bound === undefined ? '?' : shown(bound)} ${measured?.unit ?? ''}${relative}`,
      measured: measured?.value,
      met: known ? (target.is === 'at most' ? measured.value <= bound : measured.value >= bound) : undefined,
    }
  })
}

function shown(value: number): string {
  if (!Number.isFinite(value)) return '-'
  const digits = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** The rows of a scenario: one line per metric, one column per server. */
export function scenarioTable(result: ScenarioResult): string {
  const subjects = Object.keys(result.measurements) as SubjectName[]
  const metrics = new Map<string, string>()
  for (const subject of subjects)
    for (const one of result.measurements[subject] ?? []) metrics.set(one.metric, one.unit)
  const lines = [`\n${result.scenario}: ${result.title}`]
  const sizes = Object.entries(result.parameters).map(([name, value]) => `${name} ${value.toLocaleString('en-US')}`)
  lines.push(`  ${sizes.join(', ')}`)
  if (metrics.size > 0) lines.push(`  ${''.padEnd(32)}${subjects.map((subject) => subject.padStart(14)).join('')}`)
  for (const [metric, unit] of metrics) {
    const cells = subjects.map((subject) => {
      const found = result.measurements[subject]?.find((one) => one.metric === metric)
      return (found === undefined ? '' : shown(found.value)).padStart(14)
    })
    lines.push(`  ${metric.padEnd(32)}${cells.join('')} ${unit}`)
  }
  for (const [subject, reason] of Object.entries(result.skipped)) lines.push(`  ${subject}: not measured: ${reason}`)
  for (const { metric, target, met } of result.targets) {
    const verdict = met === undefined ? 'not measured' : met ? 'met' : 'MISSED'
    lines.push(`  target  ${metric} ${target}: ${verdict}`)
  }
  return lines.join('\n')
}

export function heading(results: Omit<Results, 'scenarios'>): string {
  const { cpu, cores, memoryGiB, system, node } = results.machine
  return [
    `ampshard bench  ${results.date}  commit ${results.commit}${results.quick ? '  quick: sizes too small to publish' : ''}`,
    `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node.js ${node}`,
  ].join('\n')
}

/** Returns the file's path, `<date>-<commit><part>.json`. */
export function writeResults(directory: string, results: Results, part: string): string {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `${results.date.slice(0, 10)}-${results.commit}${part}.json`)
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`)
  return path
}
