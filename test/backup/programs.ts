// The commands on a data directory as operators run them, on a directory that ends with the test.

import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnNode } from '../support/child.js'

export interface Ended {
  /** The exit code, or the signal. */
  readonly code: number | NodeJS.Signals
  readonly output: string
  readonly errors: string
}

export function startProgram(
  name: 'backup' | 'restore' | 'recover-key',
  flags: readonly string[],
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))
  const child = spawnNode([program, name, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? (signal as NodeJS.Signals), output, errors }))
  })
  return { child, ended }
}

export function backup(directory: string, data: string, ...flags: readonly string[]): Promise<Ended> {
  return startProgram('backup', [directory, '--data', data, ...flags]).ended
}

export function restore(directory: string, data: string, ...flags: readonly string[]): Promise<Ended> {
  return startProgram('restore', [directory, '--data', data, ...flags]).ended
}

/** A new directory, removed with what is in it when the test ends. */
export function temporaryDirectory(t: { teardown(handler: () => void): void }): string {
  const path = mkdtempSync(join(tmpdir(), 'ampshard-backup-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}
