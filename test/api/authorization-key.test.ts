import { createHash } from 'node:crypto'
import { test } from 'tap'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../src/records/charge-point-state.js'
import { createTestApi } from './fixture.js'

const path = '/api/v1/chargepoints/CP-1/authorization-key'
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')

test('authorization key - it is shown once and kept as hashes only', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const { status, body } = await service.call('POST', path)
  t.equal(status, 201)
  t.match(body, { charge_point_id: 'CP-1', authorization_key: /^[0-9a-f]{40}$/, pushed: false })
  const row = service.store.view().get(chargePointsTable, ['CP-1'])
  const key = Buffer.from(body.authorization_key, 'hex')
  t.same(row?.authorization_key, { bytes_sha256: sha256(key), hex_sha256: sha256(body.authorization_key) })
  const shown = await service.call('GET', '/api/v1/chargepoints/CP-1')
  t.equal(shown.body.password_set, true)
  t.notMatch(JSON.stringify(shown.body), /sha256/)
  t.equal((await service.call('DELETE', path)).status, 204)
  t.equal((await service.call('GET', '/api/v1/chargepoints/CP-1')).body.password_set, false)
})

test('authorization key - a pushed key keeps the old one until it is used, and the history does not show it', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const first = await service.call('POST', path)
  const sent: Record<string, unknown>[] = []
  service.connect('CP-1', (_action, payload) => {
    sent.push(payload)
    return { status: 'Accepted' }
  })
  await service.settled()
  const second = await service.call('POST', path, { push: true })
  t.equal(second.status, 201)
  t.equal(second.body.pushed, true)
  t.same(sent, [{ key: 'AuthorizationKey', value: second.body.authorization_key }])
  const row = service.store.view().get(chargePointsTable, ['CP-1'])
  t.equal(row?.authorization_key?.hex_sha256, sha256(second.body.authorization_key))
  t.equal(row?.previous_authorization_key?.hex_sha256, sha256(first.body.authorization_key))
  const history = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  t.match(history.body.commands, [{ command: 'ChangeConfiguration', parameters: { key: 'AuthorizationKey' } }])
  t.notOk(JSON.stringify(history.body).includes(second.body.authorization_key))
})

test('authorization key - a key that the charge point refuses leaves the old one as it was', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  t.equal((await service.call('POST', path, { push: true })).body.error.code, 'charge_point_offline')
  const first = await service.call('POST', path)
  service.connect('CP-1', () => ({ status: 'NotSupported' }))
  await service.settled()
  const refused = await service.call('POST', path, { push: true })
  t.equal(refused.status, 422)
  t.equal(refused.body.error.code, 'ocpp_rejected')
  const row = service.store.view().get(chargePointsTable, ['CP-1'])
  t.equal(row?.authorization_key?.hex_sha256, sha256(first.body.authorization_key))
  t.equal(row?.previous_authorization_key, undefined)
})

test('authorization key - a charge point that has just connected, and is not stored as connected yet, has the key that is stored', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const first = await service.call('POST', path)
  service.connect('CP-1', () => ({ status: 'Accepted' }))
  await service.settled()
  const state = service.store.view().get(chargePointStatesTable, ['CP-1'])
  if (state === undefined) return t.fail('the charge point has no state')
  await service.put(chargePointStatesTable, { ...state, connected: false })
  const second = await service.call('POST', path, { push: true })
  t.match(second, { status: 201, body: { pushed: true } })
  const row = service.store.view().get(chargePointsTable, ['CP-1'])
  t.equal(row?.authorization_key?.hex_sha256, sha256(second.body.authorization_key))
  t.equal(row?.previous_authorization_key?.hex_sha256, sha256(first.body.authorization_key))
})

test('authorization key - a push to a charge point that is offline changes nothing', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const first = await service.call('POST', path)
  const refused = await service.call('POST', path, { push: true })
  t.match(refused, { status: 422, body: { error: { code: 'charge_point_offline' } } })
  const row = service.store.view().get(chargePointsTable, ['CP-1'])
  t.equal(row?.authorization_key?.hex_sha256, sha256(first.body.authorization_key))
  t.equal(row?.previous_authorization_key, undefined)
})
