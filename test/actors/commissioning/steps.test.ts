// What each step does next, from what came of what it has sent: also after a loss of the answer, and just before and after its time has run out.

import { test } from 'tap'
import { endOfCommand, endOfPing } from '../../../src/actors/commissioning/calls.js'
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
  takenWh: undefined,
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
  flags: [] as readonly string[],
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
  const reported = { parameters: { connectorId: 1 }, reported_at: iso(now - 4_000) }
  const asked = [{ ...exchange('TriggerMessage', 'answered', 'Accepted'), ...reported }]
  t.match(next('connector_test', [], {}), { type: 'call' })
  t.match(next('connector_test', asked), { type: 'passed' })
  t.match(next('connector_test', asked, { connectors: [faulted] }), { detail: /connector 1 \(GroundFailure\)/ })
  t.same(connectorsToTest([], undefined), [1])
  t.equal(connectorsToTest([], 500).length, 32)
})

test('commissioning steps - what a charge point has accepted to send is waited for', async (t) => {
  const accepted = (agoMs: number) => exchange('TriggerMessage', 'answered', 'Accepted', agoMs)
  const came = { reported_at: iso(now) }
  t.match(next('heartbeat', [accepted(9_000)]), { type: 'wait' })
  t.match(next('heartbeat', [{ ...accepted(0), ...came }]), { type: 'passed', isDoubtful: undefined })
  t.match(next('heartbeat', [accepted(10_000)]), { isDoubtful: true, detail: /sent none within 10 seconds/ })
  const ofConnector = (agoMs: number) => ({ ...accepted(agoMs), parameters: { connectorId: 1 } })
  t.match(next('connector_test', [ofConnector(9_000)]), { type: 'wait' })
  t.match(next('connector_test', [{ ...ofConnector(3_000), ...came }]), { type: 'passed', isDoubtful: undefined })
  t.match(next('connector_test', [ofConnector(10_000)]), {
    isDoubtful: true,
    detail: /^As last reported, .* did not within/,
  })
  const [connector] = facts.connectors
  const connectors = [{ ...connector, status: 'Unavailable' } as Facts['connectors'][number]]
  t.match(next('connector_test', [{ ...ofConnector(3_000), ...came }], { connectors }), {
    isDoubtful: true,
    detail: /Nobody can charge at connector 1/,
  })
})

test('commissioning steps - a remote start is not sent again unless it is known that it was not sent', async (t) => {
  t.match(next('test_transaction', []), { type: 'start-test', connectorId: 1 })
  const begunAgo = (...minutes: number[]) => ({ tests_begun: minutes.map((ago) => now - ago * 60_000) })
  const full = [59, 50, 40, 30, 20, 10]
  const failed = { type: 'failed', detail: /at most 6 test transactions an hour. Begin again after 2026-11-22T12:01/ }
  t.match(next('test_transaction', [], {}, begunAgo(...full)), failed)
  t.match(next('test_transaction', [], {}, begunAgo(60, ...full.slice(1))), { type: 'start-test' })
  t.match(next('test_transaction', [], {}, begunAgo(-5, ...full.slice(1))), { type: 'start-test' })
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
  t.match(next('test_transaction', started, { charge, takenWh: 5 }, test_), {
    call: { action: 'RemoteStopTransaction' },
  })
  const stopped = [...started, exchange('RemoteStopTransaction', 'answered', 'Accepted')]
  t.match(next('test_transaction', stopped, { charge, takenWh: 5 }, test_), { type: 'wait' })
  const over = { ...charge, status: 'completed', energy_wh: 12, stop_reason: 'Remote' } as Session
  t.match(next('test_transaction', stopped, { charge: over, takenWh: 5 }, test_), { type: 'passed' })
  t.match(next('test_transaction', started, { charge: over }, test_), { type: 'failed', detail: /ended by itself/ })
})

