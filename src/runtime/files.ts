// What keeping a file safe takes beyond writing it: directories that nobody else can enter, flushes, and hashes by which a copy is known
// to be the same.

import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Of a file, its content; of a directory, the names in it. */
export function flushToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** What a file is called that is not whole yet. */
export const unfinishedEnding = '.unfinished'

/** A file for its owner alone, which is there whole or not at all. */
export function storePrivately(file: string, content: string): void {
  const place = `${file}${unfinishedEnding}`
  // A maker that was killed has left one.
  rmSync(place, { force: true })
  const descriptor = openSync(place, 'wx', 0o600)
  try {
    writeSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(place, file)
  flushToDisk(dirname(file))
}

/** SHA-256 of a file's content, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * Makes a directory, and those above it that are missing, for their owner only; one that is there stays as it is. One at a time:
 * Node.js's own recursion never ends where the kernel makes no directories, as in /proc. Throws when something else is there.
 */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return
  const above = dirname(path)
  if (above !== path) makeDirectory(above)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another thread or process may have been first.
    if (!isDirectory(path)) throw error
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
