// Takes a backup of a data directory, with the service running or not: a copy of the store as it was at one moment, and of the authorities.
// It only ever reads the store, and a directory counts as a backup from the moment on which its manifest is there.

import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { authorityFolder } from '../jobs/pki/authority-files.js'
import { lockData } from '../process/data-lock.js'
import { version } from '../process/version.js'
import { schemaVersion, tables } from '../records/index.js'
import { systemClock } from '../runtime/clock.js'
import { flushToDisk, sha256Of } from '../runtime/files.js'
import { checkStoreAt, copyStore, storeFile } from '../runtime/store/lmdb-store.js'
import { copyAuthorities } from './authorities.js'
import { backupFormat, type Manifest, manifestFile, readManifest } from './manifest.js'

/** Where a backup is made; one that was never finished leaves it behind, and the next one clears it away. */
const unfinished = 'unfinished'
const copied = [authorityFolder, storeFile]

export interface BackupOptions {
  readonly data: string
  readonly directory: string
  /** Checks every row, list and total of the copy against each other. */
  readonly check: boolean
}

/**
 * Copies the store of `data` into `directory`, which must be new, empty, or hold what an interrupted backup left.
 * Throws one clear line, and leaves no backup behind, when something is wrong.
 */
export async function takeBackup({ data, directory, check }: BackupOptions): Promise<Manifest> {
  if (!existsSync(join(data, storeFile))) throw new Error(`there is no store at ${data}`)
  await lockData(directory)
  requireRoom(directory)
  const place = join(directory, unfinished)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { mode: 0o700 })
  try {
    const manifest = await copyInto(place, data, check)
    if (existsSync(join(place, authorityFolder)))
      renameSync(join(place, authorityFolder), join(directory, authorityFolder))
    renameSync(join(place, storeFile), join(directory, storeFile))
    flushToDisk(directory)
    renameSync(join(place, manifestFile), join(directory, manifestFile))
    flushToDisk(directory)
    return manifest
  } catch (error) {
    // The manifest first: a directory with one counts as a backup.
    for (const name of [manifestFile, ...copied]) rmSync(join(directory, name), { recursive: true, force: true })
    throw error
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function requireRoom(directory: string): void {
  const manifest = readManifest(directory)
  if (manifest !== undefined) throw new Error(`${directory} holds the backup of ${manifest.taken_at} already`)
  const found = readdirSync(directory)
  // What is copied without a manifest is a backup that was interrupted in its last moment.
  const left = found.includes(unfinished) ? [unfinished, ...copied] : []
  const other = found.filter((name) => !left.includes(name))
  if (other.length > 0) throw new Error(`${directory} is not empty: it has ${other[0]}`)
  for (const name of copied) rmSync(join(directory, name), { recursive: true, force: true })
}

async function copyInto(place: string, data: string, check: boolean): Promise<Manifest> {
  const takenAt = systemClock.now()
  const facts = await copyStore(data, place)
  if (check) await requireConsistent(place, facts.schemaVersion)
  const authorities = copyAuthorities(data, place)
  const file = join(place, storeFile)
  chmodSync(file, 0o600)
  const manifest: Manifest = {
    format: backupFormat,
    version,
    schema_version: facts.schemaVersion,
    taken_at: new Date(takenAt).toISOString(),
    completed_at: new Date(systemClock.now()).toISOString(),
    bytes: statSync(file).size,
    sha256: await sha256Of(file),
    rows: facts.rows,
    authorities,
    checked: check,
  }
  writeFileSync(join(place, manifestFile), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
  flushToDisk(join(place, manifestFile))
  return manifest
}

async function requireConsistent(place: string, storedVersion: number): Promise<void> {
  if (storedVersion !== schemaVersion)
    throw new Error(
      `the store has schema version ${storedVersion}, this program checks version ${schemaVersion}: ` +
        'take the backup with the version that runs, or with --no-check',
    )
  const { faults } = await checkStoreAt(place, tables)
  if (faults.length > 0) throw new Error(`the store is not consistent, and no backup was made: ${faults.join('; ')}`)
}
