import { test } from 'tap'
import { withStatus } from '../../../src/actors/charge-point/session-statuses.js'
import type { ConnectorState } from '../../../src/records/charge-point-state.js'
import type { Session } from '../../../src/records/session.js'

const started = Date.parse('2026-05-01T10:00:00.000Z')
const arrived = started + 7_200_000

const session = { started_at: new Date(started).toISOString() } as Session

function told(status: ConnectorState['status'], at: number): ConnectorState {
  return { connector_id: 1, status, error_code: 'NoError', info: null, timestamp: new Date(at).toISOString() }
}

test('session statuses - messages that had to wait count from their own times, the first also from the start itself', (t) => {
  const charging = withStatus(session, told('Charging', started), arrived) as Session
  const full = withStatus(charging, told('SuspendedEV', started + 60_000), arrived) as Session
  t.same(full.statuses, [
    { at: started, status: 'Charging' },
    { at: started + 60_000, status: 'SuspendedEV' },
  ])
  t.equal(withStatus(full, told('SuspendedEV', started + 90_000), arrived), undefined, 'the same again says nothing')
  t.end()
})

test('session statuses - a clock that stands still or was set back: from the arrival', (t) => {
  const charging = withStatus(session, told('Charging', started), started + 10) as Session
  const still = withStatus(charging, told('SuspendedEV', started), arrived) as Session
  t.same(still.statuses?.at(-1), { at: arrived, status: 'SuspendedEV' })
  const back = withStatus(session, told('Charging', started - 1), arrived) as Session
  t.same(back.statuses, [{ at: arrived, status: 'Charging' }])
  t.end()
})
