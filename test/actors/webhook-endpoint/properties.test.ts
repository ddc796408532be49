// Over random events, answers, replays and ends of the shard: every event that is subscribed to is delivered, or has failed after
// exactly the attempts of its schedule; none is skipped, and the first attempts of a subject are in the order of its events.

import fc from 'fast-check'
import { test } from 'tap'
import { deliveryIdOf, eventIdOf } from '../../../src/records/webhook-delivery.js'
import { type Attempt, createStage, hour, type Reaction, type Stage } from './stage.js'

const attemptsOfSchedule = 6

const reaction = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Reaction>(200, { status: 204, afterMs: 40 }, { status: 200, afterMs: 900 }) },
  { weight: 5, arbitrary: fc.constantFrom<Reaction>(500, 302, 'unreachable', 'never', 'no room') },
  { weight: 1, arbitrary: fc.constant<Reaction>({ status: 429, headers: { 'retry-after': '20' } }) },
)

type Step =
  | { readonly type: 'emit'; readonly subject: number; readonly count: number; readonly wanted: boolean }
  | { readonly type: 'turns'; readonly count: number }
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'crash' | 'passivate' | 'pause' | 'resume' | 'disk refuses' | 'disk takes' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('emit' as const),
      subject: fc.nat(3),
      count: fc.integer({ min: 1, max: 30 }),
      wanted: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 50, 4_999, 5_000, 36_000, hour),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Step>(
      { type: 'crash' },
      { type: 'passivate' },
      { type: 'pause' },
      { type: 'resume' },
      { type: 'disk refuses' },
      { type: 'disk takes' },
    ),
  },
)

/** What holds at each attempt. */
function checkAttempt(stage: Stage, attempt: Attempt): void {
  const { eventId, subject } = attempt
  const others = stage.underWay().filter((other) => other.subject === subject && !other.forgotten)
  if (others.length > 0) throw new Error(`${eventId}: an attempt of its subject is under way`)
  const delivery = stage.deliveries().find(({ delivery_id }) => delivery_id === deliveryIdOf(eventId))
  if (delivery === undefined) return
  if (delivery.status !== 'pending') throw new Error(`${eventId}: it has ${delivery.status}, and is sent again`)
  if ((delivery.next_retry_at ?? 0) > stage.clock.now()) throw new Error(`${eventId}: it is retried too early`)
}

async function take(stage: Stage, one: Step): Promise<void> {
  switch (one.type) {
    case 'emit':
      return stage.append(`CP-${one.subject}`, one.count, one.wanted ? 'charge_point.fault' : 'session.started')
    case 'turns':
      return stage.turns(one.count)
    case 'pass':
      return stage.pass(one.ms)
    case 'crash':
      stage.crash()
      return stage.start()
    case 'passivate':
      return void stage.passivate()
    case 'pause':
    case 'resume':
      return void (await stage.ask({ type: 'update', changes: { active: one.type === 'resume' } }))
    case 'disk refuses':
      return stage.disk(() => false)
    case 'disk takes':
      return stage.disk(() => true)
  }
}

test('webhook endpoint - whatever happens: delivered, or failed as scheduled; none skipped, and first attempts in order', async (t) => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 5, maxLength: 40 }),
    fc.infiniteStream(reaction),
    fc.nat(4),
    async (steps, reactions, commitTurns) => {
      const stage = createStage({ commitTurns })
      await stage.create({ events: ['charge_point.fault'] })
      const faults: unknown[] = []
      stage.receiver((attempt) => {
        try {
          checkAttempt(stage, attempt)
        } catch (fault) {
          faults.push(fault)
        }
        return reactions.next().value as Reaction
      })
      for (const one of steps) await take(stage, one)
      stage.disk(() => true)
      await stage.ask({ type: 'update', changes: { active: true } })
      await stage.pass(24 * hour)

      if (faults.length > 0) throw faults[0]
      const wanted = stage.events().filter(({ event }) => event === 'charge_point.fault')
      const deliveries = new Map(stage.deliveries().map((delivery) => [eventIdOf(delivery.delivery_id), delivery]))
      const attempted = [...new Set(stage.attempts.map(({ eventId }) => eventId))]
      if (deliveries.size !== wanted.length) throw new Error(`${wanted.length} events, ${deliveries.size} deliveries`)
      for (const { id } of wanted) {
        const { status, attempts } = deliveries.get(id) ?? {}
        const made = stage.attempts.filter(({ eventId }) => eventId === id).length
        const ended = status === 'succeeded' || (status === 'failed' && attempts === attemptsOfSchedule)
        if (!ended || made < (attempts ?? 0)) throw new Error(`${id}: ${status} after ${attempts} of ${made} attempts`)
      }
      for (let subject = 0; subject <= 3; subject++) {
        const ids = new Set(wanted.filter((event) => event.subject === `CP-${subject}`).map(({ id }) => id))
        const first = attempted.filter((id) => ids.has(id))
        if (first.join() !== [...first].sort().join()) throw new Error(`out of order: ${first.join()}`)
      }
    },
  )
  await fc.assert(property, { numRuns: 60 })
  t.end()
})

test('webhook endpoint - while its shard lives, as many attempts are made as are stored', async (t) => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 5, maxLength: 30 }),
    fc.infiniteStream(reaction),
    fc.nat(4),
    async (steps, reactions, commitTurns) => {
      const stage = createStage({ commitTurns })
      await stage.create()
      stage.receiver(() => reactions.next().value as Reaction)
      for (const one of steps) if (!/crash|disk/.test(one.type)) await take(stage, one)
      await stage.ask({ type: 'update', changes: { active: true } })
      await stage.pass(24 * hour)
      for (const { delivery_id, attempts } of stage.deliveries()) {
        const made = stage.attempts.filter(({ eventId, noRoom }) => eventId === eventIdOf(delivery_id) && !noRoom)
        if (made.length !== attempts) throw new Error(`${attempts} attempts are stored, ${made.length} were made`)
      }
    },
  )
  await fc.assert(property, { numRuns: 40 })
  t.end()
})
