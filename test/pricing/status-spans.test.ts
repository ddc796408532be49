import { test } from 'tap'
import { statusSpans } from '../../src/pricing/status-spans.js'

const spans = (...statuses: [number, string][]) =>
  statusSpans(
    statuses.map(([at, status]) => ({ at, status })),
    100,
  )

test('status spans - without any status all is charging', (t) => {
  t.same(spans(), [{ state: 'charging', from: 100 }])
  t.end()
})

test('status spans - idle is every pause after the vehicle has charged', (t) => {
  t.same(spans([110, 'Charging'], [200, 'SuspendedEV'], [300, 'Charging'], [400, 'SuspendedEV'], [500, 'Finishing']), [
    { state: 'charging', from: 100, to: 200 },
    { state: 'idle', from: 200, to: 300 },
    { state: 'charging', from: 300, to: 400 },
    { state: 'idle', from: 400, to: 500 },
    { state: 'idle', from: 500 },
  ])
  t.end()
})

test('status spans - power held back by the charge point is never idle', (t) => {
  t.same(spans([200, 'SuspendedEVSE']), [
    { state: 'charging', from: 100, to: 200 },
    { state: 'suspended-evse', from: 200 },
  ])
  t.end()
})

test('status spans - a vehicle that waits from the start on is not idle before it has charged', (t) => {
  const waited = spans([105, 'SuspendedEV'], [5_000_000, 'Charging'], [6_000_000, 'Finishing'])
  t.same(
    waited.map(({ state }) => state),
    ['charging', 'suspended-ev', 'charging', 'idle'],
  )
  t.match(spans([200_000, 'SuspendedEV']), [{ state: 'charging' }, { state: 'idle', from: 200_000 }])
  t.end()
})

test('status spans - the status from before the start holds at the start; others say nothing', (t) => {
  t.same(spans([50, 'SuspendedEV'], [120, 'Preparing'], [130, 'toString'], [150, 'Charging']), [
    { state: 'suspended-ev', from: 100, to: 150 },
    { state: 'charging', from: 150 },
  ])
  t.end()
})
