// A configuration over real sockets: a template from a file of the installation is applied to a charge point, and the application goes on
// after the process was killed in the middle of it.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const path = '/api/v1/chargepoints/CP-1/configuration'
const boot = { chargePointModel: 'EX-22', firmwareVersion: '2.0' }

test('configuration - a template from a file is applied one key at a time, over the end of the process', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  const folder = join(data, 'configuration-templates')
  mkdirSync(folder)
  const template = { name: 'EX-22', model: 'EX-22*', firmware: '2.*', parameters: { A: 1, B: true } }
  writeFileSync(join(folder, 'ex-22.json'), JSON.stringify(template))
  writeFileSync(join(folder, 'broken.json'), '{"name": "Broken", "parameters": {"AuthorizationKey": "00"}}')
  const first = await startService(t, { data })
  t.match(
    first.output(),
    /broken\.json.*AuthorizationKey|AuthorizationKey.*broken\.json/,
    'what is wrong with a file is logged',
  )
  await first.register('CP-1')
  const client = await connectOcpp(`${first.ocppUrl}/CP-1`)
  await client.boot(boot)
  t.match((await first.request('GET', path)).body, { template_id: 'ex-22', wanted: { A: 1, B: true } })
  t.equal((await first.request('POST', `${path}/apply`)).status, 202)
  const has = { A: '0', B: 'false' }
  const shown = (keys: readonly ('A' | 'B')[]) => ({
    configurationKey: keys.map((key) => ({ key, readonly: false, value: has[key] })),
  })
  t.same((await client.answerNext({ unknownKey: ['GetConfigurationMaxKeys'] })).slice(2), [
    'GetConfiguration',
    { key: ['GetConfigurationMaxKeys'] },
  ])
  t.same((await client.answerNext(shown(['A', 'B']))).slice(2), ['GetConfiguration', { key: ['A', 'B'] }])
  t.same((await client.answerNext({ status: 'Accepted' })).slice(2), ['ChangeConfiguration', { key: 'A', value: '1' }])
  has.A = '1'
  t.same((await client.nextFrame()).slice(2), ['GetConfiguration', { key: ['A'] }])
  await first.stop('SIGKILL')
  const second = await startService(t, { data, key: first.key })
  const again = await connectOcpp(`${second.ocppUrl}/CP-1`)
  await again.boot(boot)
  t.same((await again.answerNext(shown(['A']))).slice(2), ['GetConfiguration', { key: ['A'] }])
  t.same((await again.answerNext({ status: 'Accepted' })).slice(2), [
    'ChangeConfiguration',
    { key: 'B', value: 'true' },
  ])
  has.B = 'True'
  await again.answerNext(shown(['B']))
  const { application } = await until(async () => {
    const { body } = await second.request('GET', path)
    return body.application.status !== 'running' && body
  })
  t.match(application, { status: 'completed', applied_keys: 2, rejected_keys: [] })
  await again.close()
})
