// What a failure inside the service leaves of an organization's commands, on the real host: the charge point that it happened with
// is left alone, commands to all others go on.

import { test } from 'tap'
import type { CallMessage, CallOutcome } from '../../../src/actors/charge-point/messages.js'
import { commandRouter } from '../../../src/actors/command-router/command-router.js'
import type {
  CommandRouterMessage,
  ExecuteBulkMessage,
  ExecuteMessage,
} from '../../../src/actors/command-router/messages.js'
import { alertsTable } from '../../../src/records/alert.js'
import { type CommandRecord, commandsTable } from '../../../src/records/command.js'
import { tables } from '../../../src/records/index.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import type { Quarantined } from '../../../src/runtime/actor/blame.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { anyPartition, settled, silent } from '../../runtime/scripted-actors.js'
import { createFakeClock } from '../../support/fake-clock.js'

const call = { action: 'Reset', payload: { type: 'Soft' } }
const accepted: CallOutcome = { type: 'answered', payload: { status: 'Accepted' }, responseTimeMs: 12 }
const common = { command: 'soft_reset', parameters: {}, executedBy: 'api_key:key_1', timeoutMs: 10_000 }

/** What no code is written for yet. */
const defective: CallOutcome = {
  type: 'answered',
  responseTimeMs: 12,
  payload: Object.defineProperty({}, 'status', {
    enumerable: true,
    get() {
      throw new Error('this answer cannot be handled')
    },
  }),
}

const execute = (chargePointId: string, commandId: string): ExecuteMessage => ({
  ...common,
  type: 'execute',
  commandId,
  chargePointId,
  call,
})

const bulk = (bulkId: string, ids: readonly string[]): ExecuteBulkMessage => ({
  ...common,
  type: 'execute-bulk',
  bulkId,
  targets: ids.map((chargePointId) => ({ chargePointId, commandId: `${bulkId} ${chargePointId}`, call })),
  continueOnFailure: true,
})

const ended = (commandId: string, outcome: CallOutcome): CommandRouterMessage => ({
  type: 'call-ended',
  commandId,
  outcome,
})

function stage(quarantined: readonly Quarantined[] = []) {
  const store = openMemoryStore(tables)
  const replies: string[] = []
  const sent: string[] = []
  const host = createActorHost({
    definitions: [commandRouter] as unknown as readonly AnyActorDefinition[],
    store,
    partitions: anyPartition,
    clock: createFakeClock(),
    random: Math.random,
    log: silent,
    passivateAfterMs: 60_000,
    quarantined,
    ports: {
      send: (_to, message) => sent.push((message as CallMessage).commandId),
      reply({ ask }, outcome) {
        const told = outcome.ok ? 'answered' : outcome.interrupted === true ? 'interrupted' : outcome.code
        replies.push(`${ask} ${told}`)
      },
      frame: () => undefined,
      close: () => undefined,
      done: () => undefined,
      runJob: () => Promise.resolve({ ok: false, message: 'there are no jobs here' }),
      connectionOf: () => undefined,
    },
  })
  const router = { kind: 'command-router', id: 'org_1' }
  async function run(): Promise<void> {
    host.run()
    for (let turns = 0; turns < 4; turns++) await settled()
  }
  return {
    store,
    replies,
    sent,
    record: (commandId: string): CommandRecord | undefined => store.view().get(commandsTable, [commandId]),
    async ask(message: CommandRouterMessage, ask: number) {
      host.deliver(router, { message, replyTo: { front: 0, ask } })
      await run()
    },
    async tell(message: CommandRouterMessage) {
      host.deliver(router, { message, always: true })
      await run()
    },
  }
}

