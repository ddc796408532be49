// `npm run bench`: measures ampshard beside a floor and beside the usual library, in one run on one machine, every
// server and every load generator a process of its own, and says which targets are met.

import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { schemaVersion, tables } from '../src/records/index.js'
import { migrations } from '../src/records/migrations/index.js'
import { openWriter } from '../src/runtime/store/lmdb-store.js'
import { registerChargePoints } from './client/register.js'
import { type Generator, startGenerator } from './generator/generator.js'
import { commit, machine } from './machine.js'
import { createProgress, type Progress } from './progress.js'
import { heading, judge, type ScenarioResult, scenarioTable, writeResults } from './report.js'
import type { Bench, Measurement, Scenario, StartedServer } from './scenario.js'
import { scenarios } from './scenarios/index.js'
import { seededData } from './seeded-data.js'
import { missing, type SubjectName, startSubject } from './servers/subjects.js'

const subjectNames: readonly SubjectName[] = ['floor', 'ocpp-rpc', 'ampshard']
const scenarioNames = scenarios.map((scenario) => scenario.name)

function oneOf(names: readonly string[]): (text: string) => string[] {
  return (text) => {
    const chosen = text.split(',').map((name) => name.trim())
    const unknown = chosen.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new InvalidArgumentError(`there is no ${unknown}; choose from ${names.join(', ')}`)
    return chosen
  }
}

function partName(text: string): string {
  if (!/^[a-z]+$/.test(text)) throw new InvalidArgumentError('a name of small letters, such as console')
  return text
}

interface Options {
  readonly only?: readonly string[]
  readonly subjects?: readonly string[]
  readonly quick: boolean
  readonly part?: string
  readonly results: string
  readonly seedCache: string
}

const options = new Command('bench')
  .description('Measures ampshard beside a bare uWebSockets.js handler and an ocpp-rpc server.')
  .option('--only <names>', `scenarios, of ${scenarioNames.join(', ')}`, oneOf(scenarioNames))
  .option('--subjects <names>', `servers, of ${subjectNames.join(', ')}`, oneOf(subjectNames))
  .option('--quick', 'small sizes: does it work, not how fast is it', false)
  .option('--part <name>', 'names a run of a part, which is published beside the full one', partName)
  .option('--results <directory>', 'where the JSON file goes', 'bench/results')
  .option('--seed-cache <directory>', 'where seeded data is kept between runs', join(tmpdir(), 'ampshard-bench'))
  .parse()
  .opts<Options>()

const prefix = 'BENCH-'
// The same for every run, since seeded data is kept and only answers to the key it was made with.
const seededKey = 'ampshard-bench-key-of-the-seeded-installation'

/** One scenario on one server: whatever it started is gone afterwards, however it ended. */
async function measure(
  scenario: Scenario,
  subject: SubjectName,
  progress: Progress,
): Promise<{ measurements?: readonly Measurement[]; skipped?: string }> {
  const workDirectory = mkdtempSync(join(tmpdir(), 'ampshard-bench-run-'))
  const servers: StartedServer[] = []
  const generators: Generator[] = []
  const key = randomBytes(32).toString('base64url')

  const started = async (name: SubjectName, dataDirectory: string, serverKey: string): Promise<StartedServer> => {
    mkdirSync(workDirectory, { recursive: true })
    const own = {
      process: await startSubject(name, { workDirectory, dataDirectory, key: serverKey }),
      key: serverKey,
      prefix,
    }
    servers.push(own)
    return own
  }
  const bench: Bench = {
    async start(name, chargePoints, { connectors = 10, prepare, write } = {}) {
      // Of its own: what charge points have said to one before would be known already.
      const dataDirectory = join(workDirectory, `data-${servers.length}`)
      const first = await started(name, dataDirectory, key)
      if (name !== 'ampshard') return first
      await progress.step(`registering ${chargePoints} charge points`, 1, () =>
        registerChargePoints({
          url: first.process.url,
          key,
          chargePoints: Array.from({ length: chargePoints }, (_, number) => ({
            chargePointId: `${prefix}${number}`,
            connectorCount: connectors,
          })),
          concurrency: 32,
        }),
      )
      if (prepare !== undefined) await progress.step('preparing', 1, () => prepare(first))
      // Started again, so that what is measured is a server at work and not what registering left behind in memory.
      await first.process.stop()
      if (write !== undefined) {
        const store = openWriter(dataDirectory, tables, { schemaVersion, migrations })
        await write(store, prefix)
        await store.close()
      }
      return started(name, dataDirectory, key)
    },
    async startSeeded(installation) {
      const dataDirectory = await seededData(options.seedCache, installation, seededKey)
      return dataDirectory === undefined ? undefined : started('ampshard', dataDirectory, seededKey)
    },
    stop: (server) => server.process.stop(),
    generator() {
      const generator = startGenerator()
      generators.push(generator)
      return generator
    },
    step: progress.step,
  }
  try {
    const measurements = await scenario.run(bench, subject, scenario.parameters(options.quick))
    return measurements.length === 0 ? { skipped: 'there is no seeding script to make its data' } : { measurements }
  } finally {
    await Promise.all(generators.map((generator) => generator.stop()))
    await Promise.all(servers.map((server) => server.process.stop()))
    rmSync(workDirectory, { recursive: true, force: true })
  }
}

async function runScenario(scenario: Scenario, progress: Progress): Promise<ScenarioResult> {
  const measurements: Partial<Record<SubjectName, readonly Measurement[]>> = {}
  const skipped: Partial<Record<SubjectName, string>> = {}
  for (const subject of scenario.subjects) {
    if (options.subjects && !options.subjects.includes(subject)) continue
    const reason = missing(subject) ?? scenario.missing?.()
    if (reason !== undefined) {
      skipped[subject] = reason
      continue
    }
    console.log(`${scenario.name}: ${subject}`)
    try {
      const outcome = await measure(scenario, subject, progress)
      if (outcome.measurements) measurements[subject] = outcome.measurements
      else skipped[subject] = outcome.skipped ?? 'no result'
    } catch (error) {
      skipped[subject] = error instanceof Error ? error.message : String(error)
      failed = true
    }
  }
  return {
    scenario: scenario.name,
    title: scenario.title,
    parameters: scenario.parameters(options.quick),
    measurements,
    skipped,
    // Small sizes say nothing about the targets, which were set for the full ones.
    targets: options.quick ? [] : judge(scenario, measurements),
  }
}

let failed = false
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
const about = { date: new Date().toISOString(), commit: commit(), machine: machine(), quick: options.quick }
console.log(heading(about))
const progress = createProgress(process.stdout.isTTY === true)
const results: ScenarioResult[] = []
for (const scenario of scenarios) {
  if (options.only && !options.only.includes(scenario.name)) continue
  const result = await runScenario(scenario, progress)
  results.push(result)
  console.log(`${scenarioTable(result)}\n`)
}
// Runs of a part, or at small sizes, never take the place of a whole one.
const partial = options.part === undefined ? '-part' : `-${options.part}-part`
const part = options.quick ? '-quick' : options.only || options.subjects ? partial : ''
console.log(`results: ${writeResults(options.results, { ...about, scenarios: results }, part)}`)
const targets = results.flatMap((result) => result.targets)
const count = (met: boolean | undefined): number => targets.filter((target) => target.met === met).length
if (!options.quick) {
  console.log(`targets: ${count(true)} met, ${count(false)} missed, ${count(undefined)} not measured`)
}
if (failed) process.exitCode = 1
