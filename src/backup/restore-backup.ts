// Puts a backup into a data directory that no service uses: whole or not at all, and never in place of data that are not kept.

import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { claimData, replacedPrefix, restoringFolder } from '../process/data-directory.js'
import { numberSequences, schemaVersion, tables } from '../records/index.js'
import { migrations } from '../records/migrations/index.js'
import { skipNumbers } from '../runtime/actor/number-sequences.js'
import { systemClock } from '../runtime/clock.js'
import { flushToDisk, sha256Of } from '../runtime/files.js'
import { factsOf, openWriter, storeFile } from '../runtime/store/lmdb-store.js'
import { unowned } from '../runtime/store/store.js'
import { addAuthorities, readAuthorities } from './authorities.js'
import { endSignIns } from './end-sign-ins.js'
import { type Manifest, readManifest } from './manifest.js'
import { skipDocumentNumbers } from './skip-document-numbers.js'

export interface RestoreOptions {
  readonly directory: string
  readonly data: string
  /** Replaces a store that is there, and keeps it aside. */
  readonly force: boolean
}

export interface Restored {
  readonly manifest: Manifest
  /** Where the replaced store is; undefined when there was none. */
  readonly kept: string | undefined
}

/**
 * Checks the backup in `directory` against its manifest, and makes it the store of `data`. Throws one clear line, with
 * the store of `data` as it was, when the backup is not whole, a service is running, or there is a store and no `force`.
 */
export async function restoreBackup({ directory, data, force }: RestoreOptions): Promise<Restored> {
  const manifest = readManifest(directory)
  if (manifest === undefined) throw new Error(`there is no complete backup at ${directory}`)
  if (manifest.schema_version > schemaVersion)
    throw new Error(
      `the backup has schema version ${manifest.schema_version}, this program knows versions up to ${schemaVersion}: ` +
        'restore it with a newer ampshard',
    )
  await claimData(data)
  const occupied = existsSync(join(data, storeFile))
  if (occupied && !force)
    throw new Error(`there is a store at ${data} already: --force replaces it, and keeps it aside`)
  const place = join(data, restoringFolder)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { mode: 0o700 })
  try {
    await copyChecked(join(directory, storeFile), join(place, storeFile), manifest)
    await requireRows(place, manifest)
    await leavePast(place, manifest)
    const authorities = readAuthorities(directory, manifest)
    addAuthorities(data, authorities)
    const kept = occupied ? keepAside(data) : undefined
    renameSync(join(place, storeFile), join(data, storeFile))
    flushToDisk(data)
    return { manifest, kept }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The copy is what is checked: a backup medium may read differently the second time. */
async function copyChecked(from: string, to: string, { bytes, sha256 }: Manifest): Promise<void> {
  if (!existsSync(from)) throw new Error(`the backup has no ${storeFile}`)
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  chmodSync(to, 0o600)
  const size = statSync(to).size
  if (size !== bytes) throw new Error(`the backup is damaged: ${from} has ${size} bytes, its manifest says ${bytes}`)
  if ((await sha256Of(to)) !== sha256)
    throw new Error(`the backup is damaged: ${from} has another SHA-256 than its manifest`)
}

/** That it is the store which the manifest describes. */
async function requireRows(place: string, { rows, schema_version }: Manifest): Promise<void> {
  const found = await factsOf(place)
  if (found.schemaVersion !== schema_version)
    throw new Error(
      `the backup is damaged: it has schema version ${found.schemaVersion}, its manifest says ${schema_version}`,
    )
  for (const [table, count] of Object.entries(rows))
    if (found.rows[table] !== count)
      throw new Error(`the backup is damaged: it has ${found.rows[table] ?? 0} ${table}, its manifest says ${count}`)
}

/**
 * Charge points keep transaction ids, and drivers receipts, that were given out after the backup: their numbers must not be given to others. And
 * whoever was signed in then may have signed out since.
 */
async function leavePast(path: string, { taken_at }: Manifest): Promise<void> {
  const store = openWriter(path, tables, { schemaVersion, migrations })
  try {
    const age = systemClock.now() - Date.parse(taken_at)
    const view = store.view()
    const changes = [...skipNumbers(view, numberSequences, age), ...skipDocumentNumbers(view, age), ...endSignIns(view)]
    const committed = await store.commit(unowned(changes))
    if (!committed.ok) throw new Error(`the restored store cannot be written: ${committed.reason}`)
  } finally {
    await store.close()
  }
  flushToDisk(join(path, storeFile))
}

/** A second name for the old file, so that there is a store at every moment. */
function keepAside(data: string): string {
  const kept = join(data, `${replacedPrefix}${new Date(systemClock.now()).toISOString().replaceAll(':', '-')}`)
  mkdirSync(kept, { mode: 0o700 })
  linkSync(join(data, storeFile), join(kept, storeFile))
  flushToDisk(kept)
  return kept
}
