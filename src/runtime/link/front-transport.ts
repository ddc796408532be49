// A front's side of the links to the shards: envelopes and socket items out, frames, answers and acknowledgements in.
// Every socket item is kept until its shard says that it is done, and sent again after a shard has been replaced.

import type { MessagePort } from 'node:worker_threads'
import type { Address } from '../actor/actor.js'
import { addressKey, knownTable, type PartitionTable, partitionCount, partitionOf } from '../actor/partition-table.js'
import type { Envelope, Reply, Transport } from '../actor/transport.js'
import { assert } from '../assert.js'
import type { Clock } from '../clock.js'
import { createHistogram, type Histogram } from '../histogram.js'
import { limits } from '../limits.js'
import { numbered } from './numbers.js'
import { inbound, outbound, type ThreadBatch } from './wire.js'

export interface SocketEvents {
  frame(connection: number, text: string): void
  ping(connection: number): void
  close(connection: number, code: number, reason: string): void
  reply(reply: Reply): void
  /** A shard died: asks to it will not be answered. */
  shardLost(shard: number): void
}

/** A live socket, as it is announced again to a shard that has been replaced. */
export interface LiveSocket {
  readonly connection: number
  readonly address: Address
  /** Of the address: a front has very many sockets, and looks through all of them when partitions move. */
  readonly partition: number
  readonly epoch: number
  readonly details: unknown
}

export interface FrontTransport extends Transport {
  attach(socket: LiveSocket): void
  detach(socket: LiveSocket, code: number, reason: string): void
  /** False when the window of the socket's shard is full, or its own share of it. */
  frame(socket: LiveSocket, text: string): boolean
  /** The window holds as much of the socket as it may of one: it sends without waiting for answers. */
  hasItsShare(socket: LiveSocket): boolean
  /** The socket has sent more than it may: its frames that are not handled yet need not be. */
  dropFrames(socket: LiveSocket): void
  connectShard(shard: number, port: MessagePort): void
  /**
   * Their new owners, as the table has them, are ready. Resolves when everything goes to them, which it does once the former ones have been
   * heard out. Sockets stay open: the owner is told of each, and sent what the former one has not acknowledged.
   */
  reroute(partitions: readonly number[]): Promise<void>
  shardOf(to: Address): number
  /** Items that wait for a shard, over all shards. */
  readonly unacknowledged: number
  /** How long frames took until everything that they promised was on disk. */
  handling(): ReturnType<Histogram['snapshot']>
}

interface Item {
  readonly values: unknown[]
  /** Length of a frame's text, 0 for other items. */
  readonly characters: number
  readonly socket: LiveSocket
  /** Monotonic ms. */
  readonly takenAt: number
}

interface Link {
  port: MessagePort | undefined
  items: unknown[]
  envelopes: Envelope[]
  lastEnvelope: number
  readonly window: Map<number, Item>
  /** Of the frames in the window. */
  characters: number
  /** Batches that the shard has not said to have read. */
  unread: number
  /** Who waits until everything that its shard has said has been heard. */
  echoes: (() => void)[]
  /** Since when the present batch is held back, monotonic ms; 0 when it is not. */
  heldSince: number
}

/** How long a batch gathers at most, and how many values (four a frame) make it full. */
const holdAtMostMs = 1
const fullBatchValues = 2_048

/** Ten to a decade (ISO 3), so that a distribution can be drawn of them. */
export const handlingBoundsMs: readonly number[] = [
  0.8, 1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8, 10, 12.5, 16, 20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250,
  315, 400, 500, 630, 800, 1_000, 1_250, 1_600, 2_000, 2_500, 3_150, 4_000, 5_000,
]

export interface FrontTransportOptions {
  readonly front: number
  readonly shards: number
  readonly partitions: PartitionTable
  readonly clock: Clock
  readonly events: SocketEvents
  readonly sockets: () => Iterable<LiveSocket>
}

