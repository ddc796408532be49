// The tag of a commissioning's test transaction is good also at an organization that refuses unknown tags, and only while the test runs.

import { test } from 'tap'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type CommissioningSession, commissioningSessionsTable } from '../../../src/records/commissioning.js'
import { type Organization, organizationsTable } from '../../../src/records/organization.js'
import { claimedRow, installedRow, installerId } from '../../support/registration.js'
import { actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const idTag = 'TEST0123456789ABCDEF'
const at = '2026-01-02T00:00:00.000Z'
const session: CommissioningSession = {
  session_id: 'com_1',
  charge_point_id: id,
  sequence: 1,
  installer_id: installerId,
  registered_at: at,
  status: 'running',
  template_id: 'standard',
  started_at: at,
  configuration: [],
  steps: [],
  test: { id_tag: idTag, connector_id: 1 },
  log: [],
}

test('test tag - a charge begins with it where the command that asked for it is not known any more', async (t) => {
  const actor = await actorOverStore(id)
  await actor.put(chargePointsTable, claimedRow(installedRow(id)))
  const claimer = { organization_id: 'org_2', unknown_id_tags: 'reject' } as unknown as Organization
  await actor.put(organizationsTable, claimer)
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  const authorize = async (tag: string) => JSON.stringify(await actor.call(1, 'Authorize', { idTag: tag }))
  t.notMatch(await authorize(idTag), /Accepted/)
  await actor.put(commissioningSessionsTable, session)
  t.match(await authorize(idTag), /Accepted/)
  t.notMatch(await authorize('TEST0123456789ABCDEG'), /Accepted/)
  await actor.put(commissioningSessionsTable, { ...session, status: 'stopped' })
  t.notMatch(await authorize(idTag), /Accepted/)
})
