// A mail's actor over the store in memory, a clock that moves when told, and a mail server that answers when told.

import { pino } from 'pino'
import { test } from 'tap'
import { mail, pauseAfter } from '../../../src/actors/mail/mail.js'
import { mailAddress, type SendMailRequest, type SendMailResult } from '../../../src/actors/mail/messages.js'
import { mailChanges } from '../../../src/api/pipeline/mail.js'
import { tables } from '../../../src/records/index.js'
import { mailsTable } from '../../../src/records/mail.js'
import type { JobOutcome } from '../../../src/runtime/actor/actor.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { createWakeUpSweep, wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'

const id = 'mail_01'
const hour = 3_600_000
const partitions = ownPartitions()
const token = 'a-token-that-nobody-guesses'
const failed: JobOutcome = { ok: false, message: '451 come back later' }
const answer = (value: SendMailResult): JobOutcome => ({ ok: true, value })

async function setUp({ isForNobody = false } = {}) {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  let asked: { readonly request: SendMailRequest; readonly answer: (outcome: JobOutcome) => void }[] = []
  const start = () => {
    const host = createActorHost({
      definitions: [mail] as unknown as readonly AnyActorDefinition[],
      store,
      partitions: ownPartitions(),
      clock,
      random: () => 0.5,
      log,
      passivateAfterMs: hour,
      ports: {
        send() {},
        reply() {},
        frame() {},
        close() {},
        done() {},
        runJob: (_, input) =>
          new Promise((resolve) => asked.push({ request: input as SendMailRequest, answer: resolve })),
        connectionOf: () => undefined,
      },
    })
    return { host, sweep: createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host }) }
  }
  let running = start()
  async function settle(): Promise<void> {
    for (let turns = 0; turns < 10; turns++) {
      running.host.run()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const { changes } = mailChanges(
    {
      organizationId: 'org_1',
      to: 'anna@example.com',
      isForNobody,
      content: { type: 'member-invitation', organizationName: 'X', role: 'viewer', token, expiresAt: '2026-12-01' },
    },
    { newId: () => id, clock },
  )
  await store.commit(unowned(changes))
  return {
    lines,
    row: () => store.view().get(mailsTable, [id]),
    wakeUps: () => store.view().list(wakeUpsTable, []),
    /** What the mail server is being asked for and has not answered. */
    asked: () => asked.map(({ request }) => request),
    async pass(ms: number) {
      clock.advance(ms)
      running.sweep.sweep()
      await settle()
    },
    async server(outcome: JobOutcome) {
      for (const one of asked.splice(0)) one.answer(outcome)
      await settle()
    },
    async withdraw() {
      running.host.deliver(mailAddress(id), { message: { type: 'withdraw' } })
      await settle()
    },
    /** The shard dies; what the mail server would still answer reaches nobody. */
    restart() {
      asked = []
      running = start()
    },
  }
}

test('mail - it is sent, and nothing of it is left', async (t) => {
  const stage = await setUp()
  await stage.pass(0)
  t.match(stage.asked(), [{ mail_id: id, to: 'anna@example.com', content: { token } }])
  t.match(stage.row(), { attempts: 1 }, 'the attempt is on disk before it is made')
  await stage.server(answer({ type: 'sent' }))
  t.equal(stage.row(), undefined)
  t.same(stage.wakeUps(), [])
  await stage.pass(hour)
  t.same(stage.asked(), [])
})

test('mail - one that is for nobody is removed when its turn comes, and the mail server is not asked', async (t) => {
  const stage = await setUp({ isForNobody: true })
  t.match(stage.row(), { is_for_nobody: true })
  t.equal(stage.wakeUps().length, 1)
  await stage.pass(0)
  t.same(stage.asked(), [])
  t.equal(stage.row(), undefined)
  t.same(stage.wakeUps(), [])
})

test('mail - it is tried again with growing pauses, and never twice at once', async (t) => {
  const stage = await setUp()
  await stage.pass(0)
  for (const pause of [5_000, 15_000, 45_000]) {
    await stage.server(failed)
    t.match(stage.row(), { content: { token }, error: '451 come back later' })
    await stage.pass(pause - 1)
    t.equal(stage.asked().length, 0)
    await stage.pass(1)
    t.equal(stage.asked().length, 1)
  }
  // The server takes its time: longer than the pause, and longer than a wake-up that is told again.
  await stage.pass(10 * 60_000)
  await stage.pass(10 * 60_000)
  t.equal(stage.asked().length, 1)
  await stage.server(answer({ type: 'sent' }))
  t.equal(stage.row(), undefined)
})

test('mail - an attempt that a crash cut short is made again, later', async (t) => {
  const stage = await setUp()
  await stage.pass(0)
  t.equal(stage.asked().length, 1)
  stage.restart()
  await stage.pass(4_999)
  t.equal(stage.asked().length, 0)
  await stage.pass(1)
  t.match(stage.asked(), [{ mail_id: id, created_at: stage.row()?.created_at }])
  t.equal(stage.row()?.attempts, 2)
})

test('mail - a refusal for good ends it at once: the reason stays, the content goes', async (t) => {
  const stage = await setUp()
  await stage.pass(0)
  await stage.server(answer({ type: 'refused', reason: '550 no such mailbox' }))
  t.match(stage.row(), { type: 'member-invitation', to: 'anna@example.com', error: '550 no such mailbox' })
  t.equal(stage.row()?.content, undefined)
  t.same(stage.wakeUps(), [])
  await stage.pass(hour)
  t.same(stage.asked(), [])
})

test('mail - it is given up after about three days', async (t) => {
  const stage = await setUp()
  let attempts = 0
  for (let elapsed = 0; elapsed < 100 * hour; elapsed += hour / 2) {
    await stage.pass(elapsed === 0 ? 0 : hour / 2)
    attempts += stage.asked().length
    await stage.server(failed)
    if (elapsed < 71 * hour) t.ok(stage.row()?.content, `it is still tried after ${elapsed / hour} hours`)
  }
  t.equal(stage.row()?.content, undefined)
  t.equal(stage.row()?.error, '451 come back later')
  t.same(stage.wakeUps(), [])
  t.ok(attempts > 12 && attempts < 30, `${attempts} attempts`)
})

test('mail - one that is withdrawn is not sent', async (t) => {
  const stage = await setUp()
  await stage.withdraw()
  t.equal(stage.row(), undefined)
  await stage.pass(hour)
  t.same(stage.asked(), [])
})

test('mail - the log tells what became of it, and no token', async (t) => {
  for (const outcome of [
    failed,
    answer({ type: 'sent' }),
    answer({ type: 'written', file: '/data/mail/mail_01.eml', subject: 'Invitation to X' }),
    answer({ type: 'refused', reason: '550' }),
  ]) {
    const stage = await setUp()
    await stage.pass(0)
    await stage.server(outcome)
    t.equal(stage.lines.length, 1)
    t.match(stage.lines[0], '"recipient":"anna@example.com"')
    t.notMatch(stage.lines[0], token)
  }
})

test('mail - pauses grow and have a bound', (t) => {
  const pauses = Array.from({ length: 50 }, (_, at) => pauseAfter(at + 1))
  t.equal(pauses[0], 5_000)
  t.ok(pauses.every((pause, at) => pause >= (pauses[at - 1] ?? 0) && pause <= 6 * hour))
  t.end()
})
