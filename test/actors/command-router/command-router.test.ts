import { pino } from 'pino'
import { test } from 'tap'
import type { CallOutcome } from '../../../src/actors/charge-point/messages.js'
import { commandRouter } from '../../../src/actors/command-router/command-router.js'
import { limits } from '../../../src/actors/command-router/limits.js'
import type { CommandRouterMessage, ExecuteBulkMessage } from '../../../src/actors/command-router/messages.js'
import { bulkCommandsTable, type CommandRecord, commandsTable } from '../../../src/records/command.js'
import type { Context, Effect, ReplyAddress } from '../../../src/runtime/actor/actor.js'
import { fullAtOf } from '../../../src/runtime/token-bucket.js'

/** The actor alone, with a clock of its own and no store behind it. */
function router(records: ReadonlyMap<string, CommandRecord> = new Map()) {
  const actor = commandRouter
  const clock = { time: 1_000 }
  let replyTo: ReplyAddress | undefined
  const context = {
    id: 'org_1',
    now: () => clock.time,
    monotonic: () => clock.time,
    random: () => 0.5,
    read: () => ({ get: (_table: unknown, [key]: [string]) => records.get(key) }),
    nextNumber: () => 1,
    connection: undefined,
    get replyTo() {
      return replyTo
    },
    log: pino({ level: 'silent' }),
  } as unknown as Context
  const state = actor.load(context)
  return {
    state,
    clock,
    idle: () => actor.idle(state),
    askers: () => actor.askers?.(state),
    tell(message: CommandRouterMessage, asker?: ReplyAddress): readonly Effect[] {
      replyTo = asker
      return actor.handle(state, message, context)
    },
  }
}

const asker: ReplyAddress = { front: 0, ask: 7 }
const accepted: CallOutcome = { type: 'answered', payload: { status: 'Accepted' }, responseTimeMs: 12.4 }
const call = { action: 'Reset', payload: { type: 'Soft' } }

function execute(chargePointId = 'CP-1', commandId = 'cmd_1'): CommandRouterMessage {
  return {
    type: 'execute',
    commandId,
    chargePointId,
    command: 'soft_reset',
    parameters: {},
    call,
    executedBy: 'api_key:key_1',
    timeoutMs: 10_000,
  }
}

function bulk(ids: readonly string[], continueOnFailure = true): ExecuteBulkMessage {
  const targets = ids.map((chargePointId) => ({ chargePointId, commandId: `cmd_${chargePointId}`, call }))
  return {
    type: 'execute-bulk',
    bulkId: 'bulk_1',
    targets,
    command: 'soft_reset',
    parameters: {},
    executedBy: 'api_key:key_1',
    timeoutMs: 10_000,
    continueOnFailure,
  }
}

const ofType = <Type extends Effect['type']>(effects: readonly Effect[], type: Type) =>
  effects.filter((effect): effect is Extract<Effect, { type: Type }> => effect.type === type)

const calls = (effects: readonly Effect[]) =>
  ofType(effects, 'send').map(({ to, message }) => ({
    ...(message as { commandId: string; remainingMs: number }),
    id: to.id,
  }))

const recordsOf = (effects: readonly Effect[]) =>
  ofType(effects, 'put')
    .filter(({ table }) => table.name === commandsTable.name)
    .map(({ row }) => row as CommandRecord)

test('command router - a command is sent with the time that remains, and its record leaves with the reply', (t) => {
  const { tell, clock, idle } = router()
  const sent = tell(execute(), asker)
  t.match(calls(sent), [{ id: 'CP-1', action: 'Reset', remainingMs: 10_000, commandId: 'cmd_1' }])
  t.match(ofType(sent, 'schedule'), [{ at: clock.time + 10_000, message: { type: 'deadline', commandId: 'cmd_1' } }])
  t.same(ofType(sent, 'reply'), [])
  t.equal(idle(), false)
  const ended = tell({ type: 'call-ended', commandId: 'cmd_1', outcome: accepted })
  t.match(recordsOf(ended), [
    { command_id: 'cmd_1', status: 'Accepted', response_time_ms: 12, executed_by: 'api_key:key_1' },
  ])
  t.equal(ofType(ended, 'put')[0]?.table, commandsTable)
  t.match(ofType(ended, 'reply'), [{ to: asker, body: { type: 'recorded', record: { command_id: 'cmd_1' } } }])
  t.equal(ofType(ended, 'cancel').length, 1)
  t.equal(idle(), true)
  t.end()
})

