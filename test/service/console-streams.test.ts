// Streams that a browser reads with the cookie of its session: they end with the session, with the member, and with the key that it acts as.

import { get } from 'node:http'
import { type Test, test } from 'tap'
import { startMailServer, textOf } from '../support/mail-server.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const ofPage = { authorization: '', 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console' }

async function signIn(service: Service, body: unknown): Promise<string> {
  const { status, headers } = await service.request('POST', '/api/v1/console/session', body, ofPage)
  if (status !== 201) throw new Error(`nobody was signed in: ${status}`)
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Resolves once it is open; `ended` once the service has ended it. */
function stream(t: Test, service: Service, cookie: string, site = 'same-origin') {
  return new Promise<{ readonly status: number; readonly ended: Promise<string> }>((resolve, reject) => {
    const headers = { cookie, 'sec-fetch-site': site }
    const request = get(`${service.url}/api/v1/events/stream`, { headers, agent: false }, (response) => {
      response.resume()
      const ended = new Promise<string>((settle) => response.on('end', () => settle('ended')))
      resolve({ status: response.statusCode ?? 0, ended })
    })
    request.on('error', reject)
    t.teardown(() => void request.destroy())
  })
}

test('console streams - one is read with the cookie, and ends with what the session was made of', async (t) => {
  const mails = await startMailServer(t)
  const service = await startService(t, { flags: ['--smtp-url', mails.url, '--mail-from', 'ampshard@example.com'] })
  const { organization } = (await service.request('GET', '/api/v1/console/me')).body
  const path = `/api/v1/organizations/${organization.id}`
  await service.request('POST', `${path}/invitations`, { email: 'anna@example.com', role: 'viewer' })
  const [, invitation] = /^ {4}([\w-]{43})\r?$/m.exec(textOf((await until(() => mails.taken[0])).raw)) ?? []
  const annas = await signIn(service, { invitation })
  const { body: me } = await service.request('GET', '/api/v1/console/me', undefined, { ...ofPage, cookie: annas })
  const key = (await service.request('POST', '/api/v1/org/api-keys', { name: 'K', scopes: ['read:webhooks'] })).body
  const [keys, mine] = [await signIn(service, { api_key: key.key }), await signIn(service, { api_key: service.key })]

  t.equal((await stream(t, service, mine, 'cross-site')).status, 401, 'not for another page')
  const open = await Promise.all([annas, keys, mine].map((cookie) => stream(t, service, cookie)))
  t.same(
    open.map(({ status }) => status),
    [200, 200, 200],
  )
  const still = service.request('GET', '/api/v1/console/me', undefined, { ...ofPage, cookie: mine })
  t.equal((await still).status, 200)
  await service.request('DELETE', `${path}/members/${me.member.user_id}`)
  t.equal(await open[0]?.ended, 'ended', 'the member has left')
  await service.request('DELETE', `/api/v1/org/api-keys/${key.id}`)
  t.equal(await open[1]?.ended, 'ended', 'the key is revoked')
  await service.request('DELETE', '/api/v1/console/session', undefined, { ...ofPage, cookie: mine })
  t.equal(await open[2]?.ended, 'ended', 'signed out')
  for (const cookie of [annas, keys, mine]) t.equal((await stream(t, service, cookie)).status, 401)
})

test('console streams - a session is known at every front, and after a kill', async (t) => {
  const service = await startService(t, { flags: ['--fronts', '2'] })
  const cookie = await signIn(service, { api_key: service.key })
  const statuses = await Promise.all(
    Array.from({ length: 8 }, () => service.request('GET', '/api/v1/console/me', undefined, { ...ofPage, cookie })),
  )
  t.ok(statuses.every(({ status }) => status === 200))
  await service.stop('SIGKILL')
  const again = await startService(t, { data: service.data, key: service.key })
  t.equal((await again.request('GET', '/api/v1/console/me', undefined, { ...ofPage, cookie })).status, 200)
  await again.stop()
})
