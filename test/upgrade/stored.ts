// A store that an older version of the program has left: its files, and the API of this version over it, at the time at which the
// older one was asked.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { pino } from 'pino'
import { apiRoutes } from '../../src/api/areas/index.js'
import { createLongReads } from '../../src/api/pipeline/long-reads.js'
import { type Api, createApi } from '../../src/api/pipeline/pipeline.js'
import { createThrottles } from '../../src/api/pipeline/throttles.js'
import { runJob } from '../../src/process/job-thread.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import { migrations } from '../../src/records/migrations/index.js'
import { alone } from '../../src/records/presence.js'
import { createSealer, sealingKeyBytes } from '../../src/runtime/sealing.js'
import { openWriter } from '../../src/runtime/store/lmdb-store.js'
import type { StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import type { Settings } from '../../src/settings.js'
import { neverSet } from '../support/fake-clock.js'

export interface RecordedAnswer {
  readonly status: number
  /** Absent where it was no JSON. */
  readonly body?: unknown
}

export interface Recorded {
  /** When it was asked. */
  readonly now: string
  readonly organizations: Readonly<Record<string, string>>
  /** Keys by who has them. */
  readonly callers: Readonly<Record<string, string>>
  /** A command under an Idempotency-Key, ten minutes before, and what was answered. */
  readonly repeat: {
    readonly path: string
    readonly body: unknown
    readonly idempotencyKey: string
    readonly answer: unknown
  }
  /** By caller and target: `operator /api/v1/sessions?status=active`. */
  readonly answers: Readonly<Record<string, RecordedAnswer>>
}

const folder = fileURLToPath(new URL('../../../test/upgrade/', import.meta.url))

function unpacked(version: number, name: string): Buffer {
  return brotliDecompressSync(readFileSync(join(folder, `version-${version}`, `${name}.br`)))
}

export function recordedOf(version: number): Recorded {
  return JSON.parse(unpacked(version, 'answers.json').toString()) as Recorded
}

export interface Removed {
  teardown(handler: () => void): void
}

/** A new directory with the backup of that version: what `restore` takes, and what a service takes as its data. */
export function unpackBackup(t: Removed, version: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'ampshard-upgrade-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'data.mdb'), unpacked(version, 'data.mdb'))
  writeFileSync(join(directory, 'manifest.json'), readFileSync(join(folder, `version-${version}`, 'manifest.json')))
  return directory
}

export function openStored(directory: string): StoreWriter {
  return openWriter(directory, tables, { schemaVersion, migrations })
}

/** The API of this version over a store. There are no actors: nothing is asked of them by a request that only reads. */
export function apiOver(store: StoreWriter, now: number): Api {
  return createApi(apiRoutes(), {
    view: () => store.view(),
    // The last use of a key would be written.
    commit: async () => ({ ok: true }),
    ask: () => Promise.reject(new Error('there are no actors here')),
    tell: () => undefined,
    runJob: async (job, input) => ({ ok: true, value: await runJob({ job, input, settings: {} as Settings }) }),
    fleets: { page: () => Promise.reject(new Error('there are no fleets here')) } as never,
    eventStreams: { stream: () => Promise.reject(new Error('there are no streams here')) as never },
    installation: {
      confirmClock: async () => false,
      series: () => Promise.reject(new Error('nobody measures anything here')),
      stream: () => Promise.reject(new Error('there are no streams here')) as never,
    },
    loadRuns: {
      note: () => Promise.reject(new Error('nothing runs here')),
      running: async () => [],
      askToEnd: async () => undefined,
      ended: async () => undefined,
    },
    frames: {
      recent: async () => ({ frames: [], isCut: false, completeSince: Number.POSITIVE_INFINITY }),
      follow: () => () => undefined,
    },
    messageStreams: { stream: () => Promise.reject(new Error('there are no streams here')) as never },
    longReads: createLongReads({ monotonic: () => now }),
    throttles: createThrottles({ now: () => now, monotonic: () => now }),
    clock: neverSet({ now: () => now, monotonic: () => now }),
    newId: (prefix) => `${prefix}_none`,
    randomBytes: (length) => Buffer.alloc(length),
    sealer: createSealer([Buffer.alloc(sealingKeyBytes)]),
    // Every charge point was connected in an earlier run.
    presence: alone(1_000_000),
    overloadLevel: () => 0,
    draining: () => false,
    recordsCommands: () => true,
    ready: () => ({ ok: true, checks: {} }),
    metrics: async () => '',
    observe: () => undefined,
    log: pino({ level: 'silent' }),
    config: {
      ocppUrl: 'ws://127.0.0.1:8080',
      apiUrl: 'http://127.0.0.1:8080',
      guestPreauthorisationAmount: 50,
      installerSignup: 'closed',
      requireIdentity: false,
      security: { tls: false, issuesCertificates: true, authority: () => undefined },
    },
  })
}

export async function ask(
  api: Api,
  key: string,
  target: string,
  method = 'GET',
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const [path = '', query = ''] = target.split('?', 2)
  const response = await api.handle({
    method,
    path,
    query,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    remoteAddress: '127.0.0.1',
  })
  const isJson = response.headers['Content-Type']?.startsWith('application/json') === true
  return { status: response.status, body: isJson ? JSON.parse(Buffer.from(response.body).toString()) : undefined }
}