test('command router - whoever waits for a command that runs is known, and nobody else is', (t) => {
  const { tell, askers } = router()
  const bulkAsker = { front: 1, ask: 8 }
  tell(execute(), asker)
  tell(execute('CP-2', 'cmd_2'))
  tell({ ...execute('CP-3', 'cmd_3'), notify: { kind: 'guest-session', id: 'gse_1' } } as CommandRouterMessage)
  tell(bulk(['CP-4', 'CP-5']), bulkAsker)
  t.same(askers(), [asker, bulkAsker])
  for (const commandId of ['cmd_1', 'cmd_CP-4', 'cmd_CP-5']) tell({ type: 'call-ended', commandId, outcome: accepted })
  t.same(askers(), [])
  t.end()
})

test('command router - the first of deadline and answer wins; the other one changes nothing that was told', (t) => {
  const { tell, clock } = router()
  tell(execute(), asker)
  clock.time += 10_000
  const ended = tell({ type: 'deadline', commandId: 'cmd_1' })
  t.match(recordsOf(ended), [{ status: 'Timeout', error: 'timeout', response_time_ms: null }])
  t.equal(ofType(ended, 'reply').length, 1)
  const late = tell({ type: 'call-ended', commandId: 'cmd_1', outcome: accepted })
  t.same(ofType(late, 'reply'), [])
  t.match(recordsOf(late), [{ status: 'Timeout', late_response: { status: 'Accepted' } }])
  t.same(tell({ type: 'call-ended', commandId: 'cmd_1', outcome: { type: 'timeout' } }), [])
  tell(execute('CP-1', 'cmd_2'), asker)
  tell({ type: 'call-ended', commandId: 'cmd_2', outcome: accepted })
  t.same(tell({ type: 'deadline', commandId: 'cmd_2' }), [])
  t.same(tell({ type: 'late-answer', commandId: 'cmd_2', payload: {} }), [])
  t.end()
})

test('command router - a late answer after a restart finds the record in the store, its own alone', (t) => {
  const record = { command_id: 'cmd_9', organization_id: 'org_1', status: 'Timeout' } as CommandRecord
  const foreign = { ...record, organization_id: 'org_2' }
  const own = router(new Map([['cmd_9', record]]))
  t.match(recordsOf(own.tell({ type: 'late-answer', commandId: 'cmd_9', payload: { a: 1 } })), [
    { late_response: { a: 1 } },
  ])
  const interrupted = router(new Map([['cmd_9', { ...record, status: 'Error', error: 'interrupted' }]]))
  t.match(recordsOf(interrupted.tell({ type: 'call-ended', commandId: 'cmd_9', outcome: accepted })), [
    { status: 'Error', late_response: { status: 'Accepted' } },
  ])
  const other = router(new Map([['cmd_9', foreign]]))
  t.same(other.tell({ type: 'late-answer', commandId: 'cmd_9', payload: {} }), [])
  t.end()
})

test('command router - of the commands that their caller has not heard of, it records what nothing is known of', (t) => {
  const recorded = { command_id: 'cmd_old', organization_id: 'org_1', status: 'Accepted' } as CommandRecord
  const { tell } = router(new Map([['cmd_old', recorded]]))
  tell(execute('CP-1', 'cmd_running'), asker)
  tell(execute('CP-2', 'cmd_ending'), asker)
  tell({ type: 'call-ended', commandId: 'cmd_ending', outcome: accepted })
  const commands = ['cmd_old', 'cmd_running', 'cmd_ending', 'cmd_lost'].map((command_id) => ({
    command_id,
    organization_id: 'org_1',
    charge_point_id: 'CP-1',
    command: 'soft_reset',
    parameters: {},
    executed_at: '2026-01-01T00:00:00.000Z',
    executed_by: 'api_key:key_1',
  }))
  const effects = tell({ type: 'interrupted', commands }, asker)
  t.match(recordsOf(effects), [{ command_id: 'cmd_lost', status: 'Error', error: 'interrupted' }])
  t.equal(recordsOf(effects).length, 1)
  t.equal(ofType(effects, 'reply').length, 1)
  t.end()
})

test('command router - ten commands a second for each charge point, in any second', (t) => {
  const { tell, clock } = router()
  let commands = 0
  const attempt = (id = 'CP-1') => calls(tell(execute(id, `cmd_${++commands}`), asker)).length
  for (let at = 0; at < 10; at++) {
    t.equal(attempt(), 1)
    clock.time += 50
  }
  const refused = tell(execute(), asker)
  t.match(ofType(refused, 'reply'), [{ body: { type: 'refused', code: 'rate_limited' } }])
  t.same(recordsOf(refused), [])
  t.equal(attempt('CP-2'), 1)
  clock.time += 501
  t.equal(attempt(), 1)
  t.equal(attempt(), 0)
  t.end()
})

