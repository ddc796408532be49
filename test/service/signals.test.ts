// How the service ends when it is told to, with a charge point connected and an API client that keeps its connection.

import { once } from 'node:events'
import http, { Agent } from 'node:http'
import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'

test('signals - the service ends in order, also when one wish to end arrives as two signals', async (t) => {
  const service = await startService(t)
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  service.process.kill('SIGINT')
  t.equal(await service.stop('SIGTERM'), 0)
  t.match(await client.closed, { code: 1001 }, 'the charge point is told that the service goes away')
})

test('signals - while the service ends, requests are refused, and a later signal ends it at once', async (t) => {
  const service = await startService(t, { flags: ['--drain-seconds', '60'] })
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  t.match(await get(service, agent), { status: 200 }, 'over a connection that stays')

  // A command that waits for its answer keeps the service from ending.
  const command = service.request('POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset', timeout_seconds: 60 })
  command.catch(() => undefined)
  await client.nextFrame()
  service.process.kill('SIGTERM')
  let answer = await get(service, agent)
  while (answer.status === 200) answer = await get(service, agent)
  t.equal(answer.status, 503)
  t.match(answer.body, /"shutting_down"/)

  const again = setInterval(() => service.process.kill('SIGTERM'), 100)
  const [code] = await once(service.process, 'exit')
  clearInterval(again)
  t.equal(code, 1, 'it has not ended in order')
})

test('signals - what keeps the service from ending in time is named in the log', async (t) => {
  // The process kills itself soon after this time. A busy machine needs a part of it to end in order.
  const service = await startService(t, { flags: ['--drain-seconds', '5'] })
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  const { body } = await service.request('GET', '/api/v1/organizations')
  const command = service.request('POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset', timeout_seconds: 60 })
  command.catch(() => undefined)
  await client.nextFrame()
  t.equal(await service.stop('SIGTERM'), 0)
  const line = service
    .output()
    .split('\n')
    .find((one) => one.includes('this was cut short'))
  t.match(JSON.parse(line ?? '{}'), {
    left: [
      { front: 0, requests: 1, messages: 0, commits: 0, connections: 0, among: [`command-router/${body.data[0].id}`] },
    ],
  })
})

function get(service: Service, agent: Agent): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${service.key}` }
    const request = http.get(`${service.url}/api/v1/chargepoints`, { agent, headers }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
    request.on('error', reject)
  })
}
