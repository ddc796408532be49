// Reports and notifications that a site never receives: it finds the difference by itself within minutes.

import { test } from 'tap'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { registeredRow } from '../../support/registration.js'
import { actorOverStore } from '../charge-point/actor-over-store.js'
import { type ChargerOptions, siteWorld } from './site-world.js'

const one: ChargerOptions = { phases: 3, rotation: 'RST', maxPowerKw: 22.08, manner: 'obeys' }

test('site - a lost report and a lost notification are found by the full comparison', async (t) => {
  const world = await siteWorld([one, one], { max_power_kw: 40 })
  const [charger, other] = world.chargers
  if (charger === undefined || other === undefined) throw new Error('there are no charge points')
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 8; round++) {
      await world.answerAll()
      await world.pass(6)
    }
  }
  for (const each of world.chargers) await world.report(each)
  await settle()
  await world.plug(charger, 3)
  await world.plug(other, 3)
  await settle()
  await world.loseUnheard(charger)
  await world.configureUnheard({ max_power_kw: 30 })
  t.match(await world.allocation(), { total_budget_kw: 40, chargers: [{ state: 'applied' }, { state: 'applied' }] })
  await world.pass(300)
  t.match(await world.allocation(), { total_budget_kw: 30, chargers: [{ state: 'offline' }, {}] })
  await settle()
  t.ok(world.couldDraw() <= 30_000, `${world.couldDraw()} W`)
})

test('site - a charge point with a car repeats its report within minutes, and whenever its site needs it', async (t) => {
  const actor = await actorOverStore('CP-1')
  await actor.put(chargePointsTable, registeredRow('CP-1', { site_id: 'sit_1' }))
  const pass = (ms: number): void => {
    actor.clock.wall += ms
    actor.clock.monotonic += ms
  }
  await actor.attach(1, 100)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model' })
  const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp: new Date(actor.clock.wall).toISOString() }
  await actor.call(1, 'StartTransaction', start)
  const isCharging = { type: 'charger-report', chargePointId: 'CP-1', isReady: true, sessions: [{ connectorId: 1 }] }
  t.match(actor.toSite.splice(0).at(-1), isCharging)
  pass(60_000)
  await actor.call(1, 'Heartbeat', {})
  t.same(actor.toSite, [], 'nothing has changed')
  pass(300_000)
  await actor.call(1, 'Heartbeat', {})
  t.match(actor.toSite.splice(0), [isCharging])
  await actor.send({ type: 'report-to-site' })
  t.match(actor.toSite.splice(0), [isCharging])
})
