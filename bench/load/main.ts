// `ampshard load`: the load tool. It reads the options, registers the charge points if it is asked to, runs, and leaves
// a table, a JSON file and an HTML report. What it registered it removes again.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { version } from '../../src/process/version.js'
import { registerChargePoints } from '../client/register.js'
import { removeChargePoints } from '../client/remove.js'
import { createLive } from './live.js'
import { type Options, readOptions } from './options.js'
import { reportPage } from './report.js'
import { createReporter } from './reporter.js'
import { buildResults, type Results } from './results.js'
import { run } from './run-load.js'
import { resultsTable } from './table.js'
import { judge } from './thresholds.js'

const ending = new AbortController()
function interrupted(): void {
  if (ending.signal.aborted) process.exit(130)
  ending.abort()
}

function fail(text: string): never {
  console.error(`load: ${text}`)
  process.exit(1)
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    console.log(path)
  } catch (error) {
    fail(`${path} cannot be written: ${(error as Error).message}`)
  }
}

/** Returns the ids that were not there before. */
async function register({ api, identities, connectors }: Options): Promise<readonly string[]> {
  if (api === undefined) return []
  const registration = await registerChargePoints({
    ...api,
    chargePoints: identities.map(({ id }) => ({ chargePointId: id, connectorCount: connectors })),
    signal: ending.signal,
    waiting: (reason) => console.error(`waiting for ${api.url}: ${reason}`),
  }).catch((error: Error) => fail(ending.signal.aborted ? 'interrupted' : error.message))
  console.log(`${registration.created.length} charge points registered, ${registration.known} known before.`)
  return registration.created
}

async function remove(ids: readonly string[], { api }: Options): Promise<void> {
  if (api === undefined || ids.length === 0) return
  try {
    const { removed, closedSessions } = await removeChargePoints({ ...api, ids })
    console.log(`${removed} charge points removed, ${closedSessions} sessions closed that still ran.`)
  } catch (error) {
    console.error(`load: the charge points of this run could not all be removed: ${(error as Error).message}`)
  }
}

/** Ends the process where something outside keeps it from beginning; else `process.exitCode` is 1 when a threshold was missed. */
export async function load(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv, new Date())
  process.on('SIGINT', interrupted)
  process.on('SIGTERM', interrupted)
  const registered = options.register ? await register(options) : []
  if (options.profile === 'commands' && options.api === undefined) {
    console.log('Without an API key no commands are given: the charge points answer those that come.')
  }
  console.log(
    `${options.profile}: ${options.identities.length} charge points, ${options.processes} ${options.processes === 1 ? 'process' : 'processes'}, ${options.url}`,
  )

  const startedAt = new Date()
  const live = createLive(process.stdout, options.identities.length, options.quiet)
  const reporter = createReporter(options, startedAt, () => ending.abort())
  const finished = await run({
    options,
    version,
    startedAt,
    signal: ending.signal,
    watch(progress) {
      live.show(progress)
      reporter?.progress(progress)
    },
  })
  if (!options.keep) await remove(registered, options)
  const measured = buildResults(finished)
  const results: Results = { ...measured, thresholds: judge(options.thresholds, measured) }
  console.log(resultsTable(results))
  console.log('')
  const unreported = await reporter?.result(results, new Date())
  if (unreported !== undefined) console.error(`load: the run could not be reported: ${unreported}`)
  if (options.json !== undefined) write(options.json, `${JSON.stringify(results, undefined, 2)}\n`)
  if (options.report !== undefined) write(options.report, reportPage(results))
  const failed = results.endedBy === 'nobody connected' || results.endedBy === 'a process died'
  process.exitCode = failed || results.thresholds.some(({ met }) => !met) ? 1 : 0
}
