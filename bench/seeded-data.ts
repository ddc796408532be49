// A data directory with a large installation in it, made once by the seeding script and kept for later runs.
//
// The script is `bench/seed.ts`, run with the sizes of an installation and the environment variable
// AMPSHARD_BOOTSTRAP_API_KEY holding the key that has to work on the data: it makes a directory with that installation in
// the key's organization, and exits with 0.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./seed.js', import.meta.url))

/** How many rows of each kind. */
export interface Installation {
  readonly chargePoints: number
  readonly commands: number
  readonly sessions: number
}

export function canSeed(): boolean {
  return existsSync(script)
}

/** The directory; undefined when there is no seeding script. Rejects when the script fails. */
export async function seededData(
  cacheDirectory: string,
  { chargePoints, commands, sessions }: Installation,
  key: string,
): Promise<string | undefined> {
  if (!canSeed()) return undefined
  const directory = join(cacheDirectory, `seeded-${chargePoints}-${commands}-${sessions}`)
  if (existsSync(directory)) return directory
  mkdirSync(cacheDirectory, { recursive: true })
  const unfinished = `${directory}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const child = spawn(
    process.execPath,
    [
      script,
      ...['--data', unfinished],
      ...['--charge-points', String(chargePoints)],
      ...['--commands', String(commands)],
      ...['--sessions', String(sessions)],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, AMPSHARD_BOOTSTRAP_API_KEY: key } },
  )
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the seeding script ended with ${code}`)
  renameSync(unfinished, directory)
  return directory
}
