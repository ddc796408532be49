// Runs the load tool as its user does: a process with options, which leaves a table, a JSON file and a report.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { Results } from '../../bench/load/results.js'
import { spawnNode } from '../support/child.js'

const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))

export interface LoadRun {
  readonly process: ChildProcess
  readonly reportPath: string
  readonly output: () => string
  /** When the process has ended. */
  readonly ended: Promise<LoadEnd>
}

export interface LoadEnd {
  readonly code: number | null
  readonly output: string
  readonly errorOutput: string
  /** Throws when no file was written. */
  readonly results: () => Results
}

export function startLoad(t: Test, args: readonly string[], environment: Record<string, string> = {}): LoadRun {
  const folder = mkdtempSync(join(tmpdir(), 'ampshard-load-'))
  const jsonPath = join(folder, 'results.json')
  const reportPath = join(folder, 'report.html')
  const { AMPSHARD_API_KEY: _key, AMPSHARD_LOAD_PASSWORD: _password, ...env } = process.env
  const child = spawnNode([program, 'load', '--warm-up', '0', ...args, '--json', jsonPath, '--report', reportPath], {
    env: { ...env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errorOutput = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput += chunk.toString()
  })
  t.teardown(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const ended = once(child, 'close').then(
    ([code]): LoadEnd => ({
      code: code as number | null,
      output,
      errorOutput,
      results: () => {
        if (!existsSync(jsonPath)) throw new Error(`no results:\n${output}\n${errorOutput}`)
        return JSON.parse(readFileSync(jsonPath, 'utf8')) as Results
      },
    }),
  )
  return { process: child, reportPath, output: () => output, ended }
}

export function runLoad(t: Test, args: readonly string[], environment?: Record<string, string>): Promise<LoadEnd> {
  return startLoad(t, args, environment).ended
}
