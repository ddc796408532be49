// What a charge point was asked for by a TriggerMessage comes before its answer or after it: both are noted with the question.

import { test } from 'tap'
import type { Exchange } from '../../../src/records/commissioning.js'
import { commissioningOverStore } from './commissioning-over-store.js'

const came = { type: 'reported', action: 'Heartbeat' }

test('commissioning - a Heartbeat that follows its promise ends the step, and none that was promised is doubtful', async (t) => {
  const asked = (now: number): Exchange => {
    const at = new Date(now).toISOString()
    const parameters = { requestedMessage: 'Heartbeat' }
    return { sent: 'TriggerMessage', parameters, sent_at: at, ended_at: at, outcome: 'answered', answer: 'Accepted' }
  }
  const promised = () =>
    commissioningOverStore('heartbeat', (now) => ({
      steps: [
        { name: 'heartbeat', status: 'running', started_at: new Date(now).toISOString(), evidence: [asked(now)] },
      ],
    }))
  const kept = await promised()
  await kept.pass(3)
  t.match(kept.session(), { status: 'running' })
  await kept.deliver({ ...came, action: 'StatusNotification', connectorId: 1 })
  t.match(kept.session(), { status: 'running' }, 'it was not asked for that')
  await kept.deliver(came)
  t.match(kept.session(), { steps: [{ status: 'passed', evidence: [{ reported_at: String }] }] })
  const broken = await promised()
  await broken.pass(12)
  t.match(broken.session(), { steps: [{ status: 'passed', detail: /sent none within 10 seconds/ }] })
})

test('commissioning - what comes before the answer to the question counts', async (t) => {
  const actor = await commissioningOverStore('heartbeat')
  await actor.pass(1)
  t.same(actor.sent, ['TriggerMessage'])
  const { awaiting } = actor.session()
  await actor.deliver(came)
  t.match(actor.session(), { awaiting: { reported_at: String } })
  const outcome = { type: 'answered', payload: { status: 'Accepted' }, responseTimeMs: 5 }
  await actor.deliver({ type: 'command-ended', commandId: awaiting?.id, reply: { type: 'ended', outcome, record: {} } })
  t.match(actor.session().steps[1], { status: 'passed', detail: 'The charge point sent a Heartbeat on request.' })
})