test('command router - an answer that cannot be handled interrupts its charge point alone; others are answered', async (t) => {
  const { ask, tell, replies, record } = stage()
  await ask(execute('CP-1', 'cmd_1'), 1)
  await ask(execute('CP-2', 'cmd_2'), 2)
  await ask(bulk('bulk_1', ['CP-1', 'CP-3']), 3)
  await ask(bulk('bulk_2', ['CP-4']), 4)
  await tell(ended('cmd_1', defective))
  t.same(replies.splice(0).sort(), ['1 interrupted', '3 interrupted'])
  await tell(ended('cmd_2', accepted))
  await tell(ended('bulk_2 CP-4', accepted))
  t.same(replies.splice(0), ['2 answered', '4 answered'])
  t.match(record('cmd_2'), { status: 'Accepted' })
  const begun = { ...common, organization_id: 'org_1', executed_at: new Date(0).toISOString(), executed_by: 'x' }
  const commands = ['cmd_1', 'bulk_1 CP-3'].map((id) => ({ ...begun, command_id: id, charge_point_id: 'CP-1' }))
  await ask({ type: 'interrupted', commands }, 5)
  t.match(record('cmd_1'), { status: 'Error', error: 'interrupted' }, 'what was lost can be recorded')
  t.match(record('bulk_1 CP-3'), { status: 'Error', error: 'interrupted' })
})

test('command router - three failures refuse the commands of one charge point for a while, and no others', async (t) => {
  const { ask, tell, replies, store, record } = stage()
  for (const at of [1, 2, 3]) {
    await ask(execute('CP-1', `cmd_${at}`), at)
    await tell(ended(`cmd_${at}`, defective))
  }
  t.same(replies.splice(0), ['1 interrupted', '2 interrupted', '3 interrupted'])
  t.match(store.view().listBy(alertsTable, 'bySubject', ['org_1', 'commands_quarantined', 'org_1/CP-1'], {}), [
    { kind: 'commands_quarantined', subject: 'org_1/CP-1' },
  ])
  await ask(execute('CP-1', 'cmd_4'), 4)
  t.same(replies.splice(0), ['4 internal_error'])
  await ask(execute('CP-2', 'cmd_5'), 5)
  await tell(ended('cmd_5', accepted))
  t.same(replies, ['5 answered'])
  t.match(record('cmd_5'), { status: 'Accepted' })
})

test('command router - commands that shards have ended of are refused for their charge point alone', async (t) => {
  const { ask, tell, replies } = stage([{ actor: 'command-router/org_1', part: 'CP-1', forMs: 600_000 }])
  await ask(execute('CP-1', 'cmd_1'), 1)
  await ask(execute('CP-2', 'cmd_2'), 2)
  await tell(ended('cmd_2', accepted))
  t.same(replies, ['1 internal_error', '2 answered'])
})

test('command router - a command that is on its way already is not sent a second time, and both who wait are told', async (t) => {
  const { ask, replies, sent } = stage()
  await ask(execute('CP-1', 'cmd_1'), 1)
  await ask(execute('CP-1', 'cmd_1'), 2)
  t.same(sent, ['cmd_1'])
  t.same(replies.sort(), ['1 interrupted', '2 internal_error'])
  await ask(execute('CP-1', 'cmd_2'), 3)
  t.same(sent, ['cmd_1', 'cmd_2'], 'the next command is sent')
})

test('command router - a command whose deadline is not after its start is not sent', async (t) => {
  const { ask, replies, sent } = stage()
  await ask({ ...execute('CP-1', 'cmd_1'), timeoutMs: Number.NaN }, 1)
  await ask({ ...execute('CP-1', 'cmd_2'), timeoutMs: 0 }, 2)
  t.same(sent, [])
  t.same(replies, ['1 internal_error', '2 internal_error'])
})

test('command router - a deadline that comes before its time does not make a command time out', async (t) => {
  const { ask, replies, record } = stage()
  await ask(execute('CP-1', 'cmd_1'), 1)
  await ask({ type: 'deadline', commandId: 'cmd_1' }, 2)
  t.same(replies.sort(), ['1 interrupted', '2 internal_error'])
  t.equal(record('cmd_1'), undefined)
})
