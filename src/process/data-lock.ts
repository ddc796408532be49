// One service a data directory: a second one would take the store from the first, which could then write no more.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { makeDirectory } from '../runtime/files.js'

/**
 * Holds the directory until the process ends, however it ends; makes it if there is none.
 * Throws when another process of this machine holds it.
 */
export async function lockData(directory: string): Promise<void> {
  // Only Linux has sockets with abstract names, which vanish with their process; elsewhere the store's fence has to do.
  if (process.platform !== 'linux') return
  makeDirectory(directory)
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex')
  const holder = createServer((socket) => socket.destroy()).listen(`\0ampshard-${name}`)
  try {
    await once(holder, 'listening')
  } catch (error) {
    throw new Error(`${directory} is in use by another ampshard`, { cause: error })
  }
  holder.unref()
}
