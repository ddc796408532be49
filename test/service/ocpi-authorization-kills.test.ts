// The process is killed while partners are asked whether drivers may charge: what was answered is there, once, and belongs to the partner.

import tap, { test } from 'tap'
import { tables } from '../../src/records/index.js'
import { sessionsTable } from '../../src/records/session.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import { secondsAgo, startRequest } from '../support/charge-point.js'
import {
  asPartner,
  credentialsOf,
  envelope,
  invitePartner,
  party,
  sendJson,
  startPartner,
} from '../support/ocpi-partner.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'

const kills = 8
tap.setTimeout(180_000)
const flags = ['--allow-insecure-webhooks', 'true']
const id = 'OCPI-K1'

test('ocpi authorization - the process is killed while partners are asked: each start that was answered is one session', async (t) => {
  let service: Service = await startService(t, { flags })
  const { data, key } = service
  await service.request('PUT', '/api/v1/ocpi/party', party)
  const [stub, invited] = [await startPartner(t), await invitePartner(service)]
  const registered = await asPartner(service, invited.token)(
    'POST',
    '/ocpi/cpo/2.2.1/credentials',
    credentialsOf(stub, 'token-b'),
  )
  const token = {
    uid: 'CARD',
    type: 'RFID',
    contract_id: 'NL-EMP-1',
    issuer: 'Example Mobility',
    valid: true,
    whitelist: 'NEVER',
    last_updated: '2026-01-01T00:00:00Z',
  }
  const partner = asPartner(service, registered.body.data.token)
  t.equal((await partner('PUT', '/ocpi/cpo/2.2.1/tokens/NL/EMP/CARD', token)).status, 201)
  let asked: (() => void) | undefined
  stub.misbehave(({ path }, response) => {
    if (!path.includes('/authorize')) return undefined
    asked?.()
    setTimeout(() => sendJson(response, 200, envelope({ allowed: 'ALLOWED', authorization_reference: 'ref' })), 60)
    return true
  })
  await service.register(id)
  const answered: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    const start = startRequest({ idTag: 'CARD', meterStart: kill, timestamp: secondsAgo(0) })
    const client = await connectOcpp(`${service.ocppUrl}/${id}`)
    await client.boot()
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    void client.call('StartTransaction', start).then(
      () => undefined,
      () => undefined,
    )
    await isAsked
    // While it is asked, when it answers, and when the session is stored.
    await new Promise((resolve) => setTimeout(resolve, kill * 12))
    await service.stop('SIGKILL')
    service = await startService(t, { data, key, flags })
    const again = await connectOcpp(`${service.ocppUrl}/${id}`)
    await again.boot()
    const { payload } = await again.call('StartTransaction', start)
    t.equal(payload.idTagInfo.status, 'Accepted')
    answered.push(payload.transactionId)
    await again.call('StopTransaction', {
      transactionId: payload.transactionId,
      meterStop: kill + 100,
      timestamp: secondsAgo(0),
    })
    await again.close()
  }
  const view = openView(data, tables)
  const sessions = view.list(sessionsTable, [])
  await view.close()
  t.same(sessions.map(({ transaction_id }) => transaction_id).sort(), [...answered].sort())
  t.equal(new Set(answered).size, kills)
  for (const { roaming, status } of sessions) {
    t.equal(status, 'completed')
    t.match(roaming, { partner_id: invited.id, contract_id: 'NL-EMP-1', auth_method: 'AUTH_REQUEST' })
  }
})
