// What each step does next, from what came of what it has sent: also after a loss of the answer, and just before and after its time has run out.

import { test } from 'tap'
import { endOfPing } from '../../../src/actors/commissioning/calls.js'
import { begun, ended, noteAbsence, owingStop, paused } from '../../../src/actors/commissioning/progress.js'
import { connectorsToTest, decide, type Facts } from '../../../src/actors/commissioning/steps.js'
import type { CommissioningSession, Exchange, StepName } from '../../../src/records/commissioning.js'
import type { Session } from '../../../src/records/session.js'

const now = Date.parse('2026-11-22T12:00:00Z')
const iso = (at: number) => new Date(at).toISOString()

const facts: Facts = {
  now,
  isConnected: true,
  lastSeenAt: undefined,
  connectors: [{ connector_id: 1, status: 'Available', error_code: 'NoError', info: null, timestamp: iso(now) }],
  connectorCount: 1,
  application: undefined,
  charge: undefined,
  isMetered: false,
  traits: () => ({}),
}

function exchange(sent: string, outcome: Exchange['outcome'], answer?: string, agoMs = 5_000): Exchange {
  const at = iso(now - agoMs)
  return { sent, sent_at: at, ended_at: at, outcome, ...(answer !== undefined && { answer }) }
}

function sessionAt(name: StepName, evidence: readonly Exchange[], fields: Partial<CommissioningSession> = {}) {
  const session: CommissioningSession = {
    session_id: 'com_1',
    charge_point_id: 'CP-1',
    sequence: 1,
    installer_id: 'ins_1',
    registered_at: iso(now),
    status: 'running',
    template_id: 'standard',
    started_at: iso(now - 60_000),
    configuration: [],
    steps: [{ name, status: 'running', started_at: iso(now - 60_000), evidence }],
    log: [],
    ...fields,
  }
  return session
}

function next(name: StepName, evidence: readonly Exchange[], known: Partial<Facts> = {}, fields = {}) {
  const session = sessionAt(name, evidence, fields)
  return decide(session, session.steps[0] as CommissioningSession['steps'][number], { ...facts, ...known })
}

const test_ = { test: { id_tag: 'TEST0123456789ABCDEF', connector_id: 1 } }
const remoteStart = 'RemoteStartTransaction'
const charge = {
  authorization: 'Accepted',
  status: 'active',
  connector_id: 1,
  received_at: iso(now - 1_000),
} as Session

test('commissioning steps - a ping that is lost is sent again, and one that is never answered is left to the next step', async (t) => {
  const lost = exchange('Ping', 'timeout')
  t.match(next('connectivity', []), { type: 'ping' })
  t.match(next('connectivity', [lost]), { type: 'ping' })
  t.match(next('connectivity', [lost, lost, lost]), { type: 'failed', detail: /3 pings/ })
  const deaf = exchange('Ping', 'timeout', 'never answers pings')
  t.match(next('connectivity', [deaf, deaf, deaf]), { type: 'passed', isDoubtful: true })
  t.match(next('connectivity', [exchange('Ping', 'unsent', 'not pinged')]), { type: 'passed', isDoubtful: true })
})

test('commissioning steps - a charge point without TriggerMessage passes if it was heard lately', async (t) => {
  const refused = [exchange('TriggerMessage', 'answered', 'NotImplemented')]
  t.match(next('heartbeat', refused), { type: 'failed', detail: /answered NotImplemented/ })
  t.match(next('heartbeat', refused, { lastSeenAt: now - 60_000 }), { type: 'passed', isDoubtful: true })
})

test('commissioning steps - a faulted connector fails, with its error', async (t) => {
  const [connector] = facts.connectors
  const faulted = { ...connector, status: 'Faulted', error_code: 'GroundFailure' } as Facts['connectors'][number]
  const asked = [{ ...exchange('TriggerMessage', 'answered', 'Accepted'), parameters: { connectorId: 1 } }]
  t.match(next('connector_test', [], {}), { type: 'call' })
  t.match(next('connector_test', asked), { type: 'passed' })
  t.match(next('connector_test', asked, { connectors: [faulted] }), { detail: /connector 1 \(GroundFailure\)/ })
  t.same(connectorsToTest([], undefined), [1])
  t.equal(connectorsToTest([], 500).length, 32)
})

test('commissioning steps - a remote start is not sent again unless it is known that it was not sent', async (t) => {
  t.match(next('test_transaction', []), { type: 'start-test', connectorId: 1 })
  t.match(next('test_transaction', [], {}, test_), { type: 'call', call: { action: remoteStart } })
  for (const outcome of ['unknown', 'timeout'] as const) {
    t.match(next('test_transaction', [exchange(remoteStart, outcome)], {}, test_), { type: 'wait' }, outcome)
    const late = [exchange(remoteStart, outcome, undefined, 121_000)]
    t.match(next('test_transaction', late, {}, test_), { type: 'failed', detail: /No transaction began/ })
  }
  t.match(next('test_transaction', [exchange(remoteStart, 'unsent')], {}, test_), { type: 'call' })
  t.match(next('test_transaction', [exchange(remoteStart, 'error', 'InternalError')], {}, test_), {
    detail: /answered with the error InternalError/,
  })
})

