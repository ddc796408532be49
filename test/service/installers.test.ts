// Installers at the built service, with a mail server that we did not write: from signing up to a new password, what counts at every front and
// after a restart, and what many who log in at once do to each other.

import { test } from 'tap'
import { installerOf, installerPassword, logIn } from '../support/installer.js'
import { startMailServer, tokenIn } from '../support/mail-server.js'
import { testOverKill } from '../support/over-a-kill.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const anybody = { authorization: '' }
const profile = (service: Service, token: string) =>
  service.request('GET', '/api/v1/installer/profile', undefined, { authorization: `Bearer ${token}` })

test('installers - an address is confirmed and a password forgotten by mail, and nothing secret is logged', {
  timeout: 60_000,
}, async (t) => {
  const server = await startMailServer(t)
  const service = await startService(t, {
    flags: ['--log-level', 'trace', '--installer-signup', 'confirmed'],
    environment: { AMPSHARD_SMTP_URL: server.url, AMPSHARD_MAIL_FROM: 'noreply@example.com' },
  })
  const email = 'ines@example.com'
  const post = (path: string, body: object) => service.request('POST', `/api/v1/installer/${path}`, body, anybody)
  const person = { email, first_name: 'Ines', last_name: 'Example', company: 'Example', password: installerPassword }
  t.match(await post('signup', person), { status: 403, body: { error: { code: 'signup_closed' } } })
  t.equal((await post('signup-with-confirmation', person)).status, 201)
  const token = tokenIn((await until(() => server.taken[0], 30_000)).raw)
  t.match(await logIn(service, email), { status: 403, body: { error: { code: 'account_pending' } } })
  t.equal((await post('confirm', { token })).status, 200)
  const first = (await logIn(service, email)).body.access_token
  t.match(await profile(service, first), { status: 200, body: { email } })

  t.equal((await post('forgot-password', { email })).status, 200)
  const reset = tokenIn((await until(() => server.taken[1], 30_000)).raw)
  const password = 'Neue Ladestation 1'
  t.equal((await post('reset-password', { token: reset, new_password: password })).status, 200)
  t.equal((await profile(service, first)).status, 401)
  t.equal((await logIn(service, email)).status, 401)
  const second = (await logIn(service, email, password)).body.access_token
  t.equal((await profile(service, second)).status, 200)
  await until(() => server.taken[2], 30_000)
  const log = service.output()
  t.match(log, 'resetInstallerPassword')
  for (const secret of [installerPassword, password, token, reset, first, second])
    t.notOk(log.includes(secret), 'it is in no line of the log')
})

testOverKill(
  'installers - a token is good after a restart at every front, and so is that it has been ended',
  async (t, service) => {
    const [ines, other] = [await installerOf(service), await installerOf(service)]
    t.equal((await ines.request('POST', '/api/v1/installer/logout')).status, 204)
    t.equal((await profile(service, ines.token)).status, 401)

    return async (t, again) => {
      // Each request has a connection of its own, which either front takes.
      const statuses = async (token: string, count: number) =>
        new Set(
          (await Promise.all(Array.from({ length: count }, () => profile(again, token)))).map(({ status }) => status),
        )
      t.same([...(await statuses(ines.token, 10))], [401])
      t.same([...(await statuses(other.token, 10))], [200])
      const logout = { authorization: `Bearer ${other.token}` }
      t.equal((await again.request('POST', '/api/v1/installer/logout', undefined, logout)).status, 204)
      t.same([...(await statuses(other.token, 10))], [401], 'at once, whichever front has ended it')
    }
  },
)
