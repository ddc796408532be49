// Streams below their sockets: who is told what, whatever the order in which events come and readers have room.

import fc from 'fast-check'
import { test } from 'tap'
import { createEventStreams } from '../../src/api/areas/events/event-streams.js'
import { limits } from '../../src/api/areas/events/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { createLongReads } from '../../src/api/pipeline/long-reads.js'
import { chargePointConnected, chargePointDisconnected } from '../../src/events/charge-point.js'
import { domainEvent } from '../../src/events/define-event.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { tables } from '../../src/records/index.js'
import { eventChange, outboxTable, placeBefore } from '../../src/runtime/actor/outbox.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { registeredRow } from '../support/registration.js'

const dayMs = 86_400_000
const time = '2026-11-20T00:00:00.000Z'

interface Options {
  readonly after?: string | undefined
  readonly types?: readonly string[]
  readonly siteId?: string
  readonly isAllowed?: () => boolean
  readonly organizationId?: string
  readonly callerId?: string
}

function streamsOver() {
  let now = Date.parse(time)
  let keys = 0
  const nextKey = (): string => `key_${++keys}`
  const clock = { now: () => now, monotonic: () => now }
  const store = openMemoryStore(tables, { clock, onAppended: (topics) => streams.appended(topics) })
  const streams = createEventStreams({ view: store.view, longReads: createLongReads(clock), clock })

  /** One charge point connects, another, which may be in a site, loses its connection. */
  async function happen(count: number, connects: boolean, organizationId = 'org_1'): Promise<void> {
    const about = { organizationId, subject: connects ? 'CP-1' : 'CP-2' }
    const event = connects
      ? domainEvent(chargePointConnected, about, { charge_point_id: 'CP-1', connected_at: time, remote_address: '' })
      : domainEvent(chargePointDisconnected, about, {
          charge_point_id: 'CP-2',
          disconnected_at: time,
          code: 1000,
          reason: '',
        })
    await store.commit(unowned(Array.from({ length: count }, () => eventChange(event, now))))
  }

  /** A reader as a socket is one: it asks when it was woken, and after each part that it has had. */
  function open({
    after,
    types,
    siteId,
    isAllowed = () => true,
    organizationId = 'org_1',
    callerId = nextKey(),
  }: Options = {}) {
    let isWoken = true
    let isEnded = false
    const reader = streams.stream({ organizationId, callerId, after, types, siteId, isAllowed }).open(() => {
      isWoken = true
    })
    const parts: Uint8Array[] = []
    const texts = (): string[] => parts.map((part) => Buffer.from(part).toString())
    /** At most one part; false when there is nothing to wait for. */
    function read(): boolean {
      if (!isWoken || isEnded) return false
      isWoken = false
      const part = reader.read()
      if (part === null) {
        isEnded = true
        reader.close()
      } else if (part !== undefined) {
        parts.push(part)
        isWoken = true
      }
      return isWoken
    }
    return {
      read,
      /** Until it has its first event. */
      async readFirst() {
        for (; !texts().some((text) => text.includes('event: ')); read()) await new Promise(setImmediate)
      },
      async readAll() {
        for (; read() || streams.statistics().behind > 0; ) await new Promise(setImmediate)
      },
      parts,
      texts,
      ids: () =>
        [
          ...texts()
            .join('')
            .matchAll(/^id: (\S+)\nevent: /gm),
        ].map(([, id]) => id),
      isEnded: () => isEnded,
      close: reader.close,
    }
  }

  return {
    streams,
    happen,
    /** The charge point that loses connections is in this site from now on. */
    async link(siteId: string | undefined): Promise<void> {
      const row = registeredRow('CP-2', siteId === undefined ? {} : { site_id: siteId })
      await store.commit(unowned([putRow(chargePointsTable, row)]))
    },
    open,
    pass(milliseconds: number) {
      now += milliseconds
    },
    prune: () => store.prune(now),
    view: store.view,
    ids: (event?: string) =>
      store
        .view()
        .listBy(outboxTable, 'byOrganization', ['org_1'])
        .filter((row) => event === undefined || row.event === event)
        .map(({ id }) => id),
  }
}

