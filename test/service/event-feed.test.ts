// The feed of the built service: pages that miss nothing and repeat nothing while events come from everywhere at once.

import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'tap'
import type { FeedEvent } from '../../src/api/areas/events/event-feed.js'
import { type Organization, tenantOf } from '../support/organization.js'
import { testOverKill } from '../support/over-a-kill.js'
import type { Service } from '../support/service.js'
import { sharedService, twoOfEach } from '../support/shared-services.js'
import { storedEvents, storm } from '../support/storm.js'

interface Paging {
  readonly limit: () => number
  readonly query?: string
  /** No more is coming: ends with the first page that has no more. */
  readonly isDone: () => boolean
  readonly from?: Organization
}

async function readAll(service: Service, { limit, query = '', isDone, from }: Paging): Promise<FeedEvent[]> {
  const read: FeedEvent[] = []
  let cursor = ''
  for (;;) {
    const wasDone = isDone()
    const path = `/api/v1/events?limit=${limit()}&cursor=${cursor}${query}`
    const { status, body } = await (from ?? service).request('GET', path)
    if (status !== 200) throw new Error(`the feed answered ${status}`)
    read.push(...body.data)
    cursor = body.next_cursor
    if (body.has_more) continue
    if (wasDone) return read
    await delay(1)
  }
}

const idsOf = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id)
const upTo = (most: number) => () => 1 + Math.floor(Math.random() * most)

test('event feed - readers of pages miss nothing and see nothing twice while events come over two fronts and shards', async (t) => {
  const service = await tenantOf(await sharedService(twoOfEach))
  let done = false
  const isDone = () => done
  const readers = [
    readAll(service, { limit: upTo(7), isDone }),
    readAll(service, { limit: upTo(300), isDone }),
    readAll(service, { limit: () => 1_000, isDone, query: '&types=charge_point.disconnected,session.*' }),
  ]
  await storm(service, { chargePoints: 12, changes: 60, prefix: 'SPREAD' })
  const stored = await storedEvents(service, service.id)
  done = true
  const [some, many, filtered] = await Promise.all(readers)
  t.equal(stored.length, 12 * 63)
  t.same(idsOf(some ?? []), idsOf(stored))
  t.same(idsOf(many ?? []), idsOf(stored))
  t.same(idsOf(filtered ?? []), idsOf(stored.filter(({ event }) => event === 'charge_point.disconnected')))
  for (const id of ['SPREAD-0', 'SPREAD-11']) {
    const statuses = many?.filter(({ subject, event }) => subject === id && event === 'charge_point.status_changed')
    const told = statuses?.map(({ data }) => [data.previous_status, data.status])
    t.ok(
      told?.every(([before], at) => before === (told[at - 1]?.[1] ?? null)),
      'what is about one charge point is in the order in which it happened',
    )
  }
})

test('event feed - tenants see their own events alone, whatever cursor they bring', async (t) => {
  const [service, other] = [await tenantOf(await sharedService()), await tenantOf(await sharedService())]
  await Promise.all([
    storm(service, { chargePoints: 2, changes: 10, prefix: 'FEED' }),
    storm(other, { chargePoints: 2, changes: 10, prefix: 'FEED-OTHER' }),
  ])
  const isDone = () => true
  const own = await readAll(service, { limit: () => 5, isDone })
  const others = await readAll(service, { limit: () => 5, isDone, from: other })
  t.ok(own.length >= 22 && own.every(({ subject }) => /^FEED-\d/.test(subject)))
  t.ok(others.length >= 22 && others.every(({ subject }) => subject.startsWith('FEED-OTHER-')))
  t.same(idsOf(others), idsOf(await storedEvents(service, other.id)))
  const foreign = await other.request('GET', `/api/v1/events?limit=1000&cursor=${own[5]?.id}`)
  t.equal(foreign.status, 200)
  t.same(
    idsOf(foreign.body.data),
    idsOf(others).filter((id) => id > (own[5]?.id ?? '')),
    'the id of a foreign event is a place in time, like any other',
  )
})

testOverKill('event feed - the feed goes on over a restart of the service', async (_, first) => {
  await storm(first, { chargePoints: 1, changes: 5, prefix: 'FEED-OLD' })
  const before = (await first.request('GET', '/api/v1/events')).body

  return async (t, second) => {
    const again = (await second.request('GET', '/api/v1/events')).body
    t.same(again.data.slice(0, before.data.length), before.data, 'events keep their ids')
    await storm(second, { chargePoints: 1, changes: 3, prefix: 'FEED-NEW' })
    const { body } = await second.request('GET', `/api/v1/events?cursor=${again.next_cursor}`)
    t.equal(body.data[0].event, 'charge_point.registered')
    t.equal(body.data[0].subject, 'FEED-NEW-0')
  }
})
