// The servers that the bench measures, and how each is started.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startServerProcess } from './server-process.js'

export type SubjectName = 'floor' | 'ocpp-rpc' | 'ampshard'

export interface StartOptions {
  /** Logs, and data when no data directory is given. */
  readonly workDirectory: string
  readonly dataDirectory: string
  readonly key: string
  readonly readyTimeoutMs?: number
}

const here = fileURLToPath(new URL('.', import.meta.url))
const ampshardMain = fileURLToPath(new URL('../../program/main.js', import.meta.url))

/** The server's own protections against one client that asks too much are out of the way: the bench is such a client. */
const unlimited = [
  ['--frames-per-second', '1000000'],
  ['--frame-burst', '1000000'],
  ['--bytes-per-second', '1000000000'],
  ['--connects-per-second', '100000'],
  ['--key-requests-per-second', '1000000'],
  ['--key-request-burst', '1000000'],
].flat()

/** Webhooks go to a receiver on this machine. */
const laboratory = { AMPSHARD_ALLOW_INSECURE_WEBHOOKS: 'true' }

/** Why a subject cannot be measured here, if it cannot. */
export function missing(subject: SubjectName): string | undefined {
  return subject === 'ampshard' && !existsSync(ampshardMain) ? 'dist/program/main.js is not built' : undefined
}

export function startSubject(subject: SubjectName, options: StartOptions): Promise<ServerProcess> {
  const common = {
    logPath: join(options.workDirectory, `${subject}.log`),
    readyTimeoutMs: options.readyTimeoutMs ?? 60_000,
  }
  if (subject !== 'ampshard') {
    return startServerProcess({ ...common, script: join(here, `${subject}.js`), arguments: (port) => [String(port)] })
  }
  return startServerProcess({
    ...common,
    script: ampshardMain,
    arguments: (port) => ['--port', String(port), '--host', '127.0.0.1', '--data', options.dataDirectory, ...unlimited],
    environment: { AMPSHARD_BOOTSTRAP_API_KEY: options.key, NODE_ENV: 'production', ...laboratory },
  })
}
