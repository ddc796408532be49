// The store thread's side of commits: takes batches from every port and answers each port once per group that reached the disk.

import type { MessagePort } from 'node:worker_threads'
import { assert } from '../assert.js'
import type { CommitResult, Store } from '../store/store.js'
import type { CommitRequest, CommitResponse } from './wire.js'

export interface StoreConnection {
  /** Tells the other side what has been added to. */
  announce(topics: readonly string[]): void
}

/** Serves one front or shard. */
export function serveStore(store: Pick<Store, 'commit'>, port: MessagePort): StoreConnection {
  let ids: number[] = []
  let results: CommitResult[] = []
  let answering = false
  let newest = 0

  function answer(): void {
    answering = false
    port.postMessage({ ids, results } satisfies CommitResponse)
    ids = []
    results = []
  }

  port.on('message', ({ ids: asked, batches }: CommitRequest) => {
    for (const [at, batch] of batches.entries()) {
      const id = asked[at] as number
      assert(id === newest + 1, 'no commit is lost, or comes twice, on its way to the store', id, newest)
      newest = id
      void store.commit(batch).then((result) => {
        ids.push(id)
        results.push(result)
        // All commits of a group resolve in the same turn: one message answers them.
        if (answering) return
        answering = true
        setImmediate(answer)
      })
    }
  })
  return {
    announce: (appended) => port.postMessage({ ids: [], results: [], appended } satisfies CommitResponse),
  }
}
