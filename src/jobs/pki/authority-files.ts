// The files of authorities that the installation has made, in its data directory or in a backup: each has a key and its certificate, and is
// there whole or not at all.

import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectory, storePrivately, unfinishedEnding } from '../../runtime/files.js'

/** In the data directory. */
export const authorityFolder = 'authority'
export const authorityEnding = '.pem'

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
  // A maker that was killed has left one, under a name that nobody makes again.
  for (const name of readdirSync(folder))
    if (name.endsWith(unfinishedEnding)) rmSync(join(folder, name), { force: true })
  storePrivately(file, content)
}
