// The README's lines for roaming partners, pasted into a shell beside a running service: each is answered as it says.

import { spawnSync } from 'node:child_process'
import { test } from 'tap'
import { lineFor, readmeLines } from '../support/readme.js'
import { startService } from '../support/service.js'

test('README - the lines for roaming partners lead from a token to the credentials', async (t) => {
  const service = await startService(t)
  const lines = readmeLines('For roaming partners').map((line) => lineFor(line, service))
  t.equal(lines.length, 5)
  const shown = lines.map((line) => (line.startsWith('export') ? line : `${line}; echo`)).join('\n')
  const { stdout, status } = spawnSync('bash', ['-e'], {
    input: shown,
    encoding: 'utf8',
    env: { ...process.env, AMPSHARD_API_KEY: service.key },
  })
  t.equal(status, 0)
  const [versions, version, credentials] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const answer of [versions, version, credentials]) t.equal(answer.status_code, 1000)
  t.equal(versions.data[0].url, `${service.url}/ocpi/versions/2.2.1`)
  t.equal(version.data.endpoints.length, 7)
  t.match(credentials.data, { url: `${service.url}/ocpi/versions`, roles: [{ role: 'CPO' }] })
})
