// The store as seen from a front or a shard: a view of its own, and commits sent to the store thread in batches.

import type { MessagePort } from 'node:worker_threads'
import { assert } from '../assert.js'
import { limits } from '../limits.js'
import type { ChangeBatch, CommitResult, ReadView } from '../store/store.js'
import type { CommitRequest, CommitResponse } from './wire.js'

export interface StoreClient {
  view(): ReadView
  commit(batch: ChangeBatch): Promise<CommitResult>
  /** Sends what was committed since the last flush. */
  flush(): void
  /** Calls `listener` with the topics to which any thread has added something durable, soon after each time. */
  onAppended(listener: (topics: readonly string[]) => void): void
  readonly pending: number
}

export function connectStore(port: MessagePort, view: ReadView): StoreClient {
  const waiting = new Map<number, (result: CommitResult) => void>()
  let ids: number[] = []
  let batches: ChangeBatch[] = []
  let nextId = 1
  const listeners: ((topics: readonly string[]) => void)[] = []

  port.on('message', ({ ids: answered, results, appended }: CommitResponse) => {
    for (const [at, id] of answered.entries()) {
      const settle = waiting.get(id)
      assert(settle !== undefined, 'a commit that was made is answered, and once', id)
      waiting.delete(id)
      settle(results[at] as CommitResult)
    }
    if (appended !== undefined) for (const listener of listeners) listener(appended)
  })

  return {
    view: () => view,
    commit(batch) {
      if (waiting.size >= limits.commitQueue) {
        return Promise.resolve({
          ok: false,
          reason: 'storage_unavailable',
          message: 'too many commits wait for the disk',
        })
      }
      const id = nextId++
      ids.push(id)
      batches.push(batch)
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    flush() {
      if (ids.length === 0) return
      port.postMessage({ ids, batches } satisfies CommitRequest)
      ids = []
      batches = []
    },
    onAppended: (listener) => void listeners.push(listener),
    get pending() {
      return waiting.size
    },
  }
}
