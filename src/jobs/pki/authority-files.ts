// The files of authorities that the installation has made, in its data directory or in a backup: each has a key and its certificate, and is
// there whole or not at all.

import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { flushToDisk, makeDirectory } from '../../runtime/files.js'

/** In the data directory. */
export const authorityFolder = 'authority'
export const authorityEnding = '.pem'
/** Of a file that is not whole yet. */
const unfinished = '.unfinished'

/** Names in the folder `authority` of a directory. */
export function authorityFilesIn(directory: string): readonly string[] {
  try {
    return readdirSync(join(directory, authorityFolder)).filter((name) => name.endsWith(authorityEnding))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** For its owner alone. Makes the folder where there is none. */
export function storeAuthority(file: string, content: string): void {
  const folder = dirname(file)
  makeDirectory(folder)
  // A maker that was killed has left one.
  for (const name of readdirSync(folder)) if (name.endsWith(unfinished)) rmSync(join(folder, name), { force: true })
  const place = `${file}${unfinished}`
  const descriptor = openSync(place, 'wx', 0o600)
  try {
    writeSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(place, file)
  flushToDisk(folder)
}
