// Makes a data directory with a large installation in it: charge points with what they last reported, the history
// of their commands, and their sessions, written through the store's own writer, so that indexes and totals are those of a grown store.
// It makes a new store; it never adds to one that is there.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { commandErrors } from '../src/actors/command-router/messages.js'
import { bootstrapChanges } from '../src/api/areas/organizations/bootstrap.js'
import { putRow } from '../src/api/pipeline/changes.js'
import { wholeNumber } from '../src/process/commands.js'
import { apiKeysTable } from '../src/records/api-key.js'
import { type ChargePoint, chargePointsTable } from '../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../src/records/charge-point-state.js'
import { type CommandRecord, commandStatuses, commandsTable } from '../src/records/command.js'
import { schemaVersion, tables } from '../src/records/index.js'
import { migrations } from '../src/records/migrations/index.js'
import { type Session, sessionsTable } from '../src/records/session.js'
import { makeId } from '../src/runtime/ids.js'
import { openWriter } from '../src/runtime/store/lmdb-store.js'
import type { StoreWriter } from '../src/runtime/store/storage/store-writer.js'
import type { Change, Condition } from '../src/runtime/store/store.js'
import { createRandom } from './client/random.js'
import { createProgress } from './progress.js'

/** Rows of one commit: enough that the disk's flush is small beside the writing. */
const rowsPerCommit = 4_000
const historyMs = 180 * 24 * 3_600_000

interface Options {
  readonly data: string
  readonly chargePoints: number
  readonly commands: number
  readonly sessions: number
}

const command: Command = new Command('seed')
  .description('Fills a new data directory with a large installation; AMPSHARD_BOOTSTRAP_API_KEY holds its API key.')
  .requiredOption('--data <directory>', 'the data directory to make')
  .option('--charge-points <count>', 'how many charge points, of two connectors', wholeNumber(0), 200_000)
  .option('--commands <count>', 'how many commands in the history', wholeNumber(0), 1_000_000)
  .option('--sessions <count>', 'how many charging sessions that have ended', wholeNumber(0), 1_000_000)
  .parse()
const options = command.opts<Options>()
const key = process.env.AMPSHARD_BOOTSTRAP_API_KEY
if (!key) command.error('seed: set AMPSHARD_BOOTSTRAP_API_KEY to the API key that is to work on the data.')
if (existsSync(options.data)) command.error(`seed: ${options.data} is there already.`)

const progress = createProgress(process.stdout.isTTY === true)
const random = createRandom(1)
const now = Date.now()
const newId = (prefix: string): string => makeId(prefix, now, random)
const chargePointId = (number: number): string => `BENCH-${number}`

function pick<Value>(values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value
}

let sequence = 0
async function commit(
  store: StoreWriter,
  changes: readonly Change[],
  conditions: readonly Condition[] = [],
): Promise<void> {
  const result = await store.commit({ partition: -1, epoch: 0, sequence: sequence++, changes, conditions })
  if (!result.ok) throw new Error(`the store at ${options.data} cannot be written: ${result.reason}`)
}

/** Writes `total` items of `changesOf` each, some thousand rows a commit; encodes one batch while the last is written. */
async function writeAll(
  store: StoreWriter,
  label: string,
  total: number,
  changesOf: (item: number) => readonly Change[],
): Promise<void> {
  await progress.step(label, total, async (done) => {
    let written: Promise<void> = Promise.resolve()
    for (let item = 0; item < total; ) {
      const changes: Change[] = []
      while (item < total && changes.length < rowsPerCommit) changes.push(...changesOf(item++))
      await written
      written = commit(store, changes)
      done(item)
    }
    await written
  })
}