export function createFrontTransport({
  front,
  shards,
  partitions: table,
  clock,
  events,
  sockets,
}: FrontTransportOptions): FrontTransport {
  const partitions = knownTable(table)
  const links: Link[] = Array.from({ length: shards }, () => ({
    port: undefined,
    items: [],
    envelopes: [],
    lastEnvelope: 0,
    window: new Map(),
    characters: 0,
    unread: 0,
    echoes: [],
    heldSince: 0,
  }))
  /** Characters in a window, by connection. */
  const waiting = new Map<number, number>()
  const handling = createHistogram(handlingBoundsMs)
  let itemCounter = 0
  let alarmed = false
  let scheduled = false

  const shardOf = (to: Address): number => partitions.owner(partitionOf(addressKey(to)))
  const linkOf = (partition: number): Link => links[partitions.owner(partition)] as Link

  function soon(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  /**
   * While a shard has yet to read a batch, the next one gathers: waking a thread costs more than a message, so batches
   * grow with the load, and a shard that waits is told at once.
   */
  function holds(link: Link): boolean {
    if (link.unread === 0 || link.items.length >= fullBatchValues) return false
    const now = clock.monotonic()
    if (link.heldSince === 0) link.heldSince = now
    if (now - link.heldSince >= holdAtMostMs) return false
    if (alarmed) return true
    alarmed = true
    setTimeout(() => {
      alarmed = false
      flush()
    }, holdAtMostMs)
    return true
  }

  function flush(): void {
    scheduled = false
    for (const link of links) {
      if (link.port === undefined || (link.items.length === 0 && link.envelopes.length === 0)) continue
      if (holds(link)) continue
      const batch: ThreadBatch = {
        ...(link.items.length > 0 && { socketItems: link.items }),
        ...(link.envelopes.length > 0 && { envelopes: link.envelopes }),
      }
      link.port.postMessage(batch)
      link.unread++
      link.heldSince = 0
      link.items = []
      link.envelopes = []
    }
  }

  function count(link: Link, { connection }: LiveSocket, characters: number): void {
    if (characters === 0) return
    link.characters += characters
    const own = (waiting.get(connection) ?? 0) + characters
    if (own === 0) waiting.delete(connection)
    else waiting.set(connection, own)
  }

  const hasItsShare = ({ connection }: LiveSocket): boolean =>
    (waiting.get(connection) ?? 0) >= limits.socketWindowCharacters

  /** `values` is the whole item; the number at its second place acknowledges it. */
  function enqueue(link: Link, item: number, socket: LiveSocket, values: unknown[], characters = 0): void {
    link.window.set(item, { values, characters, socket, takenAt: clock.monotonic() })
    count(link, socket, characters)
    for (const value of values) link.items.push(value)
    soon()
  }

  const nextItem = (): number => numbered({ front }, ++itemCounter)

  function announce(link: Link, socket: LiveSocket): void {
    const { connection, address, partition, epoch, details } = socket
    const { kind, id } = address
    const item = nextItem()
    const since = partitions.epoch(partition)
    enqueue(link, item, socket, [inbound.attach, item, connection, kind, id, epoch, details, since])
  }

  function socketsWhere(holds: (socket: LiveSocket) => boolean): readonly LiveSocket[] {
    const found: LiveSocket[] = []
    for (const socket of sockets()) if (holds(socket)) found.push(socket)
    return found
  }

  /** A new owner knows nothing: its live sockets first, then everything that the former one had not finished, in its order. */
  function handOver(live: readonly LiveSocket[], unfinished: readonly (readonly [number, Item])[]): void {
    const announced = new Set<number>()
    function announceOnce(socket: LiveSocket): void {
      if (announced.has(socket.connection)) return
      announced.add(socket.connection)
      announce(linkOf(socket.partition), socket)
    }
    for (const socket of live) announceOnce(socket)
    for (const [number, item] of unfinished) {
      announceOnce(item.socket)
      if (item.values[0] === inbound.attach) continue
      const link = linkOf(item.socket.partition)
      link.window.set(number, item)
      count(link, item.socket, item.characters)
      for (const value of item.values) link.items.push(value)
    }
    soon()
  }

  function take(link: Link, number: number): Item | undefined {
    const item = link.window.get(number)
    if (item === undefined) return undefined
    link.window.delete(number)
    count(link, item.socket, -item.characters)
    assert(link.characters >= 0, 'the window counts the characters that are in it', link.characters)
    return item
  }

  function takeAll(link: Link, of: (item: Item) => boolean = () => true): (readonly [number, Item])[] {
    const taken = [...link.window].filter(([, item]) => of(item))
    for (const [number] of taken) take(link, number)
    return taken
  }

  /** Resolves when what its shard has said so far has been heard, or is lost with it. */
  function heardOut(link: Link): Promise<void> {
    if (link.port === undefined) return Promise.resolve()
    link.items.push(inbound.echo, front)
    soon()
    return new Promise((resolve) => link.echoes.push(resolve))
  }

  function heard(link: Link): void {
    const { echoes } = link
    link.echoes = []
    for (const resolve of echoes) resolve()
  }

  async function reroute(given: readonly number[]): Promise<void> {
    const former = new Set(given.map(linkOf))
    await Promise.all([...former].map(heardOut))
    switchOver(given)
  }

  function switchOver(given: readonly number[]): void {
    // What has an owner of its known epoch has been announced to it; by another epoch, the same shard knows nothing either.
    const moved = given.filter((partition) => partitions.epoch(partition) !== table.epoch(partition))
    const from = new Map(moved.map((partition) => [partition, partitions.owner(partition)]))
    for (const partition of moved) partitions.learn(partition)
    const moves = new Set(moved)
    const isMoved = ({ partition }: LiveSocket): boolean => moves.has(partition)
    const live = socketsWhere(isMoved)
    const formerOf = (partition: number): Link => links[from.get(partition) as number] as Link
    const former = [...new Set(moved.map(formerOf))]
    const unfinished = former.flatMap((link) => takeAll(link, ({ socket }) => isMoved(socket)))
    for (const link of former) {
      const left = moved.filter((partition) => formerOf(partition) === link)
      link.items.push(inbound.rerouted, front, left)
    }
    handOver(live, unfinished)
  }

  /** What has moved on while its acknowledgement was on the way is in the window of another link by now. */
  function settle(link: Link, number: number, now: number): void {
    const item = take(link, number) ?? links.map((other) => take(other, number)).find((found) => found !== undefined)
    if (item === undefined) return
    if (item.values[0] === inbound.frame) handling.observe(now - item.takenAt)
  }

  function receive(link: Link, port: MessagePort, { socketItems, replies, read = 0 }: ThreadBatch): void {
    // What a shard that has been replaced says late counts, but not what it has read: that was not sent to its successor. No more than a
    // hint, and not asserted: a link between nodes may bring a batch twice.
    if (port === link.port) link.unread = Math.max(0, link.unread - read)
    if (link.heldSince !== 0) soon()
    const now = clock.monotonic()
    const items = socketItems ?? []
    for (let at = 0; at < items.length; ) {
      switch (items[at]) {
        case outbound.done:
          settle(link, items[at + 1] as number, now)
          at += 2
          break
        case outbound.frame:
          events.frame(items[at + 1] as number, items[at + 2] as string)
          at += 3
          break
        case outbound.close:
          events.close(items[at + 1] as number, items[at + 2] as number, items[at + 3] as string)
          at += 4
          break
        case outbound.ping:
          events.ping(items[at + 1] as number)
          at += 2
          break
        case outbound.echo:
          heard(link)
          at += 1
          break
        default:
          throw new Error(`an unknown socket item: ${String(items[at])}`)
      }
    }
    for (const reply of replies ?? []) events.reply(reply)
  }

  return {
    shardOf,
    flush,
    send(to, message, ask) {
      const partition = partitionOf(addressKey(to))
      const link = linkOf(partition)
      const id = ++link.lastEnvelope
      link.envelopes.push({ id, to, message, partition, epoch: partitions.epoch(partition), ...ask })
      soon()
    },
    attach: (socket) => announce(linkOf(socket.partition), socket),
    detach(socket, code, reason) {
      const item = nextItem()
      enqueue(linkOf(socket.partition), item, socket, [inbound.detach, item, socket.connection, code, reason])
    },
    frame(socket, text) {
      const link = linkOf(socket.partition)
      if (link.window.size >= limits.resendWindowFrames || link.characters >= limits.resendWindowCharacters)
        return false
      if (hasItsShare(socket)) return false
      const item = nextItem()
      enqueue(link, item, socket, [inbound.frame, item, socket.connection, text], text.length)
      return true
    },
    hasItsShare,
    dropFrames(socket) {
      const item = nextItem()
      enqueue(linkOf(socket.partition), item, socket, [inbound.drop, item, socket.connection])
    },
    connectShard(shard, port) {
      const link = links[shard] as Link
      const replaced = link.port
      // What it is only about to own comes with reroute().
      for (let partition = 0; partition < partitionCount; partition++)
        if (partitions.owner(partition) === shard && table.owner(partition) === shard) partitions.learn(partition)
      link.port = port
      link.unread = 0
      link.heldSince = 0
      port.on('message', (batch: ThreadBatch) => receive(link, port, batch))
      // What came before the first of them was announced by an epoch that nobody has begun with.
      link.items = []
      if (replaced !== undefined) {
        replaced.close()
        link.envelopes = []
        heard(link)
        events.shardLost(shard)
      }
      handOver(
        socketsWhere(({ partition }) => partitions.owner(partition) === shard),
        takeAll(link),
      )
    },
    reroute,
    handling: handling.snapshot,
    get unacknowledged() {
      return links.reduce((sum, link) => sum + link.window.size, 0)
    },
  }
}
