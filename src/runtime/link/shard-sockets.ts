// The sockets of a shard's actors: what fronts tell of them goes to the actor, and is acknowledged once it is done. What concerns an actor
// that has another owner now is not acknowledged: the front sends it to that one.

import type { Address, Connection, SocketMessage } from '../actor/actor.js'
import type { Delivery } from '../actor/actor-host-ports.js'
import type { Holdings } from '../actor/holdings.js'
import { addressKey, partitionOf } from '../actor/partition-table.js'
import { assert } from '../assert.js'
import type { Lane } from './lane.js'
import { frontOf } from './numbers.js'
import { inbound, mailboxFull, outbound } from './wire.js'

export interface ShardSocketsOptions {
  readonly own: Pick<Holdings, 'holds' | 'epoch'>
  /** To the actor; false when its mailbox is full. */
  readonly deliver: (to: Address, delivery: Delivery) => boolean
  /** Acknowledges what of the actor's mailbox `of` is true of, and does not handle it. Returns how many messages that were. */
  readonly discard: (to: Address, of: (message: unknown) => boolean) => number
  /** The lane to the front that has given out the number of a connection or an item. */
  readonly laneOf: (number: number) => Lane | undefined
}

export interface ShardSockets {
  /** What a front tells, in its order. */
  take(from: Lane, items: readonly unknown[]): void
  /** The front forgets the item: what it promised is on disk. */
  finished(item: number): void
  /** Of the actor with this key. */
  newest(key: string): Connection | undefined
  /** Forgets the sockets of these partitions: their fronts announce them to the next owner. */
  letGo(partitions: ReadonlySet<number>): void
  readonly size: number
  /** Frames that were not handled, because their socket had sent more than it may. */
  readonly dropped: number
}

interface Attached extends Connection {
  readonly address: Address
  readonly key: string
  readonly partition: number
  /** It has sent more than it may: none of its frames is handled any more, and its charge point sends again what nobody has answered. */
  floods: boolean
}

export function createShardSockets({ own, deliver, discard, laneOf }: ShardSocketsOptions): ShardSockets {
  const attached = new Map<number, Attached>()
  const newest = new Map<string, Attached>()
  let dropped = 0
  /**
   * Connections that were let go of, with their partitions, until their front knows: what it still sends of them here, it sends to their
   * owner too.
   */
  const gone = new Map<number, number>()

  function finished(item: number): void {
    const front = laneOf(item)
    if (front === undefined) return
    front.items.push(outbound.done, item)
    front.unfinished--
    assert(front.unfinished >= 0, 'no more is acknowledged than has come', item)
  }

  /**
   * Whether what is told of this connection is for an actor of this shard. What was announced to it before a partition left, and comes when it
   * is back, its front sends again.
   */
  function isOwn(connection: number, announced: Address | undefined, since: number | undefined): boolean {
    if (announced === undefined) return !gone.has(connection)
    const partition = partitionOf(addressKey(announced))
    const holds = own.holds(partition) && own.epoch(partition) === since
    if (holds) gone.delete(connection)
    else gone.set(connection, partition)
    return holds
  }

  function attach(item: number, connection: number, address: Address, epoch: number, details: unknown): void {
    const key = addressKey(address)
    const entry: Attached = {
      connection,
      epoch,
      details,
      address: { ...address, key },
      key,
      partition: partitionOf(key),
      floods: false,
    }
    attached.set(connection, entry)
    const present = newest.get(key)
    if (present === undefined || present.epoch <= epoch) newest.set(key, entry)
    deliver(address, {
      message: { type: 'attached', connection: { connection, epoch, details } },
      ticket: item,
      always: true,
    })
  }

  function detach(item: number, connection: number, code: number, reason: string): void {
    const entry = attached.get(connection)
    if (entry === undefined) return void finished(item)
    attached.delete(connection)
    if (newest.get(entry.key) === entry) newest.delete(entry.key)
    deliver(entry.address, {
      message: { type: 'detached', connection, code, reason },
      ticket: item,
      always: true,
    })
  }

  function frame(item: number, connection: number, text: string): void {
    const entry = attached.get(connection)
    if (entry === undefined || entry.floods) return void finished(item)
    if (deliver(entry.address, { message: { type: 'frame', connection, text }, ticket: item })) return
    laneOf(connection)?.items.push(outbound.close, connection, mailboxFull.code, mailboxFull.reason)
    dropFrames(entry)
    finished(item)
  }

  function dropFrames(entry: Attached): void {
    entry.floods = true
    dropped += discard(entry.address, (message) => {
      const { type, connection } = message as SocketMessage
      return type === 'frame' && connection === entry.connection
    })
  }

  function drop(item: number, connection: number): void {
    const entry = attached.get(connection)
    if (entry !== undefined && !entry.floods) dropFrames(entry)
    finished(item)
  }

  /** The front knows who owns these. Of others that have left since, it may not know yet. */
  function rerouted(front: number, partitions: readonly number[]): void {
    const known = new Set(partitions)
    for (const [connection, partition] of gone)
      if (frontOf(connection) === front && known.has(partition)) gone.delete(connection)
  }

  function take(from: Lane, items: readonly unknown[]): void {
    for (let at = 0; at < items.length; ) {
      const kind = items[at]
      if (kind === inbound.echo) {
        from.items.push(outbound.echo)
        at += 2
        continue
      }
      if (kind === inbound.rerouted) {
        rerouted(items[at + 1] as number, items[at + 2] as readonly number[])
        at += 3
        continue
      }
      const item = items[at + 1] as number
      const connection = items[at + 2] as number
      const address =
        kind === inbound.attach ? { kind: items[at + 3] as string, id: items[at + 4] as string } : undefined
      const own = isOwn(connection, address, address && (items[at + 7] as number))
      if (own) from.unfinished++
      switch (kind) {
        case inbound.frame:
          if (own) frame(item, connection, items[at + 3] as string)
          at += 4
          break
        case inbound.drop:
          if (own) drop(item, connection)
          at += 3
          break
        case inbound.attach:
          if (own) attach(item, connection, address as Address, items[at + 5] as number, items[at + 6])
          at += 8
          break
        case inbound.detach:
          if (own) detach(item, connection, items[at + 3] as number, items[at + 4] as string)
          at += 5
          break
        default:
          throw new Error(`an unknown socket item: ${String(kind)}`)
      }
    }
  }

  return {
    take,
    finished,
    newest: (key) => newest.get(key),
    letGo(partitions) {
      for (const { connection, key, partition } of attached.values()) {
        if (!partitions.has(partition)) continue
        attached.delete(connection)
        newest.delete(key)
        gone.set(connection, partition)
      }
    },
    get dropped() {
      return dropped
    },
    get size() {
      return attached.size
    },
  }
}