/** With the event that is wanted; null for none. */
const selections = {
  all: { options: {}, event: undefined },
  connected: { options: { types: ['charge_point.connected'] }, event: 'charge_point.connected' },
  site: { options: { siteId: 'site_1' }, event: 'charge_point.disconnected' },
  none: { options: { types: ['session.*'] }, event: null },
} as const

type Step =
  | { readonly type: 'happen'; readonly count: number; readonly connects: boolean }
  | { readonly type: 'read'; readonly reader: number; readonly parts: number }
  | { readonly type: 'open'; readonly from: 'oldest' | 'now'; readonly selection: keyof typeof selections }
  | { readonly type: 'tick' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant('happen' as const),
    count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 190, max: 450 })),
    connects: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('read' as const),
    reader: fc.nat(),
    parts: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant(1_000)),
  }),
  fc.record({
    type: fc.constant('open' as const),
    from: fc.constantFrom('oldest' as const, 'now' as const),
    selection: fc.constantFrom('all' as const, 'connected' as const, 'site' as const, 'none' as const),
  }),
  fc.record({ type: fc.constant('tick' as const) }),
)

test('event streams - whatever the order of events and reads, each reader has all of its events once, in order', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { happen, link, open, pass, streams, ids } = streamsOver()
      await link('site_1')
      const readers: { readonly reader: ReturnType<typeof open>; readonly expected: () => string[] }[] = []
      for (const one of steps) {
        if (one.type === 'happen') await happen(one.count, one.connects)
        else if (one.type === 'read') {
          const reader = readers[one.reader % Math.max(1, readers.length)]?.reader
          for (let at = 0; at < one.parts && reader?.read(); at++);
        } else if (one.type === 'open') {
          const already = one.from === 'now' ? ids().length : 0
          const skipped = new Set(ids().slice(0, already))
          const { options, event } = selections[one.selection]
          const after = one.from === 'oldest' ? 'evt_00000000000000000000000000' : undefined
          const expected = (): string[] => (event === null ? [] : ids(event).filter((id) => !skipped.has(id)))
          readers.push({ reader: open({ after, ...options }), expected })
        } else {
          pass(1_000)
          streams.tick()
        }
      }
      for (const { reader, expected } of readers) {
        await reader.readAll()
        // What is told in a second has a bound.
        for (let second = 0; second < 60 && reader.ids().length < expected().length; second++) {
          pass(1_000)
          streams.tick()
          await reader.readAll()
        }
        const told = reader.ids()
        if (told.join() !== expected().join()) throw new Error(`told ${told.length} of ${expected().length}`)
      }
    }),
    { numRuns: 150 },
  )
  t.pass()
})

test('event streams - a reader of a site has the events of a charge point while it is in the site', async (t) => {
  const { happen, link, open, ids } = streamsOver()
  const [ofSite, ofOther] = [open({ siteId: 'site_1' }), open({ siteId: 'site_2' })]
  const told: (readonly number[])[] = []
  for (const siteId of [undefined, 'site_1', 'site_2', 'site_1']) {
    await link(siteId)
    await happen(2, false)
    await happen(1, true)
    for (const reader of [ofSite, ofOther]) await reader.readAll()
    told.push([ofSite.ids().length, ofOther.ids().length])
  }
  t.same(told, [
    [0, 0],
    [2, 0],
    [2, 2],
    [4, 2],
  ])
  const behind = open({ after: placeBefore(0), siteId: 'site_1' })
  await behind.readAll()
  t.same(behind.ids(), ids('charge_point.disconnected'), 'what was before counts for the site in which it is now')
})

