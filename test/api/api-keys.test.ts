import fc from 'fast-check'
import { test } from 'tap'
import { limits } from '../../src/api/areas/api-keys/limits.js'
import { putRow, removeRow } from '../../src/api/pipeline/changes.js'
import { cutToRole, grants } from '../../src/api/surfaces/principal.js'
import { apiKeysTable, apiKeyUsesTable, type Scope, scopes } from '../../src/records/api-key.js'
import { membersTable, type Role, roleScopes, roles } from '../../src/records/member.js'
import { createTestApi, type TestApi } from './fixture.js'
import { addMember } from './member.js'

const path = '/api/v1/org/api-keys'
const day = 86_400_000

const at = (service: TestApi, ms: number): string => new Date(service.now() + ms).toISOString()
const statusWith = async (service: TestApi, key: string, target = '/api/v1/chargepoints') =>
  (await service.call('GET', target, undefined, { key })).status

test('api keys - a role cuts scopes to what both grant, for every set of scopes', (t) => {
  fc.assert(
    fc.property(fc.subarray([...scopes]), fc.constantFrom(...roles), (granted, role) => {
      const cut = cutToRole(granted, role)
      for (const scope of scopes) {
        const both = grants(granted, scope) && grants(roleScopes[role], scope)
        if (grants(cut, scope) !== both) throw new Error(`${scope} of ${granted.join()} under ${role}: ${!both}`)
      }
      // Cutting twice is cutting once, and an admin is not cut.
      t.same(cutToRole(cut, role), cut)
      if (role === 'admin') t.same(cut, granted)
    }),
  )
  t.end()
})

test('api keys - the table of what each role leaves', (t) => {
  const cases: readonly [Role, readonly Scope[], readonly Scope[]][] = [
    ['viewer', ['write:billing'], ['read:billing']],
    ['viewer', ['read:sessions', 'write:commands', 'write:api_keys'], ['read:sessions']],
    ['viewer', scopes, scopes.filter((scope) => scope.startsWith('read:') && scope !== 'read:messages')],
    [
      'member',
      ['write:organisations', 'write:ocpi', 'write:sessions'],
      ['write:sessions', 'read:organisations', 'read:ocpi'],
    ],
    ['member', ['write:api_keys'], []],
    ['admin', scopes, scopes],
  ]
  for (const [role, granted, left] of cases) t.same(cutToRole(granted, role), left, `${role}: ${granted.join()}`)
  t.end()
})

test("api keys - a member's key may do what the member may, as they are now", async (t) => {
  const service = await createTestApi()
  const member = await addMember(service, 'member')
  const wanted = ['write:billing', 'write:organisations', 'write:api_keys']
  const made = await service.call('POST', path, { name: 'Mine', scopes: wanted, user_id: member.user_id })
  t.match(made, {
    status: 201,
    body: { user_id: member.user_id, scopes: ['write:billing', 'read:organisations'], status: 'active' },
  })
  t.same(made.body.effective_scopes, made.body.scopes)
  const tariff = { name: 'T', currency: 'EUR', components: [{ type: 'flat', price: 1 }] }
  const write = async () =>
    (await service.call('POST', '/api/v1/billing/tariffs', tariff, { key: made.body.key })).status
  const shown = async () => (await service.call('GET', `${path}/${made.body.id}`)).body
  t.equal(await write(), 201)
  await service.put(membersTable, { ...member, version: 2, role: 'viewer' })
  t.equal(await write(), 403)
  t.equal(await statusWith(service, made.body.key, '/api/v1/billing/tariffs'), 200)
  t.same((await shown()).effective_scopes, ['read:billing', 'read:organisations'])
  // A role that was raised later gives a key no more than it was made with.
  await service.put(membersTable, { ...member, version: 3, role: 'admin' })
  t.equal(await write(), 201)
  t.equal(await statusWith(service, made.body.key, path), 403)
  await service.commit(removeRow(membersTable, [member.organization_id, member.user_id]))
  t.equal(await statusWith(service, made.body.key, '/api/v1/billing/tariffs'), 401, 'whatever may have left it behind')
  t.same((await shown()).effective_scopes, [])
})

