// What a charge point is answered of tags that the organization has registered: as they stand in its list, and by the clock.

import { test } from 'tap'
import { type IdTag, idTagsTable } from '../../../src/records/id-tag.js'
import { type Charging, charging, minuteMs } from './charge.js'

async function registered(charge: Charging, id_tag: string, fields: Partial<IdTag> = {}): Promise<void> {
  const about = { organization_id: 'org_1', version: 1, created_at: charge.now(), updated_at: charge.now() }
  await charge.put(idTagsTable, { ...about, id_tag, status: 'Accepted', ...fields })
}

const infoOf = async (charge: Charging, idTag: string): Promise<unknown> =>
  (await charge.call(1, 'Authorize', { idTag })).idTagInfo

test('id tags - Authorize and StartTransaction are answered with the status that is registered, in any case', async (t) => {
  const charge = await charging()
  for (const status of ['Accepted', 'Blocked', 'Expired', 'Invalid'] as const) {
    await registered(charge, `TAG-${status}`, { status })
    const idTag = `tag-${status}`
    t.match(await infoOf(charge, idTag), { status })
    const start = { connectorId: 1, idTag, meterStart: 0, timestamp: charge.now() }
    const { idTagInfo, transactionId } = await charge.call(1, 'StartTransaction', start)
    t.match(idTagInfo, { status })
    t.same(charge.session(Number(transactionId)).flags, status === 'Accepted' ? [] : ['not_authorized'])
    charge.pass(minuteMs)
  }
})

test('id tags - one is good until its expiry date, and Expired from then on', async (t) => {
  const charge = await charging()
  await registered(charge, 'CARD', { expiry_date: new Date(charge.clock.wall + 10 * minuteMs).toISOString() })
  await registered(charge, 'LOST', { status: 'Blocked', expiry_date: new Date(charge.clock.wall).toISOString() })
  t.match(await infoOf(charge, 'CARD'), { status: 'Accepted', expiryDate: '2026-01-02T00:10:00Z' })
  charge.pass(10 * minuteMs)
  t.match(await infoOf(charge, 'CARD'), { status: 'Expired' })
  t.match(await infoOf(charge, 'LOST'), { status: 'Blocked' }, 'what somebody has blocked stays so')
})

test('id tags - the answer names the parent of the tag', async (t) => {
  const charge = await charging()
  await registered(charge, 'CARD', { parent_id_tag: 'FLEET' })
  t.match(await infoOf(charge, 'CARD'), { status: 'Accepted', parentIdTag: 'FLEET' })
})
