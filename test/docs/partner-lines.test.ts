// The README's lines for roaming partners, pasted into a shell beside a running service: each is answered as it says.

import { spawnSync } from 'node:child_process'
import { test } from 'tap'
import { spawnNode } from '../support/child.js'
import { lineFor, readmeLines } from '../support/readme.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

test('README - the lines for roaming partners lead from a token to the credentials, and to the bill of a charge', async (t) => {
  const service = await startService(t, { flags: ['--allow-insecure-webhooks', 'true'] })
  const lines = readmeLines('For roaming partners').map((line) => lineFor(line, service))
  t.equal(lines.length, 6)
  const environment = { ...process.env, AMPSHARD_API_KEY: service.key }
  const first = lineFor('npm run simulate -- --charge-points 2 --sessions 0', service).replaceAll("'", '').split(' ')
  const simulated = spawnNode(first.slice(1), { env: environment, stdio: 'ignore' })
  t.teardown(() => simulated.kill('SIGKILL'))
  await until(async () => (await service.request('GET', '/api/v1/cpo/fleet/summary')).body.online === 2)

  const shown = lines.map((line) => (line.startsWith('curl') ? `${line}; echo` : line)).join('\n')
  const { stdout, status } = spawnSync('bash', ['-e'], { input: shown, encoding: 'utf8', env: environment })
  t.equal(status, 0, stdout)
  const answered = stdout.trim().split('\n')
  const [versions, version, credentials] = answered.slice(0, 3).map((line) => JSON.parse(line))
  for (const answer of [versions, version, credentials]) t.equal(answer.status_code, 1000)
  t.equal(versions.data[0].url, `${service.url}/ocpi/versions/2.2.1`)
  t.equal(version.data.endpoints.length, 9)
  t.match(credentials.data, { url: `${service.url}/ocpi/versions`, roles: [{ role: 'CPO' }] })

  const seen = answered.slice(3).map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, ''))
  for (const line of [
    /^joined {3}registered with [A-Z]{2}\*[A-Z]{3}$/,
    /^(read|PUT) +location SIM-0002, Simulated street 2, #NA: 2 EVSEs/,
    /^result {3}START_SESSION: ACCEPTED, "The charge point starts the session when the driver has plugged in\."$/,
    /^PUT {6}session ses_\w+ of CARD-1 at SIM-0002_[12]: ACTIVE, /,
    /^POST {5}CDR ses_\w+ of CARD-1 at SIM-0002_[12]: [\d.]+ kWh in [\d.]+ h, 0 EUR \(0 with VAT\)$/,
    /^seen {5}2 locations, 0 tariffs, 1 session, 1 CDR; no faults$/,
  ])
    t.ok(
      seen.some((one) => line.test(one)),
      `${line}\n${stdout}`,
    )
})
