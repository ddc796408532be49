// `npm run simulate` as its user meets it: a process that registers, connects, charges, survives a restart, and ends.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { WebSocketServer } from 'ws'

const script = fileURLToPath(new URL('../../program/main.js', import.meta.url))

interface Backend {
  readonly port: number
  readonly registered: { readonly body: Record<string, unknown>; readonly authorization: string | undefined }[]
  readonly actions: string[]
  /** Resolves once the condition holds. */
  until(holds: () => boolean): Promise<void>
  stop(): Promise<void>
}

/** REST registration, where the first charge point exists already, and OCPP that accepts everything. */
async function startBackend(port = 0, { interval = 300, unanswered = '' } = {}): Promise<Backend> {
  const registered: Backend['registered'] = []
  const actions: string[] = []
  let changed: () => void = () => undefined
  const http: Server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>
      registered.push({ body, authorization: request.headers.authorization })
      const exists = body.charge_point_id === 'SIM-0001'
      response.writeHead(exists ? 409 : 201, { 'content-type': 'application/json' })
      response.end(exists ? '{"error":{"code":"charge_point_exists"}}' : '{}')
      changed()
    })
  })
  const sockets = new WebSocketServer({ server: http })
  let transactions = 0
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const [type, id, action] = JSON.parse(data.toString()) as [number, string, string]
      if (type !== 2) return
      actions.push(action)
      changed()
      if (action === unanswered) return
      transactions++
      const answer = {
        status: 'Accepted',
        interval,
        transactionId: transactions,
        idTagInfo: { status: 'Accepted' },
        currentTime: new Date().toISOString(),
      }
      socket.send(JSON.stringify([3, id, answer]))
      changed()
    })
  })
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  return {
    port: (http.address() as AddressInfo).port,
    registered,
    actions,
    async until(holds) {
      while (!holds()) {
        await new Promise<void>((resolve) => {
          changed = resolve
        })
      }
    },
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

test('simulate - registers, connects, charges, comes back after a restart, and ends on SIGINT', async (t) => {
  const backend = await startBackend()
  const options = ['--url', `http://127.0.0.1:${backend.port}`, '--charge-points', '3', '--meter-interval', '1']
  const child = spawn(process.execPath, [script, 'simulate', ...options, '--sessions', '0'], {
    env: { ...process.env, AMPSHARD_API_KEY: 'the-key' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const count = (of: Backend, action: string): number => of.actions.filter((one) => one === action).length
  await backend.until(() => count(backend, 'MeterValues') > 0)
  t.same(backend.registered.map(({ body }) => body.charge_point_id).sort(), ['SIM-0001', 'SIM-0002', 'SIM-0003'])
  t.equal(backend.registered[0]?.authorization, 'Bearer the-key')
  t.equal(backend.registered[0]?.body.connector_count, 2)
  t.equal(count(backend, 'BootNotification'), 3)
  t.equal(count(backend, 'StartTransaction'), 1, 'one session even at a share of 0')

  await backend.stop()
  const again = await startBackend(backend.port)
  await again.until(() => count(again, 'StatusNotification') >= 9 && count(again, 'MeterValues') > 0)
  t.equal(count(again, 'StartTransaction'), 0, 'the session goes on')

  const exited = once(child, 'exit')
  child.kill('SIGINT')
  t.same(await exited, [0, null])
  t.match(output, /2 charge points registered, 1 known before/)
  t.match(output, /connected 3\/3 {2}charging 1/)
  await again.stop()
})

test('simulate - no more vehicles come than shall charge, however long their starts wait for an answer', async (t) => {
  const backend = await startBackend(0, { interval: 1, unanswered: 'Authorize' })
  const options = [
    '--url',
    `http://127.0.0.1:${backend.port}`,
    '--charge-points',
    '6',
    '--connectors',
    '1',
    '--sessions',
    '0.3',
  ]
  const child = spawn(process.execPath, [script, 'simulate', ...options], {
    env: { ...process.env, AMPSHARD_API_KEY: 'the-key' },
    stdio: 'ignore',
  })
  t.teardown(() => child.kill('SIGKILL'))
  const count = (action: string): number => backend.actions.filter((one) => one === action).length
  // Of those that wait for nothing, one a second: drivers come as often.
  await backend.until(() => count('Heartbeat') >= 12)
  t.equal(count('Authorize'), 2, 'a third of six')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await backend.stop()
})

test('simulate - without a key it says which variable to set', async (t) => {
  const { AMPSHARD_API_KEY: _dropped, ...env } = process.env
  const child = spawn(process.execPath, [script, 'simulate'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  t.equal(code, 1)
  t.match(output, /AMPSHARD_API_KEY/)
})

test('simulate - a key that the server refuses ends it with the reason', async (t) => {
  const http = createServer((request, response) => {
    request.resume()
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end('{"error":"unauthorized","message":"no such key"}')
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.teardown(() => http.closeAllConnections())
  t.teardown(() => http.close())
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const child = spawn(process.execPath, [script, 'simulate', '--url', url, '--key', 'wrong'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  t.equal(code, 1)
  t.match(output, /401.*no such key/)
})
