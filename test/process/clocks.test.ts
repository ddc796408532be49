// How often the clocks of an installation look: at rest for longer than they work, however much there is to look at.

import { test } from 'tap'
import { startClocks } from '../../src/process/clocks.js'
import { tables } from '../../src/records/index.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { createFakeClock } from '../support/fake-clock.js'

test('clocks - a look for alerts is followed by a rest of ten times as long, of two seconds at least and a minute at most', async (t) => {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const timers: { readonly run: () => Promise<void>; readonly ms: number }[] = []
  t.intercept(globalThis, 'setTimeout', {
    value: (run: () => Promise<void>, ms: number) => {
      timers.push({ run, ms })
      return { unref: () => undefined }
    },
  })
  let lookMs = 0
  startClocks({
    singleton: (name) => ({
      owned: () => name === 'alert-clock',
      commit: async () => ({ ok: true }),
      tell: () => undefined,
    }),
    clock,
    view: () => {
      clock.advance(lookMs)
      lookMs = 0
      return store.view()
    },
    newId: (prefix) => prefix,
    log: { error: () => undefined },
    live: new Set([1]),
    startedAt: { wall: clock.now(), monotonic: clock.monotonic() },
    settleMs: 60_000,
    surroundings: async () => ({ takesAlerts: true, certificates: [] }),
    samplesFleets: false,
  })
  const [, alerts] = timers
  async function restAfter(ms: number): Promise<number | undefined> {
    lookMs = ms
    await alerts?.run()
    return timers.at(-1)?.ms
  }
  t.equal(await restAfter(10), 2_000)
  t.equal(await restAfter(900), 9_000)
  t.equal(await restAfter(20_000), 60_000)
})
