// Keys that are bound to members: they go with their member, and no change of members locks an organization out.

import { test } from 'tap'
import { apiKeysTable, apiKeyUsesTable, type Scope, scopes } from '../../src/records/api-key.js'
import { membersTable } from '../../src/records/member.js'
import { createTestApi, type TestApi } from './fixture.js'
import { join, teamPaths } from './team.js'

const keysPath = '/api/v1/org/api-keys'

async function boundKey(api: TestApi, user_id: string, wanted: readonly Scope[], key = api.operator.key) {
  const { status, body } = await api.call('POST', keysPath, { name: 'Bound', scopes: wanted, user_id }, { key })
  if (status !== 201) throw new Error(`no key was made: ${status}`)
  return body as { readonly id: string; readonly key: string }
}

test("members - the keys of a member who is removed are gone with them, and nobody else's are", async (t) => {
  const api = await createTestApi()
  const { members } = teamPaths(api.operator.organizationId)
  const anna = await join(api, 'anna@example.com', 'admin')
  const ben = await join(api, 'ben@example.com', 'admin')
  const gone = [await boundKey(api, anna, scopes), await boundKey(api, anna, ['read:billing'])]
  const kept = await boundKey(api, ben, scopes)
  for (const { key } of [...gone, kept])
    t.equal((await api.call('GET', members, undefined, { key })).status < 404, true)
  const [own] = gone
  t.equal(
    (await api.call('DELETE', `${members}/${anna}`, undefined, { key: own?.key })).status,
    204,
    'by their own key',
  )
  await api.settled()
  const view = api.store.view()
  for (const { id, key } of gone) {
    t.equal((await api.call('GET', members, undefined, { key })).status, 401)
    t.equal((await api.call('GET', `${keysPath}/${id}`)).status, 404)
    t.same([view.get(apiKeysTable, [id]), view.get(apiKeyUsesTable, [id])], [undefined, undefined])
  }
  t.match((await api.call('GET', keysPath)).body, { total: 2, data: [{ user_id: null }, { id: kept.id }] })
  t.equal((await api.call('GET', `${keysPath}?user_id=${anna}`)).body.total, 0)
  t.equal((await api.call('GET', members, undefined, { key: kept.key })).status, 200)
})

test('members - a key that is made while its member is removed is not left behind', async (t) => {
  for (const turns of [0, 1, 2, 3]) {
    const api = await createTestApi()
    const { members } = teamPaths(api.operator.organizationId)
    const anna = await join(api, 'anna@example.com', 'viewer')
    const wanted = { name: 'K', scopes: ['read:billing'], user_id: anna }
    const making = api.call('POST', keysPath, wanted)
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    t.equal((await api.call('DELETE', `${members}/${anna}`)).status, 204)
    t.ok([201, 404].includes((await making).status))
    t.equal((await api.call('GET', `${keysPath}?user_id=${anna}`)).body.total, 0, `after ${turns} turns`)
  }
})

const lastKey = { status: 409, body: { error: { code: 'last_key' } } }

/** An organization whose keys are its members' own. */
async function withoutUnboundKeys(api: TestApi) {
  const anna = await join(api, 'anna@example.com', 'admin')
  const ben = await join(api, 'ben@example.com', 'admin')
  const first = (await api.call('GET', keysPath)).body.data[0].id
  const key = await boundKey(api, anna, scopes)
  const revokeFirst = () => api.call('DELETE', `${keysPath}/${first}`, undefined, { key: key.key })
  return { anna, ben, key: key.key, first, revokeFirst, ...teamPaths(api.operator.organizationId) }
}

test('members - whose keys alone can make keys is neither removed nor given a role that cannot', async (t) => {
  const api = await createTestApi()
  const { anna, ben, key, revokeFirst, members } = await withoutUnboundKeys(api)
  const demote = () => api.call('PUT', `${members}/${anna}/role`, { role: 'member' }, { key })
  const remove = () => api.call('DELETE', `${members}/${anna}`, undefined, { key })
  t.equal((await revokeFirst()).status, 204)
  t.match(await demote(), lastKey)
  t.match(await remove(), lastKey)
  await boundKey(api, anna, scopes, key)
  t.match(await remove(), lastKey, 'another key of the same member goes with them too')
  await boundKey(api, ben, ['read:billing'], key)
  t.match(await remove(), lastKey, 'one that makes no keys is none')
  await boundKey(api, ben, ['write:api_keys'], key)
  t.match(await remove(), lastKey, 'one that can give out nothing else is none')
  const heir = await boundKey(api, ben, scopes, key)
  t.equal((await demote()).status, 200)
  t.equal((await api.call('GET', keysPath, undefined, { key })).status, 403)
  t.equal((await api.call('DELETE', `${members}/${anna}`, undefined, { key: heir.key })).status, 204)
})

test('members - of the last two who can make keys, a key and a member, one stays whatever goes at the same time', async (t) => {
  for (const change of ['demote', 'remove'] as const)
    for (const [keyFirst, turns] of [true, false].flatMap((first) =>
      [0, 1, 2].map((turns) => [first, turns] as const),
    )) {
      const api = await createTestApi()
      const { anna, key, revokeFirst, members } = await withoutUnboundKeys(api)
      const member = `${members}/${anna}`
      const lose = () =>
        change === 'demote'
          ? api.call('PUT', `${member}/role`, { role: 'viewer' })
          : api.call('DELETE', member, undefined, { key })
      const [one, other] = keyFirst ? [revokeFirst, lose] : [lose, revokeFirst]
      const begun = one()
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      const statuses = (await Promise.all([begun, other()])).map(({ status }) => status)
      const view = api.store.view()
      const able = view.list(apiKeysTable, []).filter(({ organization_id, user_id }) => {
        const owner = user_id === undefined ? undefined : view.get(membersTable, [organization_id, user_id])
        return user_id === undefined || owner?.role === 'admin'
      })
      t.equal(able.length, 1, `${change} after ${turns} turns: ${statuses}`)
    }
})