test('command router - so many commands of an organization are under way; those that nobody answers do not time out at once', (t) => {
  const { tell, clock, state } = router()
  const most = limits.commandsUnderWay
  const deadlines = Array.from({ length: most }, (_, at) => {
    const [deadline] = ofType(tell(execute(`CP-${at}`, `cmd_${at}`), asker), 'schedule')
    return (deadline?.at ?? 0) - clock.time
  })
  t.equal(deadlines[0], 10_000)
  t.equal(deadlines[1], 10_000, 'a few are not put off')
  t.equal(new Set(deadlines).size, limits.deadlinesSpreadMs, 'two in each millisecond')
  t.ok(Math.max(...deadlines) < 10_000 + limits.deadlinesSpreadMs)
  const refused = tell(execute('CP-X', 'cmd_x'), asker)
  t.match(ofType(refused, 'reply'), [{ body: { type: 'refused', code: 'rate_limited', message: /4000 commands/ } }])
  t.same(calls(refused), [])
  t.match(ofType(tell(bulk(['Y']), asker), 'reply'), [{ body: { results: [{ error: 'rate_limited' }] } }])
  clock.time += 10_000
  tell({ type: 'deadline', commandId: 'cmd_0' })
  t.equal(calls(tell(execute('CP-X', 'cmd_x'), asker)).length, 1)
  t.equal(state.running.size, most)
  t.end()
})

test('command router - it remembers the rates of a bounded number of charge points', (t) => {
  const { tell, state } = router()
  for (let at = 0; at < limits.ratedChargePoints + 10; at++) tell(execute(`CP-${at}`, `cmd_${at}`), asker)
  t.equal(state.rates.size, limits.ratedChargePoints)
  t.end()
})

test('command router - a full queue is refused like a rate, and recorded in a bulk command only', (t) => {
  const { tell } = router()
  tell(execute(), asker)
  const single = tell({ type: 'call-ended', commandId: 'cmd_1', outcome: { type: 'queue-full' } })
  t.match(ofType(single, 'reply'), [{ body: { type: 'refused', code: 'rate_limited' } }])
  t.same(recordsOf(single), [])
  const [sent] = calls(tell(bulk(['A']), asker))
  const ended = tell({ type: 'call-ended', commandId: sent?.commandId ?? '', outcome: { type: 'queue-full' } })
  t.match(recordsOf(ended), [{ status: 'Error', error: 'rate_limited' }])
  t.end()
})

test('command router - a bulk command sends all at once and replies once, in the order of its targets', (t) => {
  const { tell, idle } = router()
  const sent = calls(tell(bulk(['A', 'B', 'C']), asker))
  t.same(
    sent.map(({ id }) => id),
    ['A', 'B', 'C'],
  )
  const outcomes: CallOutcome[] = [{ type: 'offline' }, { type: 'timeout' }, accepted]
  let replies: Extract<Effect, { type: 'reply' }>[] = []
  for (const at of [2, 0, 1]) {
    t.same(replies, [])
    const outcome = outcomes[at] as CallOutcome
    replies = ofType(tell({ type: 'call-ended', commandId: sent[at]?.commandId ?? '', outcome }), 'reply')
  }
  t.match(replies, [
    {
      to: asker,
      body: {
        total: 3,
        succeeded: 1,
        failed: 2,
        results: [
          { charge_point_id: 'A', status: 'Offline', error: 'charge_point_offline' },
          { charge_point_id: 'B', status: 'Timeout', error: 'timeout' },
          { charge_point_id: 'C', status: 'Accepted' },
        ],
      },
    },
  ])
  t.equal(idle(), true)
  t.end()
})

test('command router - in order: each waits for the one before, and the first failure ends the attempts', (t) => {
  const { tell, clock } = router()
  const [first] = calls(tell(bulk(['A', 'B', 'C', 'D'], false), asker))
  const [second, ...more] = calls(tell({ type: 'call-ended', commandId: first?.commandId ?? '', outcome: accepted }))
  t.equal(second?.id, 'B')
  t.same(more, [])
  clock.time += 10_000
  const ended = tell({ type: 'deadline', commandId: second?.commandId ?? '' })
  t.same(calls(ended), [])
  t.match(recordsOf(ended), [
    { charge_point_id: 'B', status: 'Timeout' },
    { charge_point_id: 'C', status: 'Error', error: 'not_attempted' },
    { charge_point_id: 'D', status: 'Error', error: 'not_attempted' },
  ])
  t.match(ofType(ended, 'reply'), [{ body: { total: 4, succeeded: 1, failed: 3 } }])
  t.end()
})

