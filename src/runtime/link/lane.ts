// A shard's end of a link to a front or to another shard: what has gathered for it leaves as one batch a turn.

import type { MessagePort } from 'node:worker_threads'
import type { Envelope, Reply } from '../actor/transport.js'
import { limits } from '../limits.js'
import { createRecentIds, type RecentIds } from './recent-ids.js'
import type { ThreadBatch } from './wire.js'

export interface Lane {
  readonly port: MessagePort
  items: unknown[]
  envelopes: Envelope[]
  lastEnvelope: number
  /** Envelopes that have come over it. */
  readonly handled: RecentIds<number>
  replies: Reply[]
  /** Batches read from it that it has not been told of. */
  read: number
  /** Socket items that have come over it and are not acknowledged yet. */
  unfinished: number
}

export function newLane(port: MessagePort): Lane {
  return {
    port,
    items: [],
    envelopes: [],
    lastEnvelope: 0,
    handled: createRecentIds(limits.recentEnvelopes),
    replies: [],
    read: 0,
    unfinished: 0,
  }
}

export function sendGathered(lane: Lane | undefined): void {
  if (lane === undefined) return
  const { items, envelopes, replies } = lane
  if (items.length === 0 && envelopes.length === 0 && replies.length === 0) return
  const batch: ThreadBatch = {
    ...(items.length > 0 && { socketItems: items }),
    ...(envelopes.length > 0 && { envelopes }),
    ...(replies.length > 0 && { replies }),
    ...(lane.read > 0 && { read: lane.read }),
  }
  lane.port.postMessage(batch)
  lane.items = []
  lane.envelopes = []
  lane.replies = []
  lane.read = 0
}
