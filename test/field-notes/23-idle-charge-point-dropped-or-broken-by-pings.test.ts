// Field note 23 (evcc#33099, mikuso#80, connectorio-addons#132, libocpp#1135).

import { test } from 'tap'
import { builtInTemplates } from '../../src/records/configuration-template.js'
import { chargePointOf } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { opcodes, type RawSocket, rawUpgrade } from '../support/raw-socket.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const pings = (peer: RawSocket): number => peer.frames.filter(({ opcode }) => opcode === opcodes.ping).length

test('a charge point is idle for longer than its heartbeat interval, or breaks when pinged - neither is dropped', async (t) => {
  const service = await sharedService(['--ping-interval-seconds', '1', '--heartbeat-interval-seconds', '1'])
  await service.register('CP-MUTE')
  await service.register('CP-FRAGILE')
  const policy = await service.request('PATCH', '/api/v1/chargepoints/CP-FRAGILE', { ping_interval_seconds: 0 })
  t.match(policy, { status: 200, body: { ping_interval_seconds: 0 } })
  // Neither ever says a word: the one ignores pings, the other must not get any.
  const mute = await rawUpgrade(service.port, '/ocpp16/CP-MUTE')
  const fragile = await rawUpgrade(service.port, '/ocpp16/CP-FRAGILE')
  t.teardown(() => {
    mute.socket.destroy()
    fragile.socket.destroy()
  })
  await until(() => pings(mute) >= 2)
  t.equal(pings(fragile), 0, 'a charge point with its own policy is not pinged')
  t.match(await chargePointOf(service, 'CP-MUTE'), { online: true })
  t.match(await chargePointOf(service, 'CP-FRAGILE'), { online: true })
  t.notOk(mute.closed())
})

test('a charge point that answers no pings is configured to speak once an hour - it is not dropped, as others are', async (t) => {
  const asOftenAsThey = [
    '--ping-interval-seconds',
    '1',
    '--heartbeat-interval-seconds',
    '1',
    '--dead-peer-seconds',
    '1',
  ]
  const service = await sharedService(asOftenAsThey)
  for (const id of ['CP-RARE', 'CP-GONE']) await service.register(id)
  const path = '/api/v1/chargepoints/CP-RARE/configuration'
  const left = Object.fromEntries(Object.keys(builtInTemplates[0]?.parameters ?? {}).map((key) => [key, null]))
  const overrides = { ...left, HeartbeatInterval: 3_600 }
  t.equal((await service.request('PATCH', path, { overrides })).status, 200)
  const rare = await connectOcpp(`${service.ocppUrl}/CP-RARE`, { autoPong: false })
  await rare.boot()
  t.equal((await service.request('POST', `${path}/apply`)).status, 202)
  const configurationKey = [{ key: 'HeartbeatInterval', readonly: false, value: '3600' }]
  for (let isOver = false; !isOver; ) {
    const [, messageId, , { key }] = (await rare.nextFrame()) as [number, string, string, { key: string[] }]
    isOver = key.includes('HeartbeatInterval')
    rare.raw(JSON.stringify([3, messageId, { configurationKey: isOver ? configurationKey : [], unknownKey: [] }]))
  }
  // The second has come after the end of the first, and so long after what the other has said last.
  for (const _ of ['first', 'second'])
    await (await connectOcpp(`${service.ocppUrl}/CP-GONE`, { autoPong: false })).closed
  t.match(await chargePointOf(service, 'CP-RARE'), { online: true })
  await rare.close()
})