test('commissioning steps - a charge is metered, stopped, and ends', async (t) => {
  const started = [exchange(remoteStart, 'unknown')]
  t.match(next('test_transaction', started, { charge }, test_), { call: { action: 'TriggerMessage' } })
  t.match(next('test_transaction', started, { charge, isMetered: true }, test_), {
    call: { action: 'RemoteStopTransaction' },
  })
  const stopped = [...started, exchange('RemoteStopTransaction', 'answered', 'Accepted')]
  t.match(next('test_transaction', stopped, { charge, isMetered: true }, test_), { type: 'wait' })
  const over = { ...charge, status: 'completed', energy_wh: 12 } as Session
  t.match(next('test_transaction', stopped, { charge: over, isMetered: true }, test_), { type: 'passed' })
  t.match(next('test_transaction', started, { charge: over }, test_), { type: 'failed', detail: /ended by itself/ })
})

test('commissioning steps - a stop is owed where the charge point may have heard of the start, and only there', async (t) => {
  const owed = (evidence: readonly Exchange[]) =>
    owingStop(sessionAt('test_transaction', evidence, test_), now).owed_stop?.id_tag
  t.equal(owed([]), undefined)
  t.equal(owed([exchange(remoteStart, 'unsent')]), undefined)
  t.equal(owed([exchange(remoteStart, 'answered', 'Rejected')]), undefined)
  t.equal(owed([exchange(remoteStart, 'unknown')]), test_.test.id_tag)
  const session = sessionAt('test_transaction', [exchange(remoteStart, 'answered', 'Accepted')], test_)
  t.equal(ended(session, 'stopped', 'Stopped.', now).owed_stop?.id_tag, test_.test.id_tag)
  const waits = paused(session, now)
  t.match(waits, { status: 'paused', owed_stop: { id_tag: test_.test.id_tag }, steps: [{ status: 'pending' }] })
  const again = begun({ ...waits, status: 'running' }, waits.steps[0] as CommissioningSession['steps'][number], now)
  t.match(decide(again, again.steps[0] as CommissioningSession['steps'][number], facts), { type: 'wait' })
})

test('commissioning steps - a socket that is lost for 59 seconds is waited for, and one that is lost for 61 has failed', async (t) => {
  const away = (at: number) => ({ isConnected: false, disconnectedAt: now, now: at })
  const seen = noteAbsence(sessionAt('heartbeat', []), away(now + 1_000))
  t.equal(seen.offline_since, now)
  t.equal(noteAbsence(seen, away(now + 59_000)).status, 'running')
  const back = noteAbsence(seen, { isConnected: true, disconnectedAt: undefined, now: now + 59_000 })
  t.match(back, { status: 'running', offline_since: undefined })
  const failed = noteAbsence(seen, away(now + 61_000))
  t.match(failed, { status: 'failed', result: 'failed', steps: [{ status: 'failed', detail: /more than 60 seconds/ }] })
  // The service itself was away: it has not been seen how long the charge point was.
  t.equal(noteAbsence(sessionAt('heartbeat', []), away(now + 600_000)).offline_since, now + 600_000)
})

test('commissioning steps - what a model is known not to answer is not asked, unless the step would fail without it', async (t) => {
  const deaf = { traits: () => ({ answers_pings: false, actions: { TriggerMessage: false } }) }
  const notAsked = (sent: string) => exchange(sent, 'not_asked', 'NotImplemented')
  t.match(next('connectivity', [], deaf), { type: 'skip', sent: 'Ping' })
  t.match(next('connectivity', [notAsked('Ping')], deaf), { type: 'passed', isDoubtful: true })
  t.match(next('heartbeat', [], deaf), { type: 'call' }, 'it was not heard lately')
  t.match(next('heartbeat', [], { ...deaf, lastSeenAt: now - 60_000 }), { type: 'skip', sent: 'TriggerMessage' })
  t.match(next('heartbeat', [notAsked('TriggerMessage')], { ...deaf, lastSeenAt: now - 60_000 }), {
    type: 'passed',
    isDoubtful: true,
  })
  t.match(next('connector_test', [], deaf), { type: 'skip', parameters: { connectorId: 1 } })
  t.match(next('connector_test', [], { ...deaf, connectors: [] }), { type: 'call' }, 'it has reported no status')
  const metering = { traits: () => ({ triggers: { MeterValues: false } }), charge }
  const started = [exchange(remoteStart, 'answered', 'Accepted')]
  t.match(next('test_transaction', started, metering, test_), { type: 'skip', sent: 'TriggerMessage' })
  t.match(next('test_transaction', [...started, notAsked('TriggerMessage')], metering, test_), { type: 'wait' })
  t.match(next('heartbeat', [], { traits: () => ({ triggers: { MeterValues: false } }), lastSeenAt: now }), {
    type: 'call',
  })
})

test('commissioning - evidence of a ping has whole milliseconds, as that of calls', async (t) => {
  t.same(endOfPing({ type: 'pinged', latencyMs: 0.634, answersPings: true, wasHeard: true }), {
    outcome: 'answered',
    answer: 'after 1 ms',
    response_time_ms: 1,
  })
})