test('event streams - readers at one place are told the same bytes, made once', async (t) => {
  const { happen, open } = streamsOver()
  const readers = [open(), open(), open({ types: ['session.*'] })]
  for (const reader of readers) await reader.readAll()
  await happen(10, true)
  for (const reader of readers) await reader.readAll()
  t.equal(readers[0]?.ids().length, 10)
  t.equal(readers[0]?.parts[1], readers[1]?.parts[1])
  t.equal(readers[2]?.parts.length, 1)
})

test('event streams - a part has a bound', async (t) => {
  const { happen, open } = streamsOver()
  const reader = open({ after: 'evt_00000000000000000000000000' })
  await happen(1_000, true)
  await reader.readAll()
  t.equal(reader.ids().length, 1_000)
  t.ok(Math.max(...reader.parts.map((part) => part.length)) < limits.streamedCharactersPerPart + 1_000)
})

test('event streams - silence is filled, and a reader that wants little still learns where it would resume', async (t) => {
  const { happen, open, pass, streams, ids } = streamsOver()
  const [all, some] = [open(), open({ types: ['session.*'] })]
  for (const reader of [all, some]) await reader.readAll()
  await happen(3, true)
  for (const reader of [all, some]) await reader.readAll()
  for (const silence of [14_000, 1_000]) {
    pass(silence)
    streams.tick()
    for (const reader of [all, some]) await reader.readAll()
  }
  t.equal(all.texts().at(-1), ':\n\n')
  t.equal(some.texts().at(-1), `id: ${ids().at(-1)}\n\n`)
  t.equal(some.texts().length, 2)
})

test('event streams - one ends when its key is no longer good, when all end, and when events behind it are gone', async (t) => {
  const { happen, open, pass, streams, prune } = streamsOver()
  let isAllowed = true
  const revoked = open({ isAllowed: () => isAllowed })
  const slow = open()
  const other = open()
  for (const reader of [revoked, slow, other]) await reader.readAll()
  isAllowed = false
  pass(1_000)
  await happen(1, true)
  await revoked.readAll()
  await other.readAll()
  t.ok(revoked.isEnded())
  t.same(revoked.ids(), [])
  t.equal(other.ids().length, 1)
  for (let second = 0; second < 3; second++) streams.tick()
  pass(31 * dayMs)
  await prune()
  await happen(1, true)
  await slow.readAll()
  await other.readAll()
  t.ok(slow.isEnded(), 'it resumes, and is told that it has missed something')
  t.notOk(other.isEnded())
  streams.end()
  await other.readAll()
  t.ok(other.isEnded())
  t.match(streams.statistics(), { open: 0, opened: 3, events: 2 })
})

test('event streams - an organization has so many, and a front', async (t) => {
  const { open, streams } = streamsOver()
  const readers = Array.from({ length: limits.eventStreamsPerOrganization }, () => open())
  t.throws(() => open(), { code: 'too_many_streams' })
  readers[0]?.close()
  readers[0]?.close()
  open()
  t.throws(() => open(), { code: 'too_many_streams' })
  const organizations = limits.eventStreams / limits.eventStreamsPerOrganization
  for (let at = 1; at < organizations; at++)
    for (let count = 0; count < limits.eventStreamsPerOrganization; count++) open({ organizationId: `org_${at + 1}` })
  t.throws(() => open({ organizationId: 'org_new' }), { code: 'overloaded' })
  t.equal(streams.statistics().open, limits.eventStreams)
})

test('event streams - one key leaves streams to the others of its organization', (t) => {
  const { open } = streamsOver()
  for (let count = 0; count < limits.eventStreamsPerKey; count++) open({ callerId: 'key_one' })
  t.throws(() => open({ callerId: 'key_one' }), { code: 'too_many_streams' })
  open({ callerId: 'key_two' })
  open({ callerId: 'key_one', organizationId: 'org_2' })
  t.end()
})

