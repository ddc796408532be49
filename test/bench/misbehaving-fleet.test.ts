// `npm run simulate` for an installer: its charge points belong to nobody yet, and fail their commissioning as they were told to.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { commissioningOf, commissioningPath } from '../support/commissioning.js'
import { installerOf } from '../support/installer.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))

test('simulate - charge points of an installer misbehave in turn, which their commissioning finds', async (t) => {
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
  for (const id of ['BOX-0001', 'BOX-0002'])
    t.equal((await installer.request('POST', commissioningPath(id, 'start'))).status, 202)
  const ended = (id: string) => commissioningOf(installer, id, ({ status }) => status !== 'running')
  const [first, second] = await Promise.all([ended('BOX-0001'), ended('BOX-0002')])
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
  t.match(await run('--help'), { code: 0, output: /away-for-59-seconds +loses its connection for 59 seconds/ })
})
