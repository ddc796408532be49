// The interval that BootNotification is answered with is the one that was configured: charge points keep it as their HeartbeatInterval.

import { test } from 'tap'
import { alertsTable } from '../../../src/records/alert.js'
import { configurationApplicationsTable } from '../../../src/records/configuration.js'
import { actorOverStore } from './actor-over-store.js'
import { type Configurable, type ConfigurableOptions, configurable } from './configurable.js'

const id = 'CP-1'
const hourMs = 3_600_000

/** A box to which the value was applied, as far as it takes it. */
async function configured(value: string, options: Partial<ConfigurableOptions> = {}): Promise<Configurable> {
  const box = configurable(await actorOverStore(id), { keys: { HeartbeatInterval: '60' }, ...options })
  await box.connect()
  await box.apply({ heartbeatInterval: value })
  await box.settle()
  return box
}

const outcome = ({ actor }: Configurable) => actor.view().get(configurationApplicationsTable, [id])?.keys[0]?.outcome

test('heartbeat interval - a start does not change the one that was configured, and no drift is found', async (t) => {
  const box = await configured('900')
  await box.reboot()
  t.equal(box.keys.get('HeartbeatInterval'), '900')
  await box.pass(hourMs)
  await box.answer()
  t.equal(box.calls.at(-1), 'Get heartbeatInterval', 'it was looked for')
  t.same(box.actor.view().list(alertsTable, []), [])
})

test('heartbeat interval - a charge point that restarts over the key has the value after the restart', async (t) => {
  const box = await configured('900', { habits: { heartbeatInterval: 'takes-and-reboots' } })
  t.equal(outcome(box), 'applied')
  t.equal(box.keys.get('HeartbeatInterval'), '900')
})

test('heartbeat interval - where the charge point has not taken it, or it is no interval, it is that of the settings', async (t) => {
  const refused = await configured('900', { habits: { heartbeatInterval: 'Rejected' } })
  await refused.reboot()
  t.equal(outcome(refused), 'rejected')
  t.equal(refused.keys.get('HeartbeatInterval'), '300')
  for (const value of ['0', 'often', '-5', '1.5', '']) {
    const box = await configured(value)
    await box.reboot()
    t.equal(box.keys.get('HeartbeatInterval'), '300', value)
  }
})
