// What commissioning has stored of a charge point ends with the registration, where no organization has claimed it.

import { test } from 'tap'
import { removedWakeUp } from '../../../src/actors/commissioning/messages.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { commissioningSessionsTable } from '../../../src/records/commissioning.js'
import { learnedTraitsTable, modelIdOf } from '../../../src/records/model-traits.js'
import { wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { installedRow, installerId } from '../../support/registration.js'
import { commissioningOverStore } from './commissioning-over-store.js'

const model = { vendor: 'Example', model: 'Wall Box', firmware_version: '1.8' }
const { installed } = installedRow('CP-1')
const later = '2026-11-02T00:00:00.000Z'

async function stage() {
  const actor = await commissioningOverStore('connectivity')
  const traitsOf = (registered_at: string) => ({
    charge_point_id: 'CP-1',
    organization_id: installerId,
    installer_id: installerId,
    registered_at,
    ...model,
    model_id: modelIdOf(model),
    learned_at: 1,
    traits: { answers_pings: true },
  })
  const session = actor.session()
  await actor.put(commissioningSessionsTable, { ...session, session_id: 'com_0', sequence: 0, status: 'failed' })
  const left = () => ({
    sessions: actor
      .view()
      .list(commissioningSessionsTable, [])
      .map(({ session_id }) => session_id),
    traits: actor.view().list(learnedTraitsTable, []).length,
    wakeUps: actor.view().list(wakeUpsTable, []).length,
  })
  return { actor, session, traitsOf, left }
}

test('commissioning - its sessions and what it has learned go with a registration that nobody has claimed', async (t) => {
  const { actor, traitsOf, left } = await stage()
  await actor.put(learnedTraitsTable, traitsOf(installed.registered_at))
  await actor.pass(3)
  t.equal(left().sessions.length, 2)
  await actor.remove(chargePointsTable, installedRow('CP-1'))
  await actor.put(wakeUpsTable, removedWakeUp('CP-1', installed, actor.clock))
  await actor.pass(3)
  t.same(left(), { sessions: [], traits: 0, wakeUps: 0 })
  await actor.pass(120, 10)
  t.equal(actor.isLoaded, false)
})

test('commissioning - what is of a registration that was made anew under the id stays', async (t) => {
  const { actor, session, traitsOf, left } = await stage()
  await actor.put(chargePointsTable, installedRow('CP-1', { registered_at: later }))
  const anew = { ...session, session_id: 'com_2', sequence: 2, registered_at: later, status: 'paused' } as const
  await actor.put(commissioningSessionsTable, anew)
  await actor.put(learnedTraitsTable, traitsOf(later))
  await actor.put(wakeUpsTable, removedWakeUp('CP-1', installed, actor.clock))
  await actor.pass(3)
  t.same(left(), { sessions: ['com_2'], traits: 1, wakeUps: 0 })
})
