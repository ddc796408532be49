// A commissioning over an interruption of the service: its charge point gets the time to return, and what it waits for gets its time anew.

import { test } from 'tap'
import { commandsTable } from '../../../src/records/command.js'
import { installerId } from '../../support/registration.js'
import { commissioningOverStore } from './commissioning-over-store.js'

const idTag = 'TEST0123456789ABCDEF'

/** Its remote start was accepted, `agoMs` ago. */
const testing = (agoMs: number) => (now: number) => {
  const at = new Date(now - agoMs).toISOString()
  const start = { sent: 'RemoteStartTransaction', sent_at: at, ended_at: at, outcome: 'answered', answer: 'Accepted' }
  return {
    test: { id_tag: idTag, connector_id: 1 },
    steps: [
      { name: 'test_transaction' as const, status: 'running' as const, started_at: at, evidence: [start as never] },
    ],
  }
}

test('commissioning - after an interruption of the service a charge point may take five minutes to return', async (t) => {
  const actor = await commissioningOverStore('test_transaction', testing(100_000))
  await actor.pass(2)
  await actor.online(false)
  await actor.pass(5)
  t.match(actor.session(), { status: 'running', offline_since: Number })
  actor.restart()
  await actor.pass(250)
  t.match(actor.session(), { status: 'running' }, 'it is away for more than four minutes')
  await actor.online(true)
  await actor.pass(110)
  t.match(actor.session(), { status: 'running' }, 'the charge may yet begin')
  await actor.pass(15)
  t.match(actor.session(), { status: 'failed', steps: [{ detail: /No transaction began within 120 seconds/ }] })
})

test('commissioning - a charge point that does not return within five minutes of an interruption has failed', async (t) => {
  const actor = await commissioningOverStore('test_transaction', testing(1_000))
  await actor.pass(2)
  await actor.online(false)
  actor.restart()
  await actor.pass(345)
  t.match(actor.session(), { status: 'failed', steps: [{ detail: /was not connected/ }] })
})

test('commissioning - one that is interrupted while its charge point stays connected waits for its whole time again', async (t) => {
  const actor = await commissioningOverStore('test_transaction', testing(0))
  await actor.pass(115)
  t.match(actor.session(), { status: 'running' })
  actor.restart()
  await actor.pass(110)
  t.match(actor.session(), { status: 'running' })
  await actor.pass(30)
  t.match(actor.session(), { status: 'failed' })
})

test('commissioning - an answer that came in an interruption is evidence as the charge point gave it', async (t) => {
  const id = 'cmd_1'
  const actor = await commissioningOverStore('heartbeat', (now) => ({
    awaiting: { id, step: 'heartbeat', sent: 'TriggerMessage', sent_at: now - 60_000 },
  }))
  await actor.put(commandsTable, {
    command_id: id,
    organization_id: installerId,
    charge_point_id: 'CP-1',
    command: 'TriggerMessage',
    status: 'Rejected',
    charge_point_response: { status: 'NotImplemented' },
    executed_at: new Date(actor.clock.now()).toISOString(),
    executed_by: `installer:${installerId}`,
    response_time_ms: 7,
  })
  await actor.pass(2)
  t.match(actor.session().steps[1]?.evidence, [{ outcome: 'answered', answer: 'NotImplemented', response_time_ms: 7 }])
})
