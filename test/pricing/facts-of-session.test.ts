import { test } from 'tap'
import { measureSession } from '../../src/pricing/session-facts.js'
import { factsOfSession } from '../../src/records/facts-of-session.js'
import type { Session } from '../../src/records/session.js'

const started = Date.parse('2026-05-01T10:00:00.000Z')
const minuteMs = 60_000

const running: Session = {
  session_id: 'ses_1',
  transaction_id: 7,
  organization_id: 'org_1',
  charge_point_id: 'CP-1',
  connector_id: 2,
  id_tag: 'TAG-1',
  authorization: 'Accepted',
  status: 'active',
  started_at: new Date(started).toISOString(),
  received_at: new Date(started).toISOString(),
  meter_start: 5_000,
  flags: [],
  start_key: 'x',
}

const closed: Session = {
  ...running,
  status: 'completed',
  ended_at: new Date(started + 60 * minuteMs).toISOString(),
  meter_stop: 12_000,
  energy_wh: 6_900,
  stop_reason: 'Local',
  site_id: 'site_1',
  auth_method: 'rfid',
  statuses: [
    { at: started, status: 'Charging' },
    { at: started + 40 * minuteMs, status: 'SuspendedEV' },
  ],
}

const row = (minute: number, energy_wh?: number) => ({
  owner: 'ses_1',
  at: started + minute * minuteMs,
  context: 'Sample.Periodic',
  samples: [],
  ...(energy_wh === undefined ? {} : { energy_wh }),
})

test('facts - of an ended session: its own energy, its end, its idle time, who and where', (t) => {
  const facts = factsOfSession(closed, { meterValues: [row(10, 6_000), row(20), row(30, 9_000)], asOf: 1 })
  t.match(facts, {
    sessionId: 'ses_1',
    startedAt: started,
    endedAt: started + 60 * minuteMs,
    asOf: undefined,
    energyWh: 6_900,
    stopReason: 'Local',
    idTag: 'TAG-1',
    connectorId: 2,
    chargePointId: 'CP-1',
    siteId: 'site_1',
    authMethod: 'rfid',
  })
  t.same(
    facts.samples.map(({ registerWh }) => registerWh),
    [5_000, 6_000, 9_000, 12_000],
    'from the register at the start to the one at the stop; a row without a register says nothing',
  )
  t.match(measureSession(facts), { idleMs: 20 * minuteMs, energy: { source: 'session', milliwattHours: 6_900_000 } })
  t.end()
})

test('facts - the energy does not depend on whether the meter values were read', (t) => {
  const energyOf = (facts: ReturnType<typeof factsOfSession>) => measureSession(facts).energy.milliwattHours
  t.equal(energyOf(factsOfSession(closed)), energyOf(factsOfSession(closed, { meterValues: [row(10, 6_000)] })))
  const { energy_wh, ...older } = closed
  t.equal(energyOf(factsOfSession(older)), 7_000_000, 'without energy_wh the registers say it')
  t.equal(energyOf(factsOfSession({ ...older, meter_stop: 4_000 })), 0, 'and never less than nothing')
  t.end()
})

test('facts - of a running session: until now, the energy as given, else by its registers', (t) => {
  const asOf = started + 30 * minuteMs
  const given = factsOfSession(running, { asOf, energyWh: 1_500, meterValues: [row(10, 7_000)] })
  t.match(measureSession(given), { durationMs: 30 * minuteMs, energy: { milliwattHours: 1_500_000 } })
  const metered = factsOfSession(running, { asOf, meterValues: [row(10, 7_000)] })
  t.match(measureSession(metered).energy, { source: 'samples', milliwattHours: 2_000_000 })
  const silent = factsOfSession(running, { asOf })
  t.match(measureSession(silent).energy, { source: 'none', milliwattHours: 0 })
  t.end()
})
