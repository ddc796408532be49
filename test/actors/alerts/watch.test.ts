// The step from causes to alerts, as a rule: whatever comes and goes, and whenever it is looked at.

import fc from 'fast-check'
import { test } from 'tap'
import { noteCause, raised, resolvedWatch, verdictOf } from '../../../src/alerts/watch.js'
import { phaseOf, type Watch } from '../../../src/records/alert.js'

const raiseAfterMs = 60_000
const settleMs = 30_000

interface Played {
  readonly told: readonly ('triggered' | 'resolved')[]
  readonly watch: Watch | undefined
}

/** Causes seen at times, with a look after each step and at the end of enough time. */
function play(steps: readonly { readonly afterMs: number; readonly holds: boolean }[]): Played {
  const told: ('triggered' | 'resolved')[] = []
  let watch: Watch | undefined
  let now = 1_000_000
  const look = () => {
    if (watch === undefined) return
    const phase = phaseOf(watch)
    const wait = phase === 'ends' ? settleMs : raiseAfterMs
    const verdict = verdictOf(phase)
    if (verdict === undefined || now - watch.since < wait) return
    told.push(verdict === 'raise' ? 'triggered' : 'resolved')
    watch = verdict === 'raise' ? raised(watch, `alr_${told.length}`) : resolvedWatch(watch)
  }
  for (const { afterMs, holds } of steps) {
    now += afterMs
    look()
    watch = noteCause(watch, holds, now)
  }
  now += raiseAfterMs + settleMs
  look()
  return { told, watch }
}

const steps = fc.array(
  fc.record({
    afterMs: fc.oneof(
      fc.integer({ min: 0, max: 200_000 }),
      fc.constantFrom(0, settleMs, raiseAfterMs, raiseAfterMs - 1),
    ),
    holds: fc.boolean(),
  }),
  { maxLength: 60 },
)

test('alert watch - what is told alternates, and ends as the cause does', (t) => {
  fc.assert(
    fc.property(steps, (causes) => {
      const { told, watch } = play(causes)
      const alternates = told.every((one, at) => one === (at % 2 === 0 ? 'triggered' : 'resolved'))
      const holds = causes.at(-1)?.holds ?? false
      const isOpen = told.at(-1) === 'triggered'
      return alternates && isOpen === holds && (watch !== undefined) === holds
    }),
    { numRuns: 2_000 },
  )
  t.end()
})

test('alert watch - a cause that comes and goes within its time is never told, nor is an end within its', (t) => {
  const often = (afterMs: number, first: boolean) =>
    Array.from({ length: 100 }, (_, at) => ({ afterMs, holds: at % 2 === 0 ? first : !first }))
  t.same(play([...often(raiseAfterMs - 1, true), { afterMs: 10, holds: false }]).told, [])
  const opened = [
    { afterMs: 0, holds: true },
    { afterMs: raiseAfterMs, holds: true },
  ]
  t.same(play([...opened, ...often(settleMs - 1, false)]).told, ['triggered'])
  t.end()
})

test('alert watch - one that nobody wants to hear of any more leaves its cause, to be told when it is wanted again', (t) => {
  const open = raised({ since: 5 }, 'alr_1')
  t.same(resolvedWatch(open), { since: 5 })
  const ending = noteCause(open, false, 9)
  t.same(ending, { since: 9, alert_id: 'alr_1', ending: true })
  t.equal(resolvedWatch(ending as Watch), undefined)
  t.end()
})
