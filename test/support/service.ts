// The built service as a child process, on a free port and a temporary data directory: what every test of the whole uses.

import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Fault } from '../../src/process/threads.js'
import { spawnNode } from './child.js'
import { fetchWithAuthority } from './https.js'
import { registrationOf } from './registration.js'

const builtProgram = fileURLToPath(new URL('../../program/main.js', import.meta.url))

export interface ServiceOptions {
  /** Another build of the service. */
  readonly program?: string
  /** URL of a module that each of its threads loads before anything else. */
  readonly preload?: string
  /** Flags beside port and data directory. */
  readonly flags?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** A directory of an earlier service, or one to keep; a new one otherwise, which is removed in the end. */
  readonly data?: string
  readonly key?: string
  /** How many files it may open. */
  readonly openFiles?: number
  /** PEM of the authority of the service's own certificate, when its flags turn TLS on. */
  readonly authority?: string
}

export interface Service {
  readonly url: string
  readonly ocppUrl: string
  readonly port: number
  readonly data: string
  readonly key: string
  readonly process: ChildProcess
  /** Everything written to standard output and error so far. */
  readonly output: () => string
  /** What was written to standard error so far. */
  readonly complaints: () => string
  request(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Registers a charge point with unremarkable fields. */
  register(chargePointId: string, fields?: Readonly<Record<string, unknown>>): Promise<Answer>
  /** Resolves with the exit code or the signal. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
  fail(shard: number, fault: Fault): void
  failFront(front: number, fault: Fault): void
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers of every shape; they assert on what they find.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  readonly body: any
}

/** Of an answer that does not end; it is cut off then. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return Buffer.from(first?.value ?? []).toString()
}

/** What ends with a test: a tap test, or another harness. */
export interface Teardowns {
  teardown(handler: () => Promise<void> | void): void
}

/** Starts the service and stops it, and removes its data, when the test ends. */
export async function startService(t: Teardowns, options: ServiceOptions = {}): Promise<Service> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  const key = options.key ?? `test-${randomBytes(24).toString('hex')}`
  const words = ['--port', '0', '--data', data, '--log-level', 'warn', ...(options.flags ?? [])]
  const child = spawnNode(
    [
      ...(options.preload === undefined ? [] : ['--import', options.preload]),
      ...[options.program ?? builtProgram, ...words],
    ],
    {
      env: {
        ...process.env,
        AMPSHARD_BOOTSTRAP_API_KEY: key,
        AMPSHARD_FAULTS: 'true',
        ...options.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
    options.openFiles,
  )
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? (signal as NodeJS.Signals)))
  })
  let output = ''
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
    output += chunk.toString()
  })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      output += `${line}\n`
      const found = /^ {2}API {2,}(\S+)\/api\/v1$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    void exited.then((code) => reject(new Error(`the service ended with ${code} before it was ready:\n${output}`)))
  })
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return exited
  }
  t.teardown(async () => {
    await stop('SIGKILL')
    if (options.data === undefined) rmSync(data, { recursive: true, force: true })
  })

  async function request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const asked = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    const { authority } = options
    const response = await (authority === undefined
      ? fetch(url + path, asked)
      : fetchWithAuthority(url + path, authority, asked))
    const type = response.headers.get('content-type') ?? ''
    const text = type.startsWith('text/event-stream') ? await beginningOf(response) : await response.text()
    // Lines of JSON are no JSON.
    const json = type.includes('json') && !type.includes('ndjson')
    return { status: response.status, headers: response.headers, body: json && text !== '' ? JSON.parse(text) : text }
  }

  return {
    url,
    ocppUrl: `${url.replace(/^http/, 'ws')}/ocpp16`,
    port: Number(new URL(url).port),
    data,
    key,
    process: child,
    output: () => output,
    complaints: () => complaints,
    request,
    register: (chargePointId, fields = {}) =>
      request('POST', '/api/v1/chargepoints', registrationOf(chargePointId, fields)),
    stop,
    fail: (shard, fault) => child.send({ shard, fault }),
    failFront: (front, fault) => child.send({ front, fault }),
  }
}
