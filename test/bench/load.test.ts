// The load tool against central systems: what it says to them, and whether it counts what they counted.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { t, test } from 'tap'
import type { Results } from '../../bench/load/results.js'
import { makeCertificate } from '../edge/certificates.js'
import { tenantOf } from '../support/organization.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'
import { startCentralSystem } from './central-system.js'
import { runLoad, startLoad } from './load-tool.js'
import { startStrictCentralSystem } from './strict-central-system.js'

const installation = await startService(t)

const answered = (results: Results, action: string): number =>
  results.messages.find((row) => row.action === action)?.answered ?? 0

test('load - charging is valid, own to each charge point, and counted as a strict central system counts it', async (t) => {
  const central = await startStrictCentralSystem(t)
  const end = await runLoad(t, [
    ...['--url', central.url, '--profile', 'charging', '--charge-points', '8', '--connectors', '2'],
    ...['--rate', '200', '--duration', '2s', '--meter-values', '2', '--processes', '2', '--max-errors', '0'],
  ])
  t.equal(end.code, 0, end.output + end.errorOutput)
  const results = end.results()
  t.same(central.violations, [])
  t.same(results.errors, [])
  for (const action of ['StartTransaction', 'MeterValues', 'StopTransaction']) {
    t.ok(central.count(action) > 10, action)
    t.equal(answered(results, action), central.count(action), action)
  }
  t.equal(results.connecting.boots, 8)
  t.equal(central.count('BootNotification'), 8)
  t.ok(results.summary.ratePerSecond > 150 && results.summary.ratePerSecond < 250, `${results.summary.ratePerSecond}`)

  const ids = central.seen.map(({ messageId }) => messageId)
  t.equal(new Set(ids).size, ids.length, 'message ids')
  const owners = new Map<unknown, Set<string>>()
  for (const { method, params, chargePointId } of central.seen)
    if (method === 'StartTransaction')
      owners.set(params.idTag, (owners.get(params.idTag) ?? new Set()).add(chargePointId))
  t.ok(owners.size > 8)
  t.ok(
    [...owners.values()].every((users) => users.size === 1),
    'no id tag is used by two charge points',
  )
  for (const chargePoint of new Set(central.seen.map(({ chargePointId }) => chargePointId))) {
    let open: unknown
    for (const { method, params, answer } of central.seen.filter((one) => one.chargePointId === chargePoint)) {
      if (method === 'StartTransaction') open = answer.transactionId
      if (method === 'MeterValues' || method === 'StopTransaction')
        if (params.transactionId !== open) t.fail(`${method} of transaction ${params.transactionId}, not of ${open}`)
    }
  }
  const stamps = central.seen.flatMap(({ params }) => (typeof params.timestamp === 'string' ? [params.timestamp] : []))
  t.ok(
    stamps.every((stamp) => Math.abs(Date.parse(stamp) - Date.now()) < 60_000),
    'timestamps are of today',
  )
})

test('load - TLS, passwords and source addresses reach the server', async (t) => {
  const authority = makeCertificate({ commonName: 'Load test authority' })
  const server = makeCertificate({ commonName: 'central', issuer: authority, server: true })
  const central = await startStrictCentralSystem(t, {
    tls: { key: server.keyPem, cert: server.certificatePem },
    password: 'correct horse',
  })
  const ca = join(t.testdir({}), 'ca.pem')
  writeFileSync(ca, authority.certificatePem)
  const common = ['--url', central.url, '--profile', 'heartbeat', '--charge-points', '6', '--duration', '1s']
  const [good, distrusting, unknown] = await Promise.all([
    runLoad(t, [...common, '--rate', '60', '--tls-ca', ca, '--source-address', '127.0.0.2,127.0.0.3'], {
      AMPSHARD_LOAD_PASSWORD: 'correct horse',
    }),
    runLoad(t, [...common, '--password', 'correct horse']),
    runLoad(t, [...common, '--insecure', '--password', 'wrong']),
  ])
  t.equal(good.code, 0, good.output)
  t.same(good.results().errors, [])
  t.equal(answered(good.results(), 'Heartbeat'), central.count('Heartbeat'))
  t.same([...new Set(central.remoteAddresses)].sort(), ['127.0.0.2', '127.0.0.3'])
  t.notMatch(JSON.stringify(good.results()), 'correct horse')
  t.match(distrusting, { code: 1, output: /nobody connected/ })
  t.match(distrusting.results().errors[0]?.kind, /certificate/)
  t.equal(unknown.code, 1)
  t.match(unknown.results().errors, [{ kind: 'connect: HTTP 401', phase: 'connecting', count: 6 }])
})

