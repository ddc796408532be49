// The last step of `npm run build`: starts the program that was built, and has its threads keep what V8 has compiled by then
// (src/runtime/load-bundle.ts). Where the program cannot start, as when it was built for another kind of machine, nothing is kept: it only starts more
// slowly.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { keptOf } from '../src/runtime/load-bundle.js'
import { jobThreads } from './keep-compiled-here.js'

const patienceMs = 60_000
const lookEveryMs = 20
const bundles = ['main', 'store-thread', 'front-thread', 'shard-thread', ...jobThreads]

const isKept = (name: string): boolean => {
  const file = resolve(`dist/program/${name}.cjs`)
  return keptOf(file, readFileSync(file, 'latin1')) !== undefined
}

async function keep(data: string): Promise<void> {
  const now = join(data, 'now')
  // What a developer has set for a service of their own must not reach this one.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('AMPSHARD_'))
  const child = spawn(
    process.execPath,
    [
      ...['--import', new URL('./keep-compiled-here.js', import.meta.url).href, 'dist/program/main.js'],
      ...['--port', '0', '--shards', '1', '--log-level', 'warn', '--data', join(data, 'data')],
    ],
    { env: { ...Object.fromEntries(others), KEEP_COMPILED_WHEN: now }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  const late = setTimeout(patienceMs, undefined, { ref: false }).then(() => child.kill('SIGKILL'))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /^ {2}API {2,}(\S+)\/api\/v1$/.exec(line)?.[1]
      if (url === undefined) continue
      await fetch(`${url}/readyz`)
      writeFileSync(now, '')
      while (!bundles.every(isKept) && child.exitCode === null && child.signalCode === null)
        await setTimeout(lookEveryMs)
      return
    }
    console.warn(`the program starts more slowly, because it could not be started now: ${complaints}`)
  } finally {
    child.kill('SIGKILL')
    await Promise.race([ended, late])
  }
}

if (!bundles.every(isKept)) {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-build-'))
  try {
    await keep(data)
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}
