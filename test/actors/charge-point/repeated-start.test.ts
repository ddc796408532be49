// When a StartTransaction is a repeat, over clocks that nobody should trust.

import { test } from 'tap'
import { actorOverStore } from './actor-over-store.js'

const boot = { chargePointVendor: 'V', chargePointModel: 'M' }
/** Of a charge point that calls its local time UTC. */
const start = { connectorId: 1, idTag: 'TAG1', timestamp: '2026-01-02T02:00:00Z', meterStart: 1_000 }
const hourMs = 3_600_000

test('repeated start - it is one while the session runs, also when the server clock was set meanwhile', async (t) => {
  const actor = await actorOverStore('CP-1')
  await actor.attach(1, 100)
  await actor.call(1, 'BootNotification', boot)
  const { transactionId } = await actor.call(1, 'StartTransaction', start)
  actor.clock.wall += hourMs
  t.equal((await actor.call(1, 'StartTransaction', start)).transactionId, transactionId)
  actor.restart()
  await actor.attach(1, 100)
  t.equal((await actor.call(1, 'StartTransaction', start)).transactionId, transactionId, 'after a restart as well')
})

test('repeated start - a suspect clock may say the same start of the next charge', async (t) => {
  const actor = await actorOverStore('CP-1')
  await actor.attach(1, 100)
  await actor.call(1, 'BootNotification', boot)
  const { transactionId } = await actor.call(1, 'StartTransaction', start)
  await actor.call(1, 'StopTransaction', { transactionId, meterStop: 1_000, timestamp: start.timestamp })
  t.equal(
    (await actor.call(1, 'StartTransaction', start)).transactionId,
    transactionId,
    'within minutes it is a repeat',
  )
  actor.clock.wall += hourMs
  t.not((await actor.call(1, 'StartTransaction', start)).transactionId, transactionId)
})