test('load - it registers its charge points with ampshard, which then has a session for every start', async (t) => {
  const service = await tenantOf(installation)
  const end = await runLoad(
    t,
    [
      ...['--url', service.ocppUrl, '--register', '--profile', 'charging', '--charge-points', '5', '--rate', '50'],
      ...['--duration', '2s', '--max-errors', '0', '--keep'],
    ],
    { AMPSHARD_API_KEY: service.key },
  )
  t.equal(end.code, 0, end.output)
  t.match(end.output, /5 charge points registered, 0 known before/)
  const sessions = await service.request('GET', '/api/v1/sessions')
  t.ok(answered(end.results(), 'StartTransaction') > 0)
  t.equal(sessions.body.total, answered(end.results(), 'StartTransaction'))
  t.notMatch(JSON.stringify(end.results()), service.key)

  const commands = await runLoad(
    t,
    ['--url', service.ocppUrl, '--profile', 'commands', '--charge-points', '5', '--rate', '20', '--duration', '1s'],
    { AMPSHARD_API_KEY: service.key },
  )
  t.equal(commands.code, 0, commands.output)
  t.same(commands.results().errors, [])
  t.equal(answered(commands.results(), 'REST unlock_connector'), commands.results().commandsAnswered.UnlockConnector)
})

test('load - it removes the charge points that it registered, and closes their sessions; others stay', async (t) => {
  const service = await tenantOf(installation)
  await service.register('GONE-000001')
  const end = await runLoad(
    t,
    [
      ...['--url', `http://127.0.0.1:${service.port}`, '--register', '--profile', 'charging', '--charge-points', '4'],
      ...['--prefix', 'GONE-', '--rate', '20', '--duration', '1s', '--max-errors', '0'],
    ],
    { AMPSHARD_API_KEY: service.key },
  )
  t.equal(end.code, 0, end.output)
  t.match(end.output, /3 charge points registered, 1 known before/)
  t.match(end.output, /3 charge points removed, \d+ sessions closed that still ran/)
  const { body } = await service.request('GET', '/api/v1/chargepoints')
  t.same(
    (body.data as { charge_point_id: string }[]).map((one) => one.charge_point_id),
    ['GONE-000001'],
  )
  const running = await service.request('GET', '/api/v1/sessions?status=active')
  t.same(
    (running.body.sessions as { charge_point_id: string }[]).filter((one) => one.charge_point_id !== 'GONE-000001'),
    [],
  )
})

test('load - a storm cuts everybody off, and measures until the last is booted', async (t) => {
  const central = await startStrictCentralSystem(t)
  const end = await runLoad(t, [
    ...['--url', central.url, '--profile', 'storm', '--charge-points', '20', '--duration', '1s'],
    ...['--storm-pause', '300ms', '--max-storm', '10s', '--max-errors', '0'],
  ])
  t.equal(end.code, 0, end.output)
  const { storms } = end.results()
  t.ok(storms.length >= 2, `${storms.length} rounds`)
  t.ok(storms.every((storm) => storm.booted === 20 && storm.missing === 0 && storm.latencyMs.count === 20))
  t.ok(storms.every((storm) => storm.seconds * 1000 >= storm.latencyMs.p90))
  t.equal(central.count('BootNotification'), 20 * (1 + storms.length))
})

test('load - commands of any central system are answered, and followed by what they set in motion', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  const load = startLoad(t, ['--url', central.url, '--profile', 'commands', '--charge-points', '1', '--duration', '1m'])
  await central.take('StatusNotification', ({ connectorId }) => connectorId === 1)
  t.match(await central.command('RemoteStartTransaction', { idTag: 'TAG-7' }), [3, String, { status: 'Accepted' }])
  t.match((await central.take('StartTransaction')).payload, { idTag: 'TAG-7', connectorId: 1 })
  await central.take('StatusNotification', ({ status }) => status === 'Charging')
  t.match(await central.command('RemoteStartTransaction', { idTag: 'TAG-8' }), [3, String, { status: 'Rejected' }])
  t.match(await central.command('RemoteStopTransaction', { transactionId: 101 }), [3, String, { status: 'Accepted' }])
  t.match((await central.take('StopTransaction')).payload, { transactionId: 101, reason: 'Remote' })
  t.match(await central.command('TriggerMessage', { requestedMessage: 'Heartbeat' }), [
    3,
    String,
    { status: 'Accepted' },
  ])
  await central.take('Heartbeat')
  t.match(await central.command('GetConfiguration', { key: ['NumberOfConnectors', 'Nonsense'] }), [
    3,
    String,
    { configurationKey: [{ key: 'NumberOfConnectors', value: '1' }], unknownKey: ['Nonsense'] },
  ])
  t.match(await central.command('Invented', {}), [4, String, 'NotImplemented'])
  const again = central.connected()
  t.match(await central.command('Reset', { type: 'Soft' }), [3, String, { status: 'Accepted' }])
  await again
  load.process.kill('SIGINT')
  const end = await load.ended
  t.match(end.output, /Without an API key no commands are given/)
  t.same(end.results().errors, [])
  t.equal(end.results().commandsAnswered.RemoteStartTransaction, 2)
})

test('load - an interrupted run leaves complete results', async (t) => {
  const central = await startStrictCentralSystem(t)
  const load = startLoad(t, [
    ...['--url', central.url, '--profile', 'heartbeat', '--charge-points', '5', '--rate', '50', '--duration', '10m'],
  ])
  await until(() => central.count('Heartbeat') >= 20)
  load.process.kill('SIGINT')
  const end = await load.ended
  t.equal(end.code, 0, end.errorOutput)
  const results = end.results()
  t.equal(results.endedBy, 'signal')
  t.equal(answered(results, 'Heartbeat'), central.count('Heartbeat'))
  t.match(end.output, /Ended early: signal/)
})
