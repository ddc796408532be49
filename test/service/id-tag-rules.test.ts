// The organization's rules for id tags, over the built service: tags that nobody has registered, and tags that charge already.

import { type Test, test } from 'tap'
import { bootChargePoint, command, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { testOverKill } from '../support/over-a-kill.js'
import { sharedService } from '../support/shared-services.js'

const shared = await sharedService()

async function setRules(t: Test, { id, request }: Tenant, rules: Readonly<Record<string, string>>) {
  const path = `/api/v1/organizations/${id}/settings`
  t.match(await request('PUT', path, rules), { status: 200, body: rules })
  t.match((await request('GET', path)).body, rules)
}

const authorize = async (client: OcppClient, idTag: string): Promise<string> =>
  (await client.call('Authorize', { idTag })).payload.idTagInfo.status

async function begin(client: OcppClient, fields: object): Promise<{ readonly id: number; readonly status: string }> {
  const { payload } = await client.call('StartTransaction', startRequest({ timestamp: secondsAgo(0), ...fields }))
  return { id: payload.transactionId, status: payload.idTagInfo.status }
}

const stop = (client: OcppClient, transactionId: number) =>
  client.call('StopTransaction', { transactionId, meterStop: 2000, timestamp: secondsAgo(0) })

test('id tags - unknown ones are refused from the next message on where the organization says so, and their sessions kept', async (t) => {
  const service = await tenantOf(shared)
  const client = await bootChargePoint(service, 'TAGS-11')
  t.equal(await authorize(client, 'NOBODY'), 'Accepted', 'the default')
  await setRules(t, service, { unknown_id_tags: 'reject' })
  t.equal(await authorize(client, 'NOBODY'), 'Invalid')
  const { id, status } = await begin(client, { idTag: 'NOBODY' })
  t.equal(status, 'Invalid')
  t.ok(id > 0)
  t.match(await sessionOf(service, 'TAGS-11', id), { status: 'active', flags: ['not_authorized'] })
  t.match(await service.request('POST', '/api/v1/id-tags', { id_tag: 'CARD' }), { status: 201 })
  t.equal(await authorize(client, 'card'), 'Accepted')
  await setRules(t, service, { unknown_id_tags: 'accept' })
  t.equal(await authorize(client, 'NOBODY'), 'Accepted')
  t.match(
    await service.request('PUT', `/api/v1/organizations/${service.id}/settings`, {
      unknown_id_tags: 'ask',
    }),
    {
      status: 400,
      body: { error: { details: [{ path: '/unknown_id_tags' }] } },
    },
  )
})

test('id tags - one that is too long for OCPP 1.6 or has the form of a guest is never good by itself', async (t) => {
  const service = await tenantOf(shared)
  const client = await bootChargePoint(service, 'TAGS-21')
  t.equal(await authorize(client, 'A'.repeat(20)), 'Accepted')
  for (const idTag of ['A'.repeat(21), 'A'.repeat(5000), 'GST0123456789ABCDEFG', 'gst0123456789abcdefg', ''])
    t.equal(await authorize(client, idTag), 'Invalid', idTag.slice(0, 30))
  const { id, status } = await begin(client, { idTag: 'A'.repeat(5000) })
  t.equal(status, 'Invalid')
  t.match(await sessionOf(service, 'TAGS-21', id), { flags: ['not_authorized'] })
})

testOverKill(
  'id tags - the tag of a remote start is good at its charge point, during the charge too, also after a restart',
  async (t, before) => {
    await setRules(t, before, { unknown_id_tags: 'reject' })
    const client = await bootChargePoint(before, 'TAGS-31')
    const other = await bootChargePoint(before, 'TAGS-32')
    const asked = command(before, 'TAGS-31', 'start_session', { connector_id: 1, id_tag: 'OPERATOR' })
    const call = await client.nextFrame()
    t.equal(await authorize(client, 'OPERATOR'), 'Accepted', 'before the command is answered')
    client.raw(JSON.stringify([3, call[1], { status: 'Accepted' }]))
    t.equal((await asked).status, 200)
    t.equal(await authorize(client, 'OPERATOR'), 'Accepted')
    t.equal(await authorize(other, 'OPERATOR'), 'Invalid', 'elsewhere it is nobody’s')

    return async (t, after) => {
      const again = await connectOcpp(`${after.ocppUrl}/TAGS-31`)
      t.equal((await begin(again, { idTag: 'OPERATOR' })).status, 'Accepted')
      t.equal((await begin(again, { idTag: 'OPERATOR', connectorId: 2 })).status, 'Accepted', 'while it charges')
      t.equal(await authorize(again, 'NOBODY'), 'Invalid', 'the rule is still there')
      const raw = after.request('POST', '/api/v1/ocpp16/remote_start_transaction', {
        charge_point_id: 'TAGS-31',
        connector_id: 1,
        id_tag: 'GST0123456789ABCDEFG',
      })
      await again.answerNext({ status: 'Rejected' })
      t.match(await raw, { status: 200, body: { status: 'Rejected' } })
      t.equal(await authorize(again, 'GST0123456789ABCDEFG'), 'Invalid', 'one that was not accepted makes no tag good')
    }
  },
)

test('id tags - one that charges is told ConcurrentTx elsewhere where the organization says so', async (t) => {
  const service = await tenantOf(shared)
  const client = await bootChargePoint(service, 'TAGS-41')
  const other = await bootChargePoint(service, 'TAGS-42')
  const one = await begin(client, { idTag: 'CARD' })
  const two = await begin(other, { idTag: 'CARD' })
  t.same([one.status, two.status], ['Accepted', 'Accepted'], 'the default')
  await stop(other, two.id)

  await setRules(t, service, { concurrent_transactions: 'reject' })
  const repeatable = startRequest({ timestamp: secondsAgo(0), idTag: 'card', connectorId: 2, meterStart: 5 })
  const refused = (await client.call('StartTransaction', repeatable)).payload
  t.equal(refused.idTagInfo.status, 'ConcurrentTx', 'on another connector')
  const elsewhere = await begin(other, { idTag: 'CARD', meterStart: 8 })
  t.equal(elsewhere.status, 'ConcurrentTx', 'at another charge point')
  t.match(await sessionOf(service, 'TAGS-42', elsewhere.id), { flags: ['not_authorized', 'concurrent_transaction'] })
  t.equal(await authorize(client, 'CARD'), 'Accepted', 'whoever wants to stop may')
  await stop(other, elsewhere.id)
  await stop(client, one.id)
  t.same((await client.call('StartTransaction', repeatable)).payload, refused, 'a repeat is answered as the first was')
  await stop(client, refused.transactionId)
  t.equal((await begin(other, { idTag: 'CARD', meterStart: 6 })).status, 'Accepted', 'when it charges nowhere')
  t.equal(
    (await begin(other, { idTag: 'CARD', meterStart: 7 })).status,
    'Accepted',
    'again on its connector: the former charge is over',
  )
})

test('id tags - a session that was refused keeps its tag from charging nowhere else', async (t) => {
  const service = await tenantOf(shared)
  await setRules(t, service, { concurrent_transactions: 'reject', unknown_id_tags: 'reject' })
  const client = await bootChargePoint(service, 'TAGS-51')
  const other = await bootChargePoint(service, 'TAGS-52')
  t.equal((await begin(other, { idTag: 'CARD' })).status, 'Invalid')
  await service.request('POST', '/api/v1/id-tags', { id_tag: 'CARD' })
  t.equal((await begin(client, { idTag: 'CARD' })).status, 'Accepted', 'while the other goes on')
  t.equal((await begin(client, { idTag: 'CARD', connectorId: 2 })).status, 'ConcurrentTx')
})

test('id tags - a group charges as often as it has cards, and a charge that was told late disturbs nobody', async (t) => {
  const service = await tenantOf(shared)
  await setRules(t, service, { concurrent_transactions: 'reject' })
  for (const id_tag of ['CARD-1', 'CARD-2'])
    await service.request('POST', '/api/v1/id-tags', { id_tag, parent_id_tag: 'FLEET' })
  const client = await bootChargePoint(service, 'TAGS-61')
  t.equal((await begin(client, { idTag: 'CARD-1', connectorId: 1 })).status, 'Accepted')
  t.equal((await begin(client, { idTag: 'CARD-2', connectorId: 2 })).status, 'Accepted')
  const other = await bootChargePoint(service, 'TAGS-62')
  const late = await begin(other, { idTag: 'CARD-1', timestamp: secondsAgo(7200) })
  t.equal(late.status, 'Accepted', 'it had begun before the other')
})

test('id tags - of two charges that begin at the same moment one is accepted, and the other is kept and told ConcurrentTx', async (t) => {
  const service = await tenantOf(shared)
  await setRules(t, service, { concurrent_transactions: 'reject' })
  const clients = await Promise.all(
    ['TAGS-71', 'TAGS-72', 'TAGS-73', 'TAGS-74'].map((id) => bootChargePoint(service, id)),
  )
  for (let round = 0; round < 5; round++) {
    const idTag = `CARD-${round}`
    const timestamp = secondsAgo(0)
    const answers = await Promise.all(
      clients.map(async (client) => {
        const answer = await client.call('StartTransaction', startRequest({ idTag, timestamp }))
        t.equal(answer.error, undefined, 'each is answered the first time')
        return answer.payload
      }),
    )
    const statuses = answers.map(({ idTagInfo }) => idTagInfo.status).sort()
    t.same(statuses, ['Accepted', 'ConcurrentTx', 'ConcurrentTx', 'ConcurrentTx'])
    const { body } = await service.request('GET', `/api/v1/sessions?id_tag=${idTag}`)
    t.equal(body.total, 4)
    for (const [at, client] of clients.entries()) await stop(client, answers[at].transactionId)
  }
})
