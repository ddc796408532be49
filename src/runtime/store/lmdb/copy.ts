// A hot copy of an environment, by a process that need not be the one that writes it, and what a copy holds.
// It takes no write lock: whoever writes meanwhile is not waited for, and does not wait.

import { rmSync } from 'node:fs'
import { bytesOnly, namesIn, openRoot } from './environment.js'

type Root = ReturnType<typeof openRoot>

async function withRoot<Result>(path: string, use: (root: Root) => Result | Promise<Result>): Promise<Result> {
  const root = openRoot(path, true)
  try {
    return await use(root)
  } finally {
    await root.close()
  }
}

/**
 * Copies the environment of the directory `from`, as it is at one moment, into the directory `to`, without its free pages.
 * `to` must exist and have no environment in it. The copy is not flushed yet.
 */
export function copyEnvironment(from: string, to: string): Promise<void> {
  return withRoot(from, async (root) => {
    try {
      await root.backup(to, true)
    } catch {
      // An environment that has lost pages cannot be compacted; nothing else is wrong with it.
      rmSync(`${to}/data.mdb`, { force: true })
      await root.backup(to, false)
    }
  })
}

/** How many entries each named database has. */
export function countEntries(path: string): Promise<ReadonlyMap<string, number>> {
  return withRoot(path, (root) => {
    return new Map(
      namesIn(root).map((name) => {
        const database = root.openDB<Buffer, Uint8Array>({ name, ...bytesOnly })
        return [name, (database.getStats() as { readonly entryCount: number }).entryCount]
      }),
    )
  })
}