test('event streams - those that are behind read one at a time, and leave their turns to others', async (t) => {
  const { happen, open, streams } = streamsOver()
  await happen(1_000, true)
  const readers = Array.from({ length: 50 }, () => open({ after: placeBefore(0) }))
  for (const reader of readers) while (reader.read());
  t.ok(
    readers.every(({ ids }) => ids().length === 0),
    'none reads the store while its socket is asked',
  )
  t.equal(streams.statistics().behind, 50)
  await happen(1, false, 'org_2')
  const other = open({ organizationId: 'org_2', after: placeBefore(0) })
  await other.readFirst()
  t.equal(other.ids().length, 1)
  t.ok(
    readers.filter(({ read, ids }) => read() || ids().length > 0).length <= 3,
    'the other organization has waited for a turn or two',
  )
  await Promise.all(readers.map(({ readAll }) => readAll()))
  t.ok(readers.every(({ ids }) => ids().length === 1_000))
  t.equal(streams.statistics().behind, 0)
})

test('event streams - what those of an organization are told in a second has a bound, and is shared among them', async (t) => {
  const { happen, open, pass, streams } = streamsOver()
  const readers = Array.from({ length: limits.eventStreamsPerOrganization }, () => open())
  const other = open({ organizationId: 'org_2' })
  const bytes = (): number[] => readers.map(({ parts }) => parts.reduce((sum, { length }) => sum + length, 0))
  const sum = (): number => bytes().reduce((all, one) => all + one, 0)
  for (const reader of [...readers, other]) while (reader.read());
  await happen(1_000, true)
  for (let round = 0; round < 30; round++) for (const reader of readers) reader.read()
  const atOnce = sum()
  t.ok(atOnce > 0.9 * limits.streamedBytesBurst && atOnce <= limits.streamedBytesBurst, `${atOnce} bytes at once`)
  t.equal(streams.statistics().slowed, readers.length)
  await happen(1, true, 'org_2')
  while (other.read());
  t.equal(other.ids().length, 1, 'the budget of one organization is not that of another')
  let seconds = 0
  for (; readers.some(({ ids }) => ids().length < 1_000) && seconds < 60; seconds++) {
    pass(1_000)
    streams.tick()
    await Promise.all(readers.map(({ readAll }) => readAll()))
    t.ok(sum() <= limits.streamedBytesBurst + (seconds + 1) * limits.streamedBytesPerSecond)
    t.ok(Math.max(...bytes()) - Math.min(...bytes()) < 2 * limits.streamedBytesPerPart, 'they go on in turn')
  }
  t.ok(
    readers.every(({ ids }) => new Set(ids()).size === 1_000 && ids().length === 1_000),
    `each has all of its events once, after ${seconds} seconds`,
  )
})

test('event streams - a list of events that is out of order ends the stream that reads it, and no other', async (t) => {
  const { happen, open, view, streams } = streamsOver()
  await happen(3, true)
  const errors: unknown[] = []
  const odd = createEventStreams({
    // What a store that has lost its order would answer.
    view: () => ({
      ...view(),
      listBy: (table, index, group, query) => view().listBy(table, index, group, query).reverse(),
    }),
    longReads: createLongReads({ monotonic: () => 0 }),
    clock: { now: () => 0, monotonic: () => 0 },
    log: { error: (about: unknown) => errors.push(about) } as never,
  })
  const options = {
    organizationId: 'org_1',
    callerId: 'key_1',
    after: placeBefore(0),
    types: undefined,
    siteId: undefined,
    isAllowed: () => true,
  }
  let wakes = 0
  const reader = odd.stream(options).open(() => wakes++)
  t.ok(reader.read(), 'its first part says where it begins')
  t.equal(reader.read(), undefined)
  while (wakes === 0) await new Promise(setImmediate)
  t.equal(reader.read(), null)
  t.match(errors, [{ err: { message: /events are read in the order of their ids, and once/ }, organization: 'org_1' }])
  const other = open({ after: placeBefore(0) })
  await other.readAll()
  t.equal(other.ids().length, 3)
  t.equal(streams.statistics().open, 1)
})
