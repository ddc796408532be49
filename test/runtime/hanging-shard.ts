// Shards for the tests of the supervisor, run by its pool: one that never comes up, and one with actors that can be made to hang.

import type { MessagePort } from 'node:worker_threads'
import type { ActorDefinition, Effect, SocketMessage } from '../../src/runtime/actor/actor.js'
import type { AnyActorDefinition } from '../../src/runtime/actor/actor-host-ports.js'
import type { Quarantined } from '../../src/runtime/actor/blame.js'
import { turnNotes } from '../../src/runtime/actor/current-turn.js'
import { sharedPartitionTable } from '../../src/runtime/actor/partition-table.js'
import { type WakeUpMessage, wakeUpsTable } from '../../src/runtime/actor/wake-ups.js'
import { systemClock } from '../../src/runtime/clock.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { createShard } from '../../src/runtime/link/shard.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { neverSet } from '../support/fake-clock.js'
import { scriptedTables, silent } from './scripted-actors.js'

export interface HangingShardStart {
  readonly partitions: SharedArrayBuffer
  readonly alive: SharedArrayBuffer
  readonly turns: SharedArrayBuffer
  readonly quarantined: readonly Quarantined[]
  readonly front: MessagePort
  /** The actor that a stored wake-up is due for. */
  readonly wakes: string | undefined
}

export type HangMessage =
  | { readonly type: 'hang' }
  | { readonly type: 'send-hang'; readonly to: string }
  | { readonly type: 'echo' }

const aliveEveryMs = 50

/** Takes its processor all the while. */
function spin(): never {
  for (;;);
}

/** Waits for what never comes, which costs nothing. */
function hang(): never {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const actor: ActorDefinition<object, HangMessage | SocketMessage | WakeUpMessage> = {
  kind: 'counter',
  load: () => ({}),
  idle: () => true,
  refused: (message): readonly Effect[] =>
    message.type === 'frame'
      ? [{ type: 'frame', connection: message.connection, text: `refused ${message.text}` }]
      : [],
  handle(_, message, { replyTo }): readonly Effect[] {
    switch (message.type) {
      case 'hang':
      case 'wake-up':
        return hang()
      case 'frame':
        if (message.text === 'spin') return spin()
        return [{ type: 'frame', connection: message.connection, text: message.text }]
      case 'send-hang':
        return [{ type: 'send', to: { kind: 'counter', id: message.to }, message: { type: 'hang' } }]
      case 'echo':
        return replyTo === undefined ? [] : [{ type: 'reply', to: replyTo, body: 'here' }]
      default:
        return []
    }
  },
}

export async function runHangingShard(start: HangingShardStart): Promise<never> {
  const store = openMemoryStore(scriptedTables)
  if (start.wakes !== undefined) {
    const row = { kind: 'counter', id: start.wakes, reason: 'nap', at: 0 }
    await store.commit(
      unowned([{ type: 'put', table: wakeUpsTable.name, key: wakeUpsTable.key(row), row: encodeRow(row) }]),
    )
  }
  const shard = createShard({
    index: 0,
    definitions: [actor] as unknown as readonly AnyActorDefinition[],
    store: { view: store.view, commit: store.commit, flush() {}, onAppended() {}, pending: 0 },
    partitions: sharedPartitionTable(start.partitions),
    clock: neverSet(systemClock),
    random: Math.random,
    log: silent,
    passivateAfterMs: 60_000,
    runJob: () => Promise.resolve({ ok: false, message: 'there are no jobs here' }),
    onHandling: turnNotes(start.turns, 0).note,
    quarantined: start.quarantined,
  })
  shard.connectFront(0, start.front)
  const alive = new Int32Array(start.alive)
  Atomics.add(alive, 0, 1)
  setInterval(() => Atomics.add(alive, 0, 1), aliveEveryMs)
  shard.wake()
  return new Promise<never>(() => {})
}

export const spareLoaded = 'a spare worker is loaded'

export function warmUp(): void {
  const channel = new BroadcastChannel(spareLoaded)
  channel.postMessage(undefined)
  channel.close()
}

/** Comes up, as far as anybody can see, and hangs. */
export function runDeadShard({ alive }: { readonly alive: SharedArrayBuffer }): never {
  Atomics.add(new Int32Array(alive), 0, 1)
  return hang()
}
