// Installers at the built service: what is kept of them over a restart, and counts at every front.

import { test } from 'tap'
import { installerOf, logIn } from '../support/installer.js'
import { startService } from '../support/service.js'

test('installers - a token is good after a restart, at every front', { timeout: 60_000 }, async (t) => {
  const service = await startService(t)
  const { token, email } = await installerOf(service)
  await service.stop('SIGKILL')
  const again = await startService(t, { data: service.data, key: service.key, flags: ['--fronts', '2'] })
  const authorization = `Bearer ${token}`
  for (let at = 0; at < 6; at++) {
    const { status, body } = await again.request('GET', '/api/v1/installer/profile', undefined, { authorization })
    t.match({ status, body }, { status: 200, body: { email } })
  }
  t.equal((await logIn(again, email)).status, 200)
})