test('api keys - are bound to members of the own organization alone, and never to nothing', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  const foreign = await addMember(service, 'admin', other.organizationId)
  const viewer = await addMember(service, 'viewer')
  const make = (user_id: string, wanted: readonly Scope[]) =>
    service.call('POST', path, { name: 'K', scopes: wanted, user_id })
  t.match(await make(foreign.user_id, ['read:billing']), { status: 404, body: { error: { code: 'not_found' } } })
  t.match(await make('usr_nobody', ['read:billing']), { status: 404 })
  t.match(await make(viewer.user_id, ['write:commands']), {
    status: 400,
    body: { error: { details: [{ path: '/scopes' }] } },
  })
})

test('api keys - a key gives no scope that its member lacks by now', async (t) => {
  const service = await createTestApi()
  const member = await addMember(service, 'admin')
  const { body } = await service.call('POST', path, { name: 'Admin', scopes, user_id: member.user_id })
  const give = async (scope: Scope) =>
    (await service.call('POST', path, { name: 'K', scopes: [scope] }, { key: body.key })).status
  t.equal(await give('write:ocpi'), 201)
  await service.put(membersTable, { ...member, version: 2, role: 'member' })
  t.equal(await give('read:billing'), 403, 'it may make no keys at all')
})

test('api keys - an expired key is refused from that millisecond on, told why, and cannot come back', async (t) => {
  const service = await createTestApi()
  const expires_at = at(service, day)
  const { body } = await service.call('POST', path, { name: 'K', scopes: ['read:charge_points'], expires_at })
  t.equal(body.expires_at, expires_at)
  t.equal(await statusWith(service, body.key), 200)
  await service.pass(day)
  const refused = await service.call('GET', '/api/v1/chargepoints', undefined, { key: body.key })
  t.match(refused, { status: 401, body: { error: 'unauthorized', message: /expired/ } })
  const wrong = await service.call('GET', '/api/v1/chargepoints', undefined, { key: `${body.key.slice(0, -2)}AA` })
  t.match(wrong, { status: 401, body: { message: 'the API key is not valid' } }, 'only its holder is told')
  t.match((await service.call('GET', `${path}/${body.id}`)).body, { status: 'expired', effective_scopes: [] })
  const later = { expires_at: at(service, day) }
  t.match(await service.call('PATCH', `${path}/${body.id}`, later), { status: 409 })
  t.match(await service.call('POST', `${path}/${body.id}/rotate`), { status: 409 })
  t.equal((await service.call('DELETE', `${path}/${body.id}`)).status, 204)
})

test('api keys - an end lies in the future, and not too far', async (t) => {
  const service = await createTestApi()
  const make = (expires_at: unknown) =>
    service.call('POST', path, { name: 'K', scopes: ['read:charge_points'], expires_at })
  for (const wrong of [at(service, -1_000), at(service, 3_651 * day), 'tomorrow', 17, ''])
    t.match(await make(wrong), { status: 400, body: { error: { details: [{ path: '/expires_at' }] } } }, `${wrong}`)
  t.equal((await make(at(service, 3_649 * day))).status, 201)
  t.equal((await make('2030-01-01T00:00:00+05:45')).body.expires_at, '2029-12-31T18:15:00.000Z')
})

test('api keys - expired keys are listed for 90 days, and go with the note of their last use', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('POST', path, {
    name: 'K',
    scopes: ['read:charge_points'],
    expires_at: at(service, day),
  })
  await statusWith(service, body.key)
  await service.settled()
  const rows = () => [
    service.store.view().get(apiKeysTable, [body.id]) !== undefined,
    service.store.view().get(apiKeyUsesTable, [body.id]) !== undefined,
  ]
  await service.store.prune(service.now() + 90 * day)
  t.same(rows(), [true, true])
  await service.store.prune(service.now() + 92 * day)
  t.same(rows(), [false, false])
  t.ok(service.store.view().list(apiKeysTable, []).length > 0, 'keys without an end stay')
})