function chargePointRows(organizationId: string, run: number): (number: number) => readonly Change[] {
  const createdAt = new Date(now - historyMs).toISOString()
  const reportedAt = new Date(now - 60_000).toISOString()
  const statuses = ['Available', 'Available', 'Available', 'Charging', 'Finishing', 'Unavailable', 'Faulted'] as const
  return (number) => {
    const chargePoint: ChargePoint = {
      charge_point_id: chargePointId(number),
      organization_id: organizationId,
      version: 1,
      name: `Charge point ${number}`,
      latitude: 50.8 + random() * 2.6,
      longitude: 3.4 + random() * 3.8,
      address: `Street ${number}, Town`,
      connector_count: 2,
      max_power_kw: 22,
      created_at: createdAt,
      updated_at: createdAt,
    }
    const state: ChargePointState = {
      charge_point_id: chargePoint.charge_point_id,
      organization_id: organizationId,
      run,
      connected: false,
      connected_at: createdAt,
      disconnected_at: reportedAt,
      remote_address: '192.0.2.1',
      registration: 'Accepted',
      last_seen_at: reportedAt,
      boot: { vendor: 'Vendor', model: 'AS-22', firmware_version: '1.0.0', booted_at: createdAt },
      connectors: [0, 1, 2].map((connectorId) => ({
        connector_id: connectorId,
        status: connectorId === 0 ? 'Available' : pick(statuses),
        error_code: 'NoError',
        info: null,
        timestamp: reportedAt,
      })),
      power_watts: 0,
    }
    return [putRow(chargePointsTable, chargePoint), putRow(chargePointStatesTable, state)]
  }
}

function commandRows(organizationId: string, keyId: string): (number: number) => readonly Change[] {
  const spacingMs = historyMs / Math.max(1, options.commands)
  return (number) => {
    const at = now - historyMs + number * spacingMs
    // Nine in ten are accepted, the rest spread over every ending.
    const status = random() < 0.9 ? 'Accepted' : pick(commandStatuses)
    const answered = status === 'Accepted' || status === 'Rejected'
    const row: CommandRecord = {
      command_id: makeId('cmd', Math.floor(at), random),
      organization_id: organizationId,
      charge_point_id: chargePointId(Math.floor(random() * Math.max(1, options.chargePoints))),
      command: pick(['start_session', 'stop_session', 'unlock_connector', 'soft_reset', 'set_power_limit']),
      status,
      parameters: { connector_id: 1 + Math.floor(random() * 2) },
      charge_point_response: answered ? { status } : null,
      executed_at: new Date(at).toISOString(),
      executed_by: `api_key:${keyId}`,
      response_time_ms: answered ? Math.round(20 + random() * 400) : null,
      ...(answered ? {} : { error: status === 'Timeout' ? commandErrors.timeout : commandErrors.offline }),
    }
    return [putRow(commandsTable, row)]
  }
}

function sessionRows(organizationId: string): (number: number) => readonly Change[] {
  const spacingMs = historyMs / Math.max(1, options.sessions)
  return (number) => {
    const at = now - historyMs + number * spacingMs
    const energyWh = 2_000 + Math.floor(random() * 40_000)
    const meterStart = Math.floor(random() * 1_000_000)
    const chargePoint = chargePointId(Math.floor(random() * Math.max(1, options.chargePoints)))
    const row: Session = {
      session_id: makeId('ses', Math.floor(at), random),
      transaction_id: 1 + number,
      organization_id: organizationId,
      charge_point_id: chargePoint,
      connector_id: 1 + Math.floor(random() * 2),
      id_tag: `TAG${Math.floor(random() * 50_000)}`,
      authorization: 'Accepted',
      auth_method: 'rfid',
      status: 'completed',
      started_at: new Date(at).toISOString(),
      ended_at: new Date(at + 3_600_000).toISOString(),
      received_at: new Date(at).toISOString(),
      meter_start: meterStart,
      meter_stop: meterStart + energyWh,
      energy_wh: energyWh,
      stop_reason: 'Local',
      tariff_id: 'trf_bench',
      currency: 'EUR',
      cost: Math.round(energyWh * 0.06) / 100,
      flags: [],
      start_key: `${chargePoint}|${number}`,
    }
    return [putRow(sessionsTable, row)]
  }
}

async function seed(): Promise<void> {
  const store = openWriter(options.data, tables, { schemaVersion, migrations })
  const made = bootstrapChanges(store.view(), now, newId, randomBytes, key)
  if (made === undefined) throw new Error(`the store at ${options.data} is not empty`)
  await commit(store, made.changes, made.conditions)
  const keyId = store.view().listBy(apiKeysTable, 'byOrganization', [made.organizationId])[0]?.key_id ?? ''
  const { chargePoints, commands, sessions } = options
  await writeAll(
    store,
    `${chargePoints} charge points`,
    chargePoints,
    chargePointRows(made.organizationId, store.bootNumber),
  )
  await writeAll(store, `${commands} commands`, commands, commandRows(made.organizationId, keyId))
  await writeAll(store, `${sessions} sessions`, sessions, sessionRows(made.organizationId))
  await store.close()
}

await seed()
