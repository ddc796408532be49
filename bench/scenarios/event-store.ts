// Events into the store and out of it, without the rest of the service: the store thread as the service starts it, and the
// feed's own reads in the thread of the bench.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import { readFeed } from '../../src/api/areas/events/event-feed.js'
import { createEventStreams } from '../../src/api/areas/events/event-streams.js'
import { beginAtOnce, createLongReads } from '../../src/api/pipeline/long-reads.js'
import { chargePointStatusChanged } from '../../src/events/charge-point.js'
import { domainEvent } from '../../src/events/define-event.js'
import type { StoreControl, StoreStart } from '../../src/process/threads.js'
import { tables } from '../../src/records/index.js'
import { eventChange } from '../../src/runtime/actor/outbox.js'
import { systemClock } from '../../src/runtime/clock.js'
import { readSettings } from '../../src/runtime/config.js'
import { handOver, remoteControl } from '../../src/runtime/link/control.js'
import { connectStore, type StoreClient } from '../../src/runtime/link/store-client.js'
import { openView, type StoreView } from '../../src/runtime/store/lmdb-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { type Settings, settingsSchema } from '../../src/settings.js'
import type { Measurement, Scenario } from '../scenario.js'

const organizationId = 'org_01M7YWG4JM0000000000000001'
const pageEvents = 1_000
const defaults = readSettings<Settings>(settingsSchema, {
  version: 'bench',
  program: 'ampshard',
  description: '',
  environmentPrefix: 'AMPSHARD',
  arguments: [],
  environment: {},
})

function statusEvent(number: number) {
  const chargePointId = `BENCH-${number % 1_000}`
  return domainEvent(
    chargePointStatusChanged,
    { organizationId, subject: chargePointId },
    {
      charge_point_id: chargePointId,
      connector_id: 1,
      status: 'Available',
      previous_status: 'Preparing',
      error_code: 'NoError',
      info: null,
      timestamp: '2026-11-20T09:30:00.000Z',
    },
  )
}

interface StoreThread {
  readonly client: StoreClient
  readonly view: StoreView
  stop(): Promise<void>
}

async function startStore(): Promise<StoreThread> {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-bench-events-'))
  const link = new MessageChannel()
  const start: StoreStart = { settings: { ...defaults, data }, control: link.port2 }
  const worker = new Worker(new URL('../../src/process/store-thread.js', import.meta.url), {
    workerData: start,
    transferList: [link.port2],
  })
  const control = remoteControl<StoreControl>(link.port1)
  await control.open()
  const commits = new MessageChannel()
  await control.connect(handOver(commits.port1))
  const view = openView(data, tables)
  return {
    client: connectStore(commits.port2, view),
    view,
    async stop() {
      await control.close()
      await view.close()
      await worker.terminate()
      link.port1.close()
      commits.port2.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** One event a commit, as most turns of actors have it; so many wait at once. */
function commitEvents({ client }: StoreThread, count: number, waiting: number): Promise<void> {
  let sent = 0
  let done = 0
  let isDue = false
  return new Promise((resolve, reject) => {
    function flushSoon(): void {
      if (isDue) return
      isDue = true
      setImmediate(() => {
        isDue = false
        client.flush()
      })
    }
    function next(): void {
      if (sent === count) return
      void client.commit(unowned([eventChange(statusEvent(sent++), Date.now())])).then((result) => {
        if (!result.ok) return reject(new Error(`a commit was refused: ${result.reason}`))
        if (++done === count) return resolve()
        next()
      })
      flushSoon()
    }
    for (let at = 0; at < waiting; at++) next()
  })
}

async function readPages({ client }: StoreThread): Promise<number> {
  let cursor: string | undefined
  let events = 0
  for (;;) {
    const query = { organizationId, after: cursor, limit: pageEvents, wanted: () => true }
    const page = await readFeed({ view: client.view(), begin: beginAtOnce(organizationId) }, query)
    JSON.stringify(page)
    events += page.data.length
    cursor = page.next_cursor
    if (!page.has_more) return events
  }
}

/** What all streams are told of some events that have just happened, one part after the other in turns. */
async function readStreams(store: StoreThread, streams: number, events: number): Promise<number> {
  const feed = createEventStreams({
    view: store.client.view,
    longReads: createLongReads(systemClock),
    clock: systemClock,
  })
  const readers = Array.from({ length: streams }, (_, at) =>
    feed
      .stream({
        organizationId,
        callerId: `key_${at}`,
        after: undefined,
        types: undefined,
        siteId: undefined,
        isAllowed: () => true,
      })
      .open(() => {}),
  )
  for (const reader of readers) reader.read()
  await commitEvents(store, events, events)
  feed.appended([organizationId])
  const before = performance.now()
  for (let more = true; more; ) {
    more = false
    for (const reader of readers) more = reader.read() instanceof Uint8Array || more
  }
  const microseconds = (performance.now() - before) * 1_000
  for (const reader of readers) reader.close()
  return microseconds / events
}

export const eventStore: Scenario = {
  name: 'event-store',
  title: 'Events into the store, and out of it by pages and streams',
  subjects: ['ampshard'],
  parameters: (quick) => ({ events: quick ? 5_000 : 200_000, waiting: 2_000, streams: 100, streamed: 400 }),
  targets: [
    { metric: 'events into the store', is: 'at least', value: 10_000 },
    { metric: 'events out by pages', is: 'at least', value: 10_000 },
  ],
  async run(bench, _subject, { events = 0, waiting = 0, streams = 0, streamed = 0 }) {
    const store = await startStore()
    const perSecond = (count: number, since: number): number => (count * 1_000) / (performance.now() - since)
    try {
      await commitEvents(store, waiting * 2, waiting)
      const measurements: Measurement[] = []
      await bench.step('events', 1, async () => {
        const began = performance.now()
        await commitEvents(store, events, waiting)
        measurements.push({ metric: 'events into the store', value: perSecond(events, began), unit: '/s' })
        const readFrom = performance.now()
        const read = await readPages(store)
        measurements.push({ metric: 'events out by pages', value: perSecond(read, readFrom), unit: '/s' })
        for (const count of [1, streams])
          measurements.push({
            metric: `an event to ${count} ${count === 1 ? 'stream' : 'streams'}`,
            value: await readStreams(store, count, streamed),
            unit: 'us',
          })
      })
      return measurements
    } finally {
      await store.stop()
    }
  },
}