test('api keys - a key that is used while it is revoked leaves no note of its use behind', async (t) => {
  for (let turns = 0; turns < 8; turns++) {
    const service = await createTestApi()
    const { id, key } = (await service.call('POST', path, { name: 'K', scopes: ['read:charge_points'] })).body
    const revoking = service.call('DELETE', `${path}/${id}`)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    await statusWith(service, key)
    t.equal((await revoking).status, 204)
    await service.settled()
    t.equal(service.store.view().get(apiKeyUsesTable, [id]), undefined, `after ${turns} turns`)
  }
})

test('api keys - an organization has a bounded number of them', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  const rows = Array.from({ length: limits.apiKeys - 2 }, (_, at) =>
    putRow(apiKeysTable, {
      key_id: `key_${at}`,
      organization_id: organizationId,
      version: 1,
      name: 'K',
      scopes: ['read:billing'],
      secret_sha256: `${at}`,
      created_at: new Date(0).toISOString(),
    }),
  )
  await service.commit(...rows)
  const make = async () => (await service.call('POST', path, { name: 'K', scopes: ['read:billing'] })).status
  t.same((await Promise.all([make(), make(), make()])).sort(), [201, 409, 409], 'also when they come at the same time')
  t.equal(await make(), 409)
})

test('api keys - can be renamed and given another end, and nothing else', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('POST', path, { name: 'K', scopes: ['read:charge_points'] })
  const change = (changes: unknown) => service.call('PATCH', `${path}/${body.id}`, changes)
  t.match(await change({ name: 'Renamed', scopes }), {
    status: 200,
    body: { name: 'Renamed', scopes: ['read:charge_points'], expires_at: null },
  })
  const end = at(service, day)
  t.match(await change({ expires_at: end }), { status: 200, body: { name: 'Renamed', expires_at: end } })
  t.equal(await statusWith(service, body.key), 200)
  t.match(await change({ expires_at: null }), { status: 200, body: { expires_at: null } })
  await service.pass(2 * day)
  t.equal(await statusWith(service, body.key), 200)
  t.match(await change({ name: '' }), { status: 400 })
})

test('api keys - a list by member, and other organizations see none of it', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  const member = await addMember(service, 'viewer')
  const bound = { scopes: ['read:billing'], user_id: member.user_id }
  const ids: string[] = []
  for (const name of ['A', 'B']) ids.push((await service.call('POST', path, { name, ...bound })).body.id)
  const mine = await service.call('GET', `${path}?user_id=${member.user_id}`)
  t.match(mine.body, { total: 2, data: [{ name: 'A', user_id: member.user_id }, { name: 'B' }] })
  t.equal((await service.call('GET', path)).body.total, 3)
  const foreign = { key: other.key }
  t.equal((await service.call('GET', `${path}?user_id=${member.user_id}`, undefined, foreign)).body.total, 0)
  for (const [method, target, body] of [
    ['GET', `${path}/${ids[0]}`, undefined],
    ['PATCH', `${path}/${ids[0]}`, { name: 'X' }],
    ['POST', `${path}/${ids[0]}/rotate`, undefined],
    ['DELETE', `${path}/${ids[0]}`, undefined],
  ] as const)
    t.equal((await service.call(method, target, body, foreign)).status, 404, method)
})