test('commissioning steps - a charge is stopped once its register has risen, or has shown for long that it does not', async (t) => {
  const trigger = (agoMs: number, answer = 'Accepted') => exchange('TriggerMessage', 'answered', answer, agoMs)
  const started = [exchange(remoteStart, 'answered', 'Accepted', 40_000)]
  const at = (evidence: readonly Exchange[], takenWh: number | undefined, agoMs = 5_000) =>
    next(
      'test_transaction',
      [...started, ...evidence],
      { charge: { ...charge, received_at: iso(now - agoMs) }, takenWh },
      test_,
    )
  t.match(at([], 0), { call: { action: 'TriggerMessage' } })
  t.match(at([trigger(4_000)], 0), { type: 'wait' })
  t.match(at([trigger(8_000)], 0), { call: { action: 'TriggerMessage' } }, 'the next reading may have risen')
  t.match(at([trigger(8_000, 'Rejected')], 0), { type: 'wait' }, 'it does not heed that')
  t.match(at([trigger(24_000), trigger(16_000), trigger(8_000)], 0), { type: 'wait' })
  t.match(at([trigger(8_000)], 1), { call: { action: 'RemoteStopTransaction' } })
  t.match(at([trigger(8_000)], 0, 30_000), { call: { action: 'RemoteStopTransaction' } })
  t.match(at([trigger(8_000)], undefined, 30_000), { type: 'wait' }, 'it has sent no reading of energy')
  t.match(at([trigger(8_000)], undefined, 180_000), { type: 'failed', detail: /MeterValuesSampledData/ })
})

test('commissioning steps - a charge that has ended is judged by how it began, where, and why it ended', async (t) => {
  const started = exchange(remoteStart, 'answered', 'Accepted')
  const stopped = exchange('RemoteStopTransaction', 'answered', 'Accepted')
  const lost = exchange('RemoteStopTransaction', 'timeout')
  const judged = (evidence: readonly Exchange[], fields: Partial<Session> = {}) => {
    const over = { ...charge, status: 'completed', energy_wh: 12, stop_reason: 'Remote', ...fields } as Session
    return next('test_transaction', evidence, { charge: over, takenWh: 5 }, test_)
  }
  t.same(judged([started, stopped]), {
    type: 'passed',
    detail: 'A charge was started, metered and stopped remotely; it took 12 Wh.',
  })
  t.same(judged([started, stopped], { connector_id: 0 }), judged([started, stopped]), 'it calls its only outlet 0')
  t.same(judged([started, lost]), judged([started, stopped]), 'its reason says that the stop was heard')
  const rejected = exchange('RemoteStopTransaction', 'answered', 'Rejected')
  t.same(judged([started, lost, rejected]), judged([started, stopped]), 'there was nothing left to stop')
  for (const [detail, evidence, fields] of [
    [
      /answered Rejected when asked to start a charge, and began one/,
      [exchange(remoteStart, 'answered', 'Rejected'), stopped],
      {},
    ],
    [/on connector 1, and began on connector 7/, [started, stopped], { connector_id: 7 }],
    [/answered Rejected when asked to stop/, [started, rejected], {}],
    [/by itself \(EmergencyStop\)/, [started, stopped], { stop_reason: 'EmergencyStop' }],
    [/by itself \(PowerLoss\)/, [started, lost], { stop_reason: 'PowerLoss' }],
  ] as const)
    t.match(judged(evidence, fields), { type: 'failed', detail })
  const faulted = {
    ...facts.connectors[0],
    status: 'Faulted',
    error_code: 'GroundFailure',
  } as Facts['connectors'][number]
  const over = { ...charge, status: 'completed', energy_wh: 12, stop_reason: 'Remote' } as Session
  const after = { charge: over, takenWh: 5, connectors: [faulted] }
  t.match(next('test_transaction', [started, stopped], after, test_), { type: 'failed', detail: /GroundFailure/ })
  for (const [detail, evidence, fields] of [
    [/by itself \(Local\) after the remote stop, whose answer is not known/, [started, lost], { stop_reason: 'Local' }],
    [/Its reason is Local, or none/, [started, stopped], { stop_reason: 'Local' }],
    [/Whether its meter counts is not shown/, [started, stopped], { energy_wh: 0 }],
    [/Its readings are odd: meter_reset/, [started, stopped], { flags: ['offline', 'meter_reset'] }],
  ] as const)
    t.match(judged(evidence, fields), { type: 'passed', isDoubtful: true, detail })
})

test('commissioning steps - a charge point that refuses the start, and charges all the same, is stopped in any case', async (t) => {
  const refused = exchange(remoteStart, 'answered', 'Rejected')
  t.match(next('test_transaction', [refused], { charge, takenWh: 5 }, test_), {
    call: { action: 'RemoteStopTransaction' },
  })
  const metered = sessionAt('test_transaction', [refused, exchange('TriggerMessage', 'answered', 'Accepted')], test_)
  t.equal(owingStop(metered, now).owed_stop?.id_tag, test_.test.id_tag)
})

