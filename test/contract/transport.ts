// The Transport contract: how envelopes reach whoever owns the actor's partition, over any link. Its receiver is what a shard is.

import { type Test, test } from 'tap'
import type { Address } from '../../src/runtime/actor/actor.js'
import { addressKey, partitionOf } from '../../src/runtime/actor/partition-table.js'
import type { Envelope, Transport } from '../../src/runtime/actor/transport.js'

export interface TransportPlace {
  readonly transport: Transport
  /** Of these owners. */
  readonly owners: readonly [number, number]
  /** Gives the actor's partition to an owner, and resolves with its new epoch once the transport goes by it. */
  assign(to: Address, owner: number): Promise<number>
  /** Resolves with the batches that have reached the owner once there are so many envelopes in them. */
  received(owner: number, envelopes: number): Promise<readonly (readonly Envelope[])[]>
}

export function transportContract(implementation: string, place: (t: Test) => TransportPlace): void {
  const name = (what: string) => `${implementation} - transport: ${what}`
  const to: Address = { kind: 'counter', id: 'a' }

  test(name('what is sent in one turn leaves together, in its order'), async (t) => {
    const { transport, owners, assign, received } = place(t)
    await assign(to, owners[0])
    for (const word of ['first', 'second', 'third']) transport.send(to, { word })
    transport.flush()
    const batches = await received(owners[0], 3)
    t.equal(batches.length, 1)
    t.match(
      batches.flat().map(({ message }) => message),
      [{ word: 'first' }, { word: 'second' }, { word: 'third' }],
    )
  })

  test(name('without a flush it leaves soon'), async (t) => {
    const { transport, owners, assign, received } = place(t)
    await assign(to, owners[0])
    transport.send(to, 'soon')
    t.match(await received(owners[0], 1), [[{ message: 'soon' }]])
  })

  test(name('an envelope says where its actor is, since which epoch, and is unique on its link'), async (t) => {
    const { transport, owners, assign, received } = place(t)
    const epoch = await assign(to, owners[0])
    transport.send(to, 1)
    transport.send(to, 2)
    transport.flush()
    const envelopes = (await received(owners[0], 2)).flat()
    const partition = partitionOf(addressKey(to))
    t.match(envelopes, [
      { to: { kind: 'counter', id: 'a' }, partition, epoch },
      { partition, epoch },
    ])
    t.equal(new Set(envelopes.map(({ id }) => id)).size, 2)
  })

  test(name('a question says where its answer goes, and how long it is waited for'), async (t) => {
    const { transport, owners, assign, received } = place(t)
    await assign(to, owners[0])
    transport.send(to, 'how much?', { replyTo: { front: 3, ask: 9 }, remainingMs: 250 })
    transport.send(to, 'by the way')
    transport.flush()
    const [question, statement] = (await received(owners[0], 2)).flat() as [Envelope, Envelope]
    t.same(question.replyTo, { front: 3, ask: 9 })
    t.ok((question.remainingMs ?? 0) > 0 && (question.remainingMs ?? 0) <= 250)
    t.same([statement.replyTo, statement.remainingMs], [undefined, undefined])
  })

  test(name('once the partition has another owner, that one gets what is sent, under the new epoch'), async (t) => {
    const { transport, owners, assign, received } = place(t)
    const before = await assign(to, owners[0])
    transport.send(to, 'before')
    transport.flush()
    await received(owners[0], 1)
    const after = await assign(to, owners[1])
    transport.send(to, 'after')
    transport.flush()
    t.match(await received(owners[1], 1), [[{ message: 'after', epoch: after }]])
    t.ok(after > before)
    t.equal((await received(owners[0], 1)).flat().length, 1, 'and the former owner nothing more')
  })
}
