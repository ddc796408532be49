// Frames that are not what they should be, over a real socket (OCPP-J 1.6, 4.1.3 and 4.2.3).

import { test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

const service = await tenantOf(await sharedService())

async function exchange(client: OcppClient, text: string): Promise<unknown[]> {
  client.raw(text)
  return client.nextFrame()
}

test('frames - an unknown action is NotImplemented, one that only the service may call is NotSupported', async (t) => {
  const client = await bootChargePoint(service, 'FR-ACTIONS')
  t.match(await client.call('MakeCoffee', {}), { error: 'NotImplemented', payload: {} })
  t.match(await client.call('heartbeat', {}), { error: 'NotImplemented' }, 'actions have one spelling')
  t.match(await client.call('Reset', { type: 'Hard' }), { error: 'NotSupported' })
  t.match(await client.call('Heartbeat', {}), { error: undefined })
})

test('frames - a broken one is refused with FormationViolation where its id can be read, else ignored', async (t) => {
  const client = await bootChargePoint(service, 'FR-BROKEN')
  t.match(await exchange(client, '[2,"id-1","Heartbeat",{'), [4, 'id-1', 'FormationViolation', String, {}])
  t.match(await exchange(client, ' [ 2 , "id-2" , "Heartbeat" , {"a":[}]'), [
    4,
    'id-2',
    'FormationViolation',
    String,
    {},
  ])
  t.match(await exchange(client, '[2,"id-3"]'), [4, 'id-3', 'ProtocolError', String, {}])
  t.match(await exchange(client, '[2,"","Heartbeat",{}]'), [4, '', 'FormationViolation', String, {}])
  for (const ignored of [
    'nonsense',
    '{}',
    '[]',
    '[9,"id-4",{}]',
    '[3,"never-asked",{}]',
    '[4,"never-asked","GenericError","",{}]',
  ])
    client.raw(ignored)
  t.match(
    await exchange(client, '[2,"id-5","Heartbeat",{}]'),
    [3, 'id-5', { currentTime: String }],
    'none was answered',
  )
})

test('frames - a field that cannot be done without is refused by what is wrong with it; the rest is taken', async (t) => {
  const client = await bootChargePoint(service, 'FR-FIELDS')
  const start = { connectorId: 1, idTag: 'TAG-1', timestamp: '2026-11-01T10:00:00Z' }
  t.match(await client.call('StartTransaction', start), { error: undefined, payload: { transactionId: Number } })
  t.match(await client.call('StartTransaction', { ...start, meterStart: {} }), { error: undefined })
  t.match(await client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError' }), {
    error: 'OccurenceConstraintViolation',
  })
  t.match(await client.call('StatusNotification', { connectorId: 1, status: 'Melting', errorCode: 'NoError' }), {
    error: 'PropertyConstraintViolation',
  })
  t.match(await client.call('Authorize', { idTag: 'X'.repeat(40), extra: 1 }), { error: undefined })
})

test('frames - message ids are echoed as they are, and may be used again for other calls', async (t) => {
  const client = await bootChargePoint(service, 'FR-IDS')
  const long = 'x'.repeat(255)
  for (const id of ['"1000001"', '"1000001"', '17', '9007199254740993', `"${long}"`]) {
    client.raw(`[2,${id},"Authorize",{"idTag":"TAG-1"}]`)
    const answered = new Promise<string>((resolve) => client.socket.once('message', (data) => resolve(String(data))))
    t.ok((await answered).startsWith(`[3,${id},{"idTagInfo":`), id.slice(0, 20))
  }
})

test('frames - 64 KiB is taken, a byte more closes with 1009', async (t) => {
  const client = await bootChargePoint(service, 'FR-LARGE')
  const frame = (bytes: number): string => {
    const [start, end] = ['[2,"large","DataTransfer",{"vendorId":"V","data":"', '"}]']
    return start + 'x'.repeat(bytes - start.length - end.length) + end
  }
  t.match(await exchange(client, frame(65_536)), [3, 'large', { status: 'UnknownVendorId' }])
  client.raw(frame(65_537))
  t.equal((await client.closed).code, 1009)
  t.match(await (await connectOcpp(`${service.ocppUrl}/FR-LARGE`)).call('Heartbeat', {}), { error: undefined })
})

test('frames - ten malformed ones in a row are borne, the eleventh closes with 1002; a good one between starts anew', async (t) => {
  const client = await bootChargePoint(service, 'FR-NOISY')
  const noise = (count: number): void => {
    for (let sent = 0; sent < count; sent++) client.raw('not a frame')
  }
  noise(10)
  t.match(await client.call('Heartbeat', {}), { error: undefined })
  noise(10)
  t.match(await client.call('Heartbeat', {}), { error: undefined })
  noise(11)
  t.match(await client.closed, { code: 1002, reason: 'too many malformed frames' })
})

test('frames - id tags that are not Unicode stay as different as they were', async (t) => {
  const client = await bootChargePoint(service, 'FR-TEXTS')
  const authorize = (id: string, idTag: string): string => `[2,"${id}","Authorize",{"idTag":"${idTag}"}]`
  t.match(await exchange(client, authorize('t-1', 'TEXT\\ud800')), [3, 't-1', {}])
  t.match(await exchange(client, authorize('t-2', 'TEXT\\ud801')), [3, 't-2', {}])
  for (const [id, tag] of Object.entries({ 'b-1': 'CAF\xe9', 'b-2': 'CAF\xe8' })) {
    client.socket.send(Buffer.from(authorize(id, tag), 'latin1'), { binary: true })
    t.match(await client.nextFrame(), [3, id, {}])
  }
  const { body } = await service.request('GET', '/api/v1/id-tags/unknown')
  const seen = body.id_tags.filter((tag: { charge_point_id: string }) => tag.charge_point_id === 'FR-TEXTS')
  t.same(seen.map(({ id_tag }: { id_tag: string }) => id_tag).sort(), [
    'CAF\xe8',
    'CAF\xe9',
    'TEXT\\ud800',
    'TEXT\\ud801',
  ])
})
