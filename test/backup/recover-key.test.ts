// ampshard recover-key: the way back for whoever operates an installation and has lost its last key.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { startService } from '../support/service.js'
import { startProgram, temporaryDirectory } from './programs.js'

test('recover-key - makes a key with every scope while the service is stopped, the audit log shows it, and a start says that it ignores a bootstrap key that the store does not know', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const recover = () => startProgram('recover-key', ['--data', data]).ended
  t.match(await recover(), { code: 1, errors: `recover-key: there is no store at ${data}\n` })
  t.notOk(existsSync(data), 'nothing is made')

  const first = await startService(t, { data })
  t.notMatch(first.output(), /ignored/)
  await first.register('CP-1')
  t.match(await recover(), { code: 1, errors: `recover-key: ${data} is in use by another ampshard\n` })
  await first.stop()

  const { code, output, errors } = await recover()
  t.same([code, errors], [0, ''])
  const key = /^ {2}API key {2}(ak_\S+)$/m.exec(output)?.[1] as string
  const id = /^ {2}key id {3}(key_\S+)$/m.exec(output)?.[1] as string

  const more = await recover()
  t.equal(more.code, 0)
  t.notOk(more.output.includes(key), 'each time another one')

  const again = await startService(t, { data, key: first.key })
  t.notMatch(again.output(), /ignored/, 'the key of the first start may stay in the settings')
  t.equal((await again.request('GET', '/api/v1/sessions')).status, 200, 'as the note says')
  const request = (method: string, path: string, body?: unknown) =>
    again.request(method, path, body, { authorization: `Bearer ${key}` })
  t.equal((await request('GET', '/api/v1/chargepoints/CP-1')).status, 200)
  const keys = await request('GET', '/api/v1/org/api-keys')
  t.match(
    keys.body.data.find((one: { id: string }) => one.id === id),
    { name: 'Recovery key', expires_at: null },
  )
  const { body } = await request('GET', '/api/v1/org/audit-log?action=recoverKey')
  const entries = body.data.filter(({ resources }: { resources: { key_id: string } }) => resources.key_id === id)
  t.match(entries, [{ action: 'recoverKey', key_id: null, resources: { key_id: id }, status: 201 }])
  t.notOk(JSON.stringify(body).includes(key))
  t.equal((await request('POST', '/api/v1/org/api-keys', { name: 'Next', scopes: ['read:sessions'] })).status, 201)
  await again.stop()

  const other = await startService(t, { data })
  t.match(other.output(), /the bootstrap API key was ignored/)
  t.notOk(other.output().includes(other.key))
  t.equal((await other.request('GET', '/api/v1/sessions')).status, 401)
})