test('api keys - a rotated key has a new text; the old one is good as long as was asked for', async (t) => {
  const service = await createTestApi()
  const made = (await service.call('POST', path, { name: 'K', scopes: ['read:charge_points'] })).body
  const rotate = async (overlap_seconds?: number) =>
    (
      await service.call(
        'POST',
        `${path}/${made.id}/rotate`,
        overlap_seconds === undefined ? undefined : { overlap_seconds },
      )
    ).body
  const second = await rotate(3_600)
  t.match(second, { id: made.id, name: 'K', scopes: made.scopes })
  t.not(second.key, made.key)
  t.same([await statusWith(service, made.key), await statusWith(service, second.key)], [200, 200])
  t.equal(
    (await service.call('GET', `${path}/${made.id}`)).body.previous_key_expires_at,
    second.previous_key_expires_at,
  )
  await service.pass(3_600_000)
  t.same([await statusWith(service, made.key), await statusWith(service, second.key)], [401, 200])
  const third = await rotate()
  t.equal(third.previous_key_expires_at, null)
  t.same([await statusWith(service, second.key), await statusWith(service, third.key)], [401, 200])
  const fourth = await rotate(60)
  const fifth = await rotate(60)
  t.same(
    await Promise.all([third.key, fourth.key, fifth.key].map((key) => statusWith(service, key))),
    [401, 200, 200],
    'the last but one ends with the next rotation',
  )
  t.match(await service.call('POST', `${path}/${made.id}/rotate`, { overlap_seconds: 86_401 }), { status: 400 })
})

test("api keys - the operator's own text can be rotated too, with an overlap", async (t) => {
  const service = await createTestApi()
  const own = (await service.call('GET', path)).body.data[0]
  const { body } = await service.call('POST', `${path}/${own.id}/rotate`, { overlap_seconds: 60 })
  t.same([await statusWith(service, service.operator.key), await statusWith(service, body.key)], [200, 200])
})

test('api keys - nobody gets hold of scopes by rotating a stronger key', async (t) => {
  const service = await createTestApi()
  const strong = (await service.call('GET', path)).body.data[0]
  const weak = await service.addKey(service.operator.organizationId, ['write:api_keys'])
  const answer = await service.call('POST', `${path}/${strong.id}/rotate`, undefined, { key: weak })
  t.match(answer, { status: 403, body: { error: { code: 'forbidden' } } })
  t.equal(await statusWith(service, service.operator.key), 200)
})

test('api keys - a rotation is repeated to the text that asked for it, and to no other', async (t) => {
  const service = await createTestApi()
  const own = (await service.call('GET', path)).body.data[0]
  const rotate = (key: string) => {
    const headers = { 'idempotency-key': 'r', authorization: `Bearer ${key}` }
    return service.call('POST', `${path}/${own.id}/rotate`, { overlap_seconds: 60 }, { headers })
  }
  const first = await rotate(service.operator.key)
  const repeat = await rotate(service.operator.key)
  t.equal(repeat.body.key, first.body.key)
  t.match(await rotate(first.body.key), { status: 409, body: { error: { code: 'idempotency_conflict' } } })
})

test('api keys - a key may revoke itself, but not as the last that may make keys', async (t) => {
  const service = await createTestApi()
  const { organizationId, key } = await service.addOrganization()
  const id = (await service.call('GET', path, undefined, { key })).body.data[0].id
  const lastKey = { status: 409, body: { error: { code: 'last_key' } } }
  t.match(await service.call('DELETE', `${path}/${id}`, undefined, { key }), lastKey)
  t.match(await service.call('PATCH', `${path}/${id}`, { expires_at: at(service, day) }, { key }), lastKey)
  t.equal(await statusWith(service, key), 200)
  await service.addKey(organizationId, ['read:charge_points'])
  const viewer = await addMember(service, 'viewer', organizationId)
  const made = { name: 'K', scopes: ['write:api_keys'], expires_at: at(service, day) }
  t.match(await service.call('POST', path, { ...made, user_id: viewer.user_id }, { key }), { status: 400 })
  t.match(await service.call('DELETE', `${path}/${id}`, undefined, { key }), lastKey, 'none of these makes keys')
  await service.call('POST', path, made, { key })
  const later = { expires_at: at(service, 2 * day) }
  t.match(await service.call('PATCH', `${path}/${id}`, later, { key }), lastKey, 'the other one ends sooner')
  t.match(await service.call('DELETE', `${path}/${id}`, undefined, { key }), lastKey, 'the other one ends')
  const narrow = { name: 'Narrow', scopes: scopes.filter((scope) => scope !== 'write:billing') }
  const { body: accomplice } = await service.call('POST', path, narrow, { key })
  const gone = () => service.call('DELETE', `${path}/${id}`, undefined, { key: accomplice.key })
  t.match(await gone(), lastKey, 'nobody could create a key for billing any more')
  const heir = (await service.call('POST', path, { name: 'Heir', scopes }, { key })).body
  t.equal((await service.call('DELETE', `${path}/${id}`, undefined, { key })).status, 204)
  t.same([await statusWith(service, key), await statusWith(service, heir.key, path)], [401, 200])
})

