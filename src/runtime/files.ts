// What keeping a file safe takes beyond writing it: flushes, and hashes by which a copy is known to be the same.

import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, openSync } from 'node:fs'

/** Of a file, its content; of a directory, the names in it. */
export function flushToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** SHA-256 of a file's content, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
