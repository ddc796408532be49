// Unknown tags are rows of the organization, which all its charge points and its operators write: nobody writes over another's change.

import { test } from 'tap'
import { limits } from '../../../src/actors/charge-point/limits.js'
import { idTagsTable, type UnknownIdTag, unknownIdTagsTable } from '../../../src/records/id-tag.js'
import { registeredRow } from '../../support/registration.js'
import { actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const { organization_id } = registeredRow(id)
const earlier = '2026-01-01T00:00:00.000Z'

function unknown(id_tag: string): UnknownIdTag {
  return { organization_id, id_tag, first_seen_at: earlier, last_seen_at: earlier, count: 5, charge_point_id: 'CP-2' }
}

async function booted() {
  const actor = await actorOverStore(id)
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  return actor
}

test('unknown tags - one that is adopted while a charge point shows it does not come back', async (t) => {
  const actor = await booted()
  await actor.put(unknownIdTagsTable, unknown('CARD'))
  const tag = { organization_id, id_tag: 'CARD', status: 'Blocked' as const, created_at: earlier, updated_at: earlier }
  actor.overtake(() => {
    void actor.remove(unknownIdTagsTable, [organization_id, 'CARD'])
    void actor.put(idTagsTable, { ...tag, version: 1 })
  })
  t.match(await actor.call(1, 'Authorize', { idTag: 'card' }), { idTagInfo: { status: 'Blocked' } })
  t.same(actor.view().list(unknownIdTagsTable, []), [])
})

test('unknown tags - what another charge point notes meanwhile is counted too, and a row from before there were versions', async (t) => {
  const actor = await booted()
  await actor.put(unknownIdTagsTable, unknown('CARD'))
  actor.overtake(() => void actor.put(unknownIdTagsTable, { ...unknown('CARD'), count: 6, version: 1 }))
  await actor.call(1, 'Authorize', { idTag: 'CARD' })
  t.match(actor.view().list(unknownIdTagsTable, []), [{ count: 7, version: 2, charge_point_id: id }])
})

test('unknown tags - an organization never has more of them than the limit', async (t) => {
  const actor = await booted()
  const row = (at: number) => unknown(`CARD-${at}`)
  await Promise.all(Array.from({ length: limits.unknownIdTags - 1 }, (_, at) => actor.put(unknownIdTagsTable, row(at))))
  actor.overtake(() => void actor.put(unknownIdTagsTable, unknown('ANOTHER')))
  t.match(await actor.call(1, 'Authorize', { idTag: 'ONE-TOO-MANY' }), { idTagInfo: {} })
  t.equal(actor.view().total(unknownIdTagsTable, 'byOrganization', [organization_id]), limits.unknownIdTags)
  t.equal(actor.view().get(unknownIdTagsTable, [organization_id, 'ONE-TOO-MANY']), undefined)
})