test('api keys - of the keys that never expire, the last that may make keys is given no end', async (t) => {
  const service = await createTestApi()
  const { organizationId, key } = await service.addOrganization()
  await service.addKey(organizationId, scopes)
  const [one, other] = (await service.call('GET', path, undefined, { key })).body.data
  const end = (id: string, ms: number) =>
    service.call('PATCH', `${path}/${id}`, { expires_at: at(service, ms) }, { key })
  t.equal((await end(one.id, 2 * day)).status, 200)
  t.match(await end(other.id, day), { status: 409, body: { error: { code: 'last_key' } } })
})

test('api keys - of two that revoke themselves at the same time, one stays', async (t) => {
  const service = await createTestApi()
  const { organizationId, key } = await service.addOrganization()
  const keys = [key, await service.addKey(organizationId, scopes)]
  const { data } = (await service.call('GET', path, undefined, { key })).body
  const answers = await Promise.all(
    keys.map((one, at) => service.call('DELETE', `${path}/${data[at].id}`, undefined, { key: one })),
  )
  t.same(answers.map(({ status }) => status).sort(), [204, 409])
})

test('api keys - changes at the same time lose nothing, whichever comes first', async (t) => {
  const service = await createTestApi()
  for (const rotationFirst of [true, false]) {
    const { id } = (await service.call('POST', path, { name: 'K', scopes: ['read:charge_points'] })).body
    const changes = [
      () => service.call('POST', `${path}/${id}/rotate`),
      () => service.call('PATCH', `${path}/${id}`, { name: 'Renamed' }),
    ]
    const answers = await Promise.all((rotationFirst ? changes : changes.toReversed()).map((change) => change()))
    t.same(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const rotated = answers.find(({ body }) => body.key !== undefined)
    t.equal(await statusWith(service, rotated?.body.key), 200)
    t.equal((await service.call('GET', `${path}/${id}`)).body.name, 'Renamed')
  }
})

test('api keys - of two rotations at the same time, both answers hold a text that is good', async (t) => {
  const service = await createTestApi()
  const { id } = (await service.call('POST', path, { name: 'K', scopes: ['read:charge_points'] })).body
  const rotate = () => service.call('POST', `${path}/${id}/rotate`, { overlap_seconds: 60 })
  for (const { body } of await Promise.all([rotate(), rotate()])) t.equal(await statusWith(service, body.key), 200)
})

test('api keys - made before keys had versions can be changed, under the same care', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('POST', path, { name: 'K', scopes: ['read:charge_points'] })
  const row = service.store.view().get(apiKeysTable, [body.id])
  if (row === undefined) throw new Error('the key is not stored')
  const { version, ...old } = row
  await service.put(apiKeysTable, old)
  const answers = await Promise.all([
    service.call('POST', `${path}/${body.id}/rotate`),
    service.call('PATCH', `${path}/${body.id}`, { name: 'Renamed' }),
  ])
  t.same(
    answers.map(({ status }) => status),
    [200, 200],
  )
  t.equal(service.store.view().get(apiKeysTable, [body.id])?.version, 2)
})