test('command router - what is not a charge point of the organization is not_found, and stops an ordered bulk', (t) => {
  const { tell } = router()
  const targets = [
    { chargePointId: 'X', commandId: 'cmd_X' },
    { chargePointId: 'A', commandId: 'cmd_A', call },
  ]
  const ended = tell({ ...bulk([], false), targets }, asker)
  t.same(calls(ended), [])
  t.match(recordsOf(ended), [{ command_id: 'cmd_A', error: 'not_attempted' }], 'nothing is recorded of the other')
  t.equal(recordsOf(ended).length, 1)
  const [reply] = ofType(ended, 'reply')
  t.match(reply?.body, { total: 2, results: [{ error: 'not_found' }, { error: 'not_attempted' }] })
  t.end()
})

test('command router - the parameters of a bulk command are recorded once', (t) => {
  const { tell } = router()
  const parameters = { connector_id: 1 }
  const sent = calls(tell({ ...bulk(['A', 'B']), parameters }, asker))
  const effects = sent.flatMap(({ commandId }) => [...tell({ type: 'call-ended', commandId, outcome: accepted })])
  const shared = ofType(effects, 'put').filter(({ table }) => table.name === bulkCommandsTable.name)
  t.same(
    shared.map(({ row }) => row),
    [{ bulk_command_id: 'bulk_1', organization_id: 'org_1', parameters }],
  )
  t.same(
    recordsOf(effects).map((record) => record.parameters),
    [undefined, undefined],
  )
  t.end()
})

test('command router - of a long answer, the record keeps what has room, and whoever waits is given all of it', (t) => {
  const { tell } = router()
  tell(execute(), asker)
  const data = 'x'.repeat(60_000)
  const outcome: CallOutcome = { type: 'answered', payload: { status: 'Accepted', data }, responseTimeMs: 1 }
  const effects = tell({ type: 'call-ended', commandId: 'cmd_1', outcome })
  t.match(recordsOf(effects), [{ status: 'Accepted', charge_point_response: { status: 'Accepted' } }])
  t.ok(JSON.stringify(recordsOf(effects)[0]).length < 20_000)
  t.match(ofType(effects, 'reply')[0]?.body, { outcome: { payload: { data } } })
  t.end()
})

test('command router - the records of an organization have a bounded part of the disk; beyond half of it they are brief, beyond it commands are refused', (t) => {
  const { tell, clock, state, idle } = router()
  const data = 'x'.repeat(15_000)
  const outcome: CallOutcome = { type: 'answered', payload: { status: 'Accepted', data }, responseTimeMs: 1 }
  let number = 0
  const send = () => {
    const id = `cmd_${number++}`
    const began = tell(execute(`CP-${number}`, id), asker)
    if (calls(began).length === 0) return began
    return tell({ type: 'call-ended', commandId: id, outcome })
  }
  const rate = { perSecond: limits.recordedBytesPerHour / 3_600, burst: limits.recordedBytesAtOnce }
  const leave = (bytes: number) => {
    state.room.bytes.fullAt = fullAtOf(bytes, rate, clock.time)
  }
  const characters = (effects: readonly Effect[]) => JSON.stringify(recordsOf(effects)[0] ?? null).length
  t.ok(characters(send()) > 15_000)
  leave(limits.recordedBytesAtOnce / 2 - 1)
  const brief = send()
  t.ok(characters(brief) < 1_000)
  t.match(ofType(brief, 'reply')[0]?.body, { outcome: { payload: { data } } }, 'whoever waits is given all of it')
  t.notOk(idle(), 'it stays in memory until there is room again')
  leave(100)
  const refused = send()
  t.match(ofType(refused, 'reply')[0]?.body, { type: 'refused', code: 'rate_limited' })
  t.equal(recordsOf(refused).length, 0)
  const inBulk = tell(bulk(['A', 'B']), asker)
  t.match(ofType(inBulk, 'reply')[0]?.body, { results: [{ error: 'rate_limited' }, { error: 'rate_limited' }] })
  t.equal(recordsOf(inBulk).length, 0)
  clock.time += 3 * 3_600_000
  tell({ type: 'record-room' })
  t.ok(idle())
  t.ok(characters(send()) > 15_000)
  t.end()
})

test('command router - all records of a bulk command carry its id', (t) => {
  const { tell } = router()
  const sent = calls(tell(bulk(['A', 'B']), asker))
  const effects = sent.flatMap(({ commandId }) => [...tell({ type: 'call-ended', commandId, outcome: accepted })])
  const [reply] = ofType(effects, 'reply')
  const id = (reply?.body as { bulk_command_id: string } | undefined)?.bulk_command_id
  t.equal(id, 'bulk_1')
  t.same(
    recordsOf(effects).map((record) => record.bulk_command_id),
    [id, id],
  )
  t.end()
})
