// Simulated charge points of installers, which belong to nobody yet: those of `npm run simulate` fail their commissioning as they were told to, and those of the
// bench pass it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { startGenerator } from '../../bench/generator/generator.js'
import { commissioningOf, installedBox } from '../support/commissioning.js'
import { installerOf } from '../support/installer.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))

test('simulate - charge points of an installer misbehave in turn, which their commissioning finds; those of the bench pass it', async (t) => {
  const service = await sharedService()
  const installer = await installerOf(service)
  const names = 'keeps-old-values,refuses-remote-starts'
  const child = spawn(
    process.execPath,
    [program, 'simulate', '--url', service.url, '--charge-points', '2', '--prefix', 'BOX-', '--misbehave', names],
    { env: { ...process.env, AMPSHARD_INSTALLER_TOKEN: installer.token }, stdio: 'ignore' },
  )
  t.teardown(() => child.kill('SIGKILL'))
  const listed = async () => (await installer.request('GET', '/api/v1/installer/charge-points')).body.charge_points
  const connected = await until(async () => {
    const found = await listed()
    return found.length === 2 && found.every(({ status }: { status: string }) => status === 'connected') && found
  })
  t.same(connected.map((one: { charge_point_id: string }) => one.charge_point_id).sort(), ['BOX-0001', 'BOX-0002'])
  await installedBox(installer, 'BENCH-1')
  const [boxes, installers] = [startGenerator(), startGenerator()]
  t.teardown(() => Promise.all([boxes.stop(), installers.stop()]))
  const booted = await boxes.ask({ type: 'connect-boxes', url: service.ocppUrl, ids: ['BENCH-1'] })
  t.match(booted, { completed: 1, failed: 0 })
  const all = { token: installer.token, chargePointIds: ['BOX-0001', 'BOX-0002', 'BENCH-1'] }
  const report = await installers.ask({ type: 'commission', url: service.url, installers: [all] })
  t.match(report, { completed: 1, failed: 2, failure: /^BOX-0001 has failed: .*\(other_value\)/ })
  t.ok(report.latency.p50 > 1_000 && report.latency.p50 < 1_000 * report.seconds, `${report.latency.p50} ms`)
  const [first, second] = await Promise.all(
    ['BOX-0001', 'BOX-0002'].map((id) => commissioningOf(installer, id, Boolean)),
  )
  t.match(first.steps[2], { status: 'failed', detail: /HeartbeatInterval \(other_value\)/ })
  t.match(second.steps[4], { status: 'failed', detail: /answered Rejected/ })
  child.kill('SIGINT')
  t.same(await once(child, 'exit'), [0, null])
})

test('simulate - a misbehaviour that there is none of is refused, and help lists those that there are', async (t) => {
  const run = async (...words: string[]) => {
    const child = spawn(process.execPath, [program, 'simulate', ...words])
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const [code] = await once(child, 'close')
    return { code, output }
  }
  t.match(await run('--misbehave', 'dances'), { code: 1, output: /There is no dances; see --help/ })
  const help = await run('--help')
  t.match(help, { code: 0, output: /away-for-59-seconds +loses its connection for 59 seconds/ })
  t.match(help.output.replaceAll(/\s+/g, ' '), /more than 20 only with an approved identity/)
})
