// One that sends more than a socket may: it is closed at once, has to wait, and nobody else feels it.

import { test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import { maskedFrame, opcodes, rawUpgrade } from '../support/raw-socket.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await tenantOf(await sharedService())

const endedFor = async (reason: string): Promise<number> => {
  const { body } = await service.request('GET', '/metrics')
  const line = new RegExp(`^ampshard_connections_ended_total\\{[^}]*reason="${reason}"[^}]*\\} (\\d+)$`, 'm')
  return Number(line.exec(body)?.[1])
}

const frames = (opcode: number, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => maskedFrame(opcode, Buffer.alloc(0))))

for (const [name, opcode] of [
  ['pings', opcodes.ping],
  ['pongs', opcodes.pong],
] as const) {
  test(`flooding - one that sends very many ${name} is closed at once, and has to wait before it connects again`, async (t) => {
    const id = `FLOOD-${name}`
    const before = await endedFor('too_many_pings')
    await service.register(id)
    const flooder = await rawUpgrade(service.port, `/ocpp16/${id}`)
    flooder.socket.write(frames(opcode, 20_000))
    await until(flooder.closed)
    const answered = flooder.frames.filter((frame) => frame.opcode === opcodes.pong).length
    t.ok(answered < 100, `${answered} pongs`)
    t.equal(await endedFor('too_many_pings'), before + 1)

    const again = await rawUpgrade(service.port, `/ocpp16/${id}`)
    t.equal(again.status, 503)
    t.match(again.head, /Retry-After: [1-6]?\d\r?$/m)
    t.match(await until(again.body), /^flooding: The charge point sent more than it may/)
    t.match(await (await bootChargePoint(service, `CALM-${name}`)).call('Heartbeat', {}), { error: undefined })
  })
}

test('flooding - pings that a real charge point sends are answered, each of them', async (t) => {
  await service.register('PINGS')
  const client = await rawUpgrade(service.port, '/ocpp16/PINGS')
  client.socket.write(frames(opcodes.ping, 20))
  await until(() => client.frames.filter(({ opcode }) => opcode === opcodes.pong).length === 20)
  t.notOk(client.closed())
  client.socket.destroy()
})
