// One connection more than there are open files for is closed at once; one that ends makes room, whatever it was.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { test } from 'tap'
import { connectionRoom, createConnectionCount, openFiles } from '../../src/edge/open-files.js'
import { systemClock as clock } from '../../src/runtime/clock.js'
import { loadUWebSockets } from '../../src/runtime/thread/uwebsockets.js'
import { bootChargePoint } from '../support/charge-point.js'
import { rawUpgrade } from '../support/raw-socket.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

test('open files - connections have what the rest of the process leaves', (t) => {
  t.equal(connectionRoom({ limit: 1_024, inUse: 40 }, 1), 868)
  t.equal(connectionRoom({ limit: 1_024, inUse: 40 }, 2), 434)
  t.equal(connectionRoom({ limit: 64, inUse: 40 }, 1), 1)
  t.equal(connectionRoom({ limit: Number.POSITIVE_INFINITY, inUse: 40 }, 1), Number.POSITIVE_INFINITY)
  const { limit, inUse } = openFiles()
  t.ok(limit > inUse && inUse > 0)
  t.end()
})

test('open files - one connection too many is closed at once, and logged once', async (t) => {
  const uws = loadUWebSockets()
  const refused: string[] = []
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const count = createConnectionCount({ most: 3, clock, log, refused: (reason) => refused.push(reason) })
  const app = uws.App().filter((response, change) => count.filter(response, Number(change)))
  app.ws('/*', { close: () => count.socketClosed() })
  const port = await new Promise<number>((resolve) => {
    app.listen('127.0.0.1', 0, (listening) => resolve(uws.us_socket_local_port(listening || '')))
  })
  t.teardown(() => app.close())
  let closed = 0
  async function open(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    socket.on('close', () => closed++).on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const upgraded = await rawUpgrade(port, '/')
  const [first] = [await open(), await open()]
  for (let at = 0; at < 20; at++) await open()
  await until(() => closed === 20)
  t.equal(refused.length, 20)
  t.equal(lines.length, 1)
  upgraded.socket.destroy()
  first.destroy()
  await until(() => closed === 21)
  // Each attempt that comes before their ends have been seen is closed.
  await until(async () => (await rawUpgrade(port, '/').catch(() => undefined))?.status === 101)
})

test('open files - when they are used up, a service goes on with the connections that it has, and takes others once some have ended', async (t) => {
  const service = await startService(t, { openFiles: 256 })
  const client = await bootChargePoint(service, 'CP-1')
  const others = Array.from({ length: 400 }, () => connect(service.port, '127.0.0.1').on('error', () => {}))
  let closed = 0
  for (const socket of others) socket.on('close', () => closed++).resume()
  let before = 0
  await until(async () => {
    const isCalm = closed > 200 && closed === before
    before = closed
    t.ok((await client.call('Heartbeat', {})).payload.currentTime)
    return isCalm
  })
  const held = others.length - closed
  for (const socket of others) socket.destroy()
  await until(async () => (await service.request('GET', '/healthz').catch(() => undefined))?.status === 200)
  const { body } = await service.request('GET', '/metrics')
  const refused = Number(
    /^ampshard_connections_refused_total\{.*reason="too_many_open_files"\} (\d+)$/m.exec(body)?.[1],
  )
  t.ok(refused >= others.length - held, `${refused} were closed, ${held} held`)
  t.equal(service.output().match(/connections are closed at once/g)?.length, 1)
})
