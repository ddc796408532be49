// The identity in the request target, as real firmware writes it (OCPP-J 1.6, 3.1.1).

import fc from 'fast-check'
import { test } from 'tap'
import { readIdentity } from '../../src/edge/identity.js'

const read: readonly (readonly [string, string])[] = [
  ['/ocpp16/CP-1', 'CP-1'],
  ['/ocpp16/CP-1/', 'CP-1'],
  ['/OCPP16/CP-1', 'CP-1'],
  ['//ocpp16//CP-1', 'CP-1'],
  ['/ws/ocpp16/CP-1', 'CP-1'],
  ['/ocpp16/tenant/CP-1', 'CP-1'],
  ['/ocpp16/CP-1/CP-1', 'CP-1'],
  ['/ocpp16/CP-1?token=a/b', 'CP-1'],
  ['/ocpp16/CP%2D1', 'CP-1'],
  ['ws://host:8080/ocpp16/CP-1', 'CP-1'],
  ['WSS://host/ocpp16/CP-1?x', 'CP-1'],
  [`/ocpp16/${'a'.repeat(48)}`, 'a'.repeat(48)],
]

for (const [target, chargePointId] of read) {
  test(`identity - ${target} is ${chargePointId}`, (t) => {
    t.same(readIdentity(target), { ok: true, chargePointId })
    t.end()
  })
}

const refused: readonly (readonly [string, string, number])[] = [
  ['/', 'no_identity', 404],
  ['', 'no_identity', 404],
  ['/ocpp16', 'no_identity', 404],
  ['/ocpp16/', 'no_identity', 404],
  ['/base/OCPP16', 'no_identity', 404],
  ['/CP-1', 'wrong_path', 404],
  ['/ocpp/CP-1', 'wrong_path', 404],
  ['/ocpp16/CP%', 'bad_escape', 400],
  ['/ocpp16/%FF', 'bad_escape', 400],
  ['/ocpp16/CP_1', 'bad_identity', 404],
  ['/ocpp16/CP%201', 'bad_identity', 404],
  ['/ocpp16/a%2Fb', 'bad_identity', 404],
  ['/ocpp16/a%252Db', 'bad_identity', 404],
  ['/ocpp16/%00', 'bad_identity', 404],
  ['/ocpp16/s%C3%A4ule', 'bad_identity', 404],
  [`/ocpp16/${'a'.repeat(49)}`, 'bad_identity', 404],
]

for (const [target, reason, status] of refused) {
  test(`identity - ${target || 'nothing'} is refused as ${reason}, with advice`, (t) => {
    t.match(readIdentity(target), { ok: false, reason, status, advice: /\w.*\.$/, shown: String })
    t.end()
  })
}

test('identity - whatever is asked for, the answer is an id, or a short refusal', (t) => {
  const target = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string().map((id) => `/ocpp16/${id}`),
    fc.string({ unit: 'grapheme' }).map((id) => `/ocpp16/${encodeURIComponent(id)}`),
    fc.webUrl({ withQueryParameters: true }),
  )
  const property = fc.property(target, (asked) => {
    const identity = readIdentity(asked)
    return identity.ok
      ? /^[A-Za-z0-9-]{1,48}$/.test(identity.chargePointId)
      : identity.shown.length <= 80 && identity.advice !== ''
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 2_000 }))
  t.end()
})

test('identity - every id that may be registered is read back', (t) => {
  const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-')
  const id = fc.array(character, { minLength: 1, maxLength: 48 }).map((characters) => characters.join(''))
  const property = fc.property(id, (chargePointId) => {
    const identity = readIdentity(`/ocpp16/${chargePointId}`)
    return identity.ok && identity.chargePointId === chargePointId
  })
  t.doesNotThrow(() => fc.assert(property))
  t.end()
})