test('commissioning steps - only keys that were read back with their value count as set', async (t) => {
  const keys = (outcome: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ key: `${outcome}${at}`, value: '1', outcome }))
  const applied = (...all: readonly ReturnType<typeof keys>[]) => {
    const session = sessionAt('configuration', [], { configuration: [{ key: 'a', value: '1' }] })
    const step = { ...session.steps[0], application_id: 'cfg_1' } as CommissioningSession['steps'][number]
    const application = { application_id: 'cfg_1', status: 'completed', keys: all.flat() } as unknown as NonNullable<
      Facts['application']
    >
    return decide(session, step, { ...facts, application })
  }
  t.same(applied(keys('applied', 7)), { type: 'passed', detail: '7 of 7 keys are set and read back.' })
  t.same(applied(keys('unverified', 1), keys('reboot_required', 1), keys('applied', 1)), {
    type: 'passed',
    isDoubtful: true,
    detail:
      '1 of 3 keys are set and read back. Accepted, but not read back: unverified0 (unverified), reboot_required0 (reboot_required).',
  })
  const many = applied(keys('read_only', 50))
  t.match(many, { isDoubtful: true, detail: /read_only4 \(read_only\), and 45 more\.$/ })
  t.match(applied(keys('other_value', 50)), { type: 'failed', detail: /other_value4 \(other_value\), and 45 more\.$/ })
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

test('commissioning - what a charge point answers is evidence without controls and characters that turn the order of a line round', async (t) => {
  const ended = (outcome: object) =>
    endOfCommand({ type: 'recorded', record: {}, outcome } as unknown as Parameters<typeof endOfCommand>[0])
  const status = 'Rejec\u202eted\r\n\u0000=cmd()'
  t.match(ended({ type: 'answered', payload: { status }, responseTimeMs: 1 }), { answer: 'Rejected=cmd()' })
  t.match(ended({ type: 'call-error', code: 'Not\u2066Known\u001b[2J', responseTimeMs: 1 }), { answer: 'NotKnown[2J' })
})

test('commissioning - evidence of a ping has whole milliseconds, as that of calls', async (t) => {
  t.same(endOfPing({ type: 'pinged', latencyMs: 0.634, answersPings: true, wasHeard: true }), {
    outcome: 'answered',
    answer: 'after 1 ms',
    response_time_ms: 1,
  })
})

test('commissioning steps - what a charge point could not send while it was away is waited for once it is back, and not for ever', async (t) => {
  const stop = exchange('RemoteStopTransaction', 'answered', 'Accepted', 62_000)
  const started = [exchange(remoteStart, 'answered', 'Accepted', 70_000)]
  const metered = { charge: { ...charge, received_at: iso(now - 69_000) } as Session, takenWh: 5 }
  const lost = sessionAt('test_transaction', [...started, stop], { ...test_, offline_since: now - 60_000 })
  const back = (session: CommissioningSession, at = now) =>
    noteAbsence(session, { isConnected: true, disconnectedAt: undefined, now: at })
  const decided = (session: CommissioningSession, known: Partial<Facts>) =>
    decide(session, session.steps[0] as CommissioningSession['steps'][number], { ...facts, ...known })
  t.match(decided(lost, metered), { type: 'failed', detail: /no StopTransaction/ })
  t.match(decided(back(lost), metered), { type: 'wait' }, 'its StopTransaction is on its way')
  t.match(decided(back(lost), { ...metered, now: now + 59_000 }), { type: 'wait' })
  t.match(decided(back(lost), { ...metered, now: now + 60_000 }), { type: 'failed', detail: /no StopTransaction/ })
  const unmetered = sessionAt('test_transaction', [...started, exchange('TriggerMessage', 'answered', 'Accepted')], {
    ...test_,
    offline_since: now - 59_000,
  })
  const long = { charge: { ...charge, received_at: iso(now - 181_000) } as Session }
  t.match(decided(unmetered, long), { type: 'failed', detail: /no reading of energy/ })
  t.match(decided(back(unmetered), long), { type: 'wait' }, 'its meter values are on their way')
  t.match(decided(back(unmetered), { ...long, now: now + 180_000 }), { type: 'failed' })
  let flapping = unmetered
  for (let times = 0; times < 20; times++) flapping = back({ ...flapping, offline_since: now }, now + times * 1_000)
  t.equal(flapping.returned?.at, now + 9_000, 'only so often')
  const [step] = flapping.steps
  t.equal(begun(flapping, step as CommissioningSession['steps'][number], now).returned, undefined)
})
