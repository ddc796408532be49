// The load generator and the servers it is compared on: a benchmark that counts wrongly is worse than none.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { type Generator, startGenerator } from '../../bench/generator/generator.js'
import { judge } from '../../bench/report.js'
import type { Scenario } from '../../bench/scenario.js'
import type { ServerProcess } from '../../bench/servers/server-process.js'
import { type SubjectName, startSubject } from '../../bench/servers/subjects.js'
import { startCentralSystem } from './central-system.js'

function generatorFor(t: Test): Generator {
  const generator = startGenerator()
  t.teardown(() => generator.stop())
  return generator
}

async function serverFor(t: Test, subject: SubjectName): Promise<ServerProcess> {
  const workDirectory = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  const server = await startSubject(subject, { workDirectory, dataDirectory: workDirectory, key: 'unused' })
  t.teardown(async () => {
    await server.stop()
    rmSync(workDirectory, { recursive: true, force: true })
  })
  return server
}

for (const subject of ['floor', 'ocpp-rpc'] as const) {
  test(`generator - charge points boot, talk and charge on ${subject} without a failure`, async (t) => {
    const server = await serverFor(t, subject)
    const generator = generatorFor(t)
    const connect = { type: 'connect', url: server.ocppUrl, prefix: 'CP-', from: 0, count: 20, inFlight: 5 } as const
    t.match(await generator.ask(connect), { completed: 20, failed: 0 })
    const started = await generator.ask({ type: 'transactions', phase: 'start', connectors: 2 })
    t.match(started, { completed: 40, failed: 0 })
    const cpuBefore = server.usage().cpuMs
    await generator.ask({ type: 'talk', conversation: 'meter-values', active: 20 })
    let report = await generator.ask({ type: 'mark' })
    for (let done = 0; done < 5_000 && report.failed === 0; done += report.completed) {
      report = await generator.ask({ type: 'mark' })
    }
    t.equal(report.failed, 0, report.failure ?? 'no failure')
    t.ok(report.latency.maximum >= report.latency.p99 && report.latency.p99 >= report.latency.p50)
    await generator.ask({ type: 'quiet' })
    t.equal((await generator.ask({ type: 'mark' })).completed, 0, 'quiet is quiet')
    t.ok(server.usage().cpuMs > cpuBefore, 'the server is seen to work')
    t.ok(server.usage().rssKiB > 10_000)
    t.match(await generator.ask({ type: 'transactions', phase: 'stop', connectors: 2 }), { completed: 40, failed: 0 })
  })
}

test('generator - its traffic is that of a fleet: own ids, tags, meters, and the transaction ids it was given', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  const generator = generatorFor(t)
  await generator.ask({ type: 'connect', url: central.url, prefix: 'CP-', from: 0, count: 10, inFlight: 10 })
  await generator.ask({ type: 'transactions', phase: 'start', connectors: 2 })
  await generator.ask({ type: 'transactions', phase: 'stop', connectors: 2 })
  await generator.ask({ type: 'transactions', phase: 'start', connectors: 2 })
  const ids = central.calls.map((call) => call.id)
  t.equal(new Set(ids).size, ids.length, 'message ids')
  const starts = central.calls.filter((call) => call.action === 'StartTransaction').map((call) => call.payload)
  t.equal(starts.length, 40)
  t.equal(new Set(starts.map((start) => start.idTag)).size, 40, 'id tags')
  t.equal(new Set(starts.map((start) => start.meterStart)).size, 40, 'meter readings')
  t.ok(starts.every((start) => String(start.idTag).length <= 20))
  const stopped = central.calls
    .filter((call) => call.action === 'StopTransaction')
    .map((call) => call.payload.transactionId)
  t.same(new Set(stopped), new Set(Array.from({ length: 20 }, (_, index) => 101 + index)))
})

test('generator - an answer of the wrong kind and a refused connection are failures, not round trips', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  central.errors.StartTransaction = 'InternalError'
  const generator = generatorFor(t)
  const connect = { type: 'connect', prefix: 'CP-', from: 0, count: 3, inFlight: 3 } as const
  await generator.ask({ ...connect, url: central.url })
  const report = await generator.ask({ type: 'transactions', phase: 'start', connectors: 1 })
  t.match(report, { completed: 0, failed: 3, failure: /InternalError/ })

  const refused = await generator.ask({ ...connect, url: 'ws://127.0.0.1:1/ocpp16' })
  t.match(refused, { completed: 0, failed: 3, failure: /ECONNREFUSED/ })
})

test('generator - a server that stalls is charged for every command that waited', async (t) => {
  const stallMs = 400
  let stalled = false
  const api = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (!stalled) {
        stalled = true
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
      }
      response.setHeader('content-length', 2)
      response.end('{}')
    })
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  t.teardown(() => api.closeAllConnections())
  t.teardown(() => api.close())
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const report = await generatorFor(t).ask({
    type: 'commands',
    url,
    key: 'k',
    chargePointIds: ['CP-1'],
    ratePerSecond: 200,
    seconds: 1,
    connections: 4,
  })
  t.equal(report.completed, 200)
  // 80 of the 200 were due during the stall; a loop that waits for its answers would have seen a handful.
  t.ok(report.latency.p90 > 150, `p90 ${report.latency.p90} ms`)
  t.ok(report.latency.maximum >= stallMs - 20, `maximum ${report.latency.maximum} ms`)
})

test('report - targets are met, missed or unknown, absolute and relative to another server', (t) => {
  const metric = (value: number) => [{ metric: 'CPU per round trip', value, unit: 'us' }]
  const scenario = (target: Scenario['targets'][number]): Scenario => ({
    name: 'any',
    title: 'any',
    subjects: ['ampshard'],
    parameters: () => ({}),
    targets: [target],
    run: () => Promise.resolve([]),
  })
  const relative = scenario({ metric: 'CPU per round trip', is: 'at most', value: 2, timesSubject: 'floor' })
  t.equal(judge(relative, { ampshard: metric(10), floor: metric(5) })[0]?.met, true)
  t.equal(judge(relative, { ampshard: metric(10.1), floor: metric(5) })[0]?.met, false)
  t.equal(judge(relative, { ampshard: metric(10) })[0]?.met, undefined)
  const absolute = scenario({ metric: 'CPU per round trip', is: 'at least', value: 7 })
  t.equal(judge(absolute, { ampshard: metric(7) })[0]?.met, true)
  t.equal(judge(absolute, { ampshard: metric(6.9) })[0]?.met, false)
  t.equal(judge(absolute, {})[0]?.met, undefined)
  t.end()
})
