// Timers against a plain sorted list.

import fc from 'fast-check'
import { test } from 'tap'
import { createTimers, type Timer } from '../../src/runtime/actor/timers.js'
import { createFakeClock } from '../support/fake-clock.js'

type Step =
  | { readonly type: 'schedule'; readonly inMs: number }
  | { readonly type: 'cancel'; readonly which: number }
  | { readonly type: 'advance'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('schedule' as const), inMs: fc.integer({ min: -10, max: 100 }) }),
  fc.record({ type: fc.constant('cancel' as const), which: fc.nat(50) }),
  fc.record({ type: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 60 }) }),
)

test('timers - they come as a sorted list would bring them, whatever is scheduled and cancelled', (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const clock = createFakeClock()
        const timers = createTimers<number>(clock)
        const made: Timer<number>[] = []
        let model: { at: number; value: number }[] = []
        for (const [value, taken] of steps.entries()) {
          if (taken.type === 'schedule') {
            const at = clock.monotonic() + taken.inMs
            made.push(timers.schedule(at, value))
            model.push({ at, value })
          } else if (taken.type === 'cancel') {
            const timer = made[taken.which]
            if (timer === undefined) continue
            timers.cancel(timer)
            model = model.filter((entry) => entry.value !== timer.value)
          } else {
            clock.advance(taken.ms)
            const due = timers.due()
            const expected = model.filter((entry) => entry.at <= clock.monotonic())
            const times = new Map(expected.map((entry) => [entry.value, entry.at]))
            const dueTimes = due.map((value) => times.get(value))
            if (
              dueTimes.some((at, index) => at === undefined || at < (dueTimes[index - 1] ?? Number.NEGATIVE_INFINITY))
            )
              throw new Error(`not due, or out of order: ${dueTimes}`)
            if (due.length !== expected.length) throw new Error(`${due.length} were due, not ${expected.length}`)
            model = model.filter((entry) => entry.at > clock.monotonic())
          }
          const next = model.reduce<number | undefined>((least, { at }) => Math.min(least ?? at, at), undefined)
          if (timers.next() !== next) throw new Error(`next is ${timers.next()}, not ${next}`)
          if (timers.size !== model.length) throw new Error(`size is ${timers.size}, not ${model.length}`)
        }
      }),
      { numRuns: 300 },
    ),
  )
  t.end()
})
