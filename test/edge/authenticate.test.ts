// Basic authentication by bytes and by hex (OCPP-J 1.6, 6.2; Improved security for OCPP 1.6-J, A01).

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import { authenticate } from '../../src/edge/authenticate.js'
import { type AuthorizationKeyHash, hashAuthorizationKey } from '../../src/records/authorization-key.js'
import type { ChargePoint } from '../../src/records/charge-point.js'
import { registeredRow } from '../support/registration.js'

const registered = registeredRow('AL1000', { connector_count: 1 })

const key = Buffer.from('0001020304050607FFFFFFFFFFFFFFFFFFFFFFFF', 'hex')
const keyed = (authorization_key: AuthorizationKeyHash, more: Partial<ChargePoint> = {}): ChargePoint => ({
  ...registered,
  ...more,
  authorization_key,
})
const withKey = keyed(hashAuthorizationKey(key))

const basic = (user: string, password: Buffer | string): string =>
  `Basic ${Buffer.concat([Buffer.from(`${user}:`), Buffer.from(password as string)]).toString('base64')}`

const check = (chargePoint: ChargePoint, authorization: string, tls = false) =>
  authenticate(chargePoint, { authorization, tls, certificatePem: '', now: Date.now() })

const passed = (securityProfile: number, usedNewKey = true) => ({ ok: true, securityProfile, usedNewKey })

test("authentication - the standard's own example is taken", (t) => {
  const header = 'Basic QUwxMDAwOgABAgMEBQYH////////////////'
  t.equal(basic('AL1000', key), header)
  t.match(check(withKey, header), passed(1))
  t.match(check(withKey, header, true), passed(2), 'over TLS it is profile 2')
  t.end()
})

test('authentication - the key in hex is taken, in upper, lower and mixed case', (t) => {
  const hex = key.toString('hex')
  const mixed = hex.replace(/f/, 'F')
  for (const password of [hex, hex.toUpperCase(), mixed]) t.match(check(withKey, basic('AL1000', password)), passed(1))
  t.end()
})

test('authentication - any bytes are a key: those that are no text, and those with colons', (t) => {
  const property = fc.property(fc.uint8Array({ minLength: 16, maxLength: 20 }), (bytes) => {
    const password = Buffer.from(bytes)
    return check(keyed(hashAuthorizationKey(password)), basic('AL1000', password)).ok
  })
  t.doesNotThrow(() => fc.assert(property))
  const odd = Buffer.concat([Buffer.from(':::'), Buffer.of(0xff, 0xfe, 0x00, 0xc3, 0x28), randomBytes(12)])
  t.match(check(keyed(hashAuthorizationKey(odd)), basic('AL1000', odd)), passed(1))
  t.end()
})

test('authentication - any other password is refused', (t) => {
  const property = fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
    const password = Buffer.from(bytes)
    const right = password.equals(key) || password.toString('latin1').toLowerCase() === key.toString('hex')
    return check(withKey, basic('AL1000', password)).ok === right
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }))
  const almost = Buffer.from(key)
  almost[19] = 0xfe
  t.match(check(withKey, basic('AL1000', almost)), { ok: false, status: 401, reason: 'wrong_password' })
  t.end()
})

test('authentication - the user name is the identity, in any case', (t) => {
  t.match(check(withKey, basic('al1000', key)), passed(1))
  for (const user of ['AL1001', 'AL100', 'AL10000', ''])
    t.match(check(withKey, basic(user, key)), { ok: false, status: 401, reason: 'no_password' }, user)
  t.end()
})

test('authentication - the scheme is written in any case, with any space', (t) => {
  const token = basic('AL1000', key).slice('Basic '.length)
  for (const header of [`basic ${token}`, `BASIC   ${token} `, `Basic ${token.replace(/=+$/, '')}`])
    t.match(check(withKey, header), passed(1), header)
  t.end()
})

test('authentication - a header that is none is refused', (t) => {
  const headers = [
    '',
    'Basic',
    'Basic ',
    'Basic !!!',
    'Basic QUwxMDAw',
    'Bearer abc',
    'Digest username="AL1000"',
    'Basic a b',
  ]
  for (const header of headers)
    t.match(check(withKey, header), { ok: false, status: 401, reason: 'no_password', advice: /Basic/ }, header)
  const property = fc.property(fc.string({ unit: 'binary' }), (header) => !check(withKey, header).ok)
  t.doesNotThrow(() => fc.assert(property))
  t.end()
})

test('authentication - a charge point without a key needs none: profile 0', (t) => {
  t.match(check(registered, ''), passed(0, false))
  t.match(check(registered, basic('AL1000', 'anything')), passed(0, false))
  t.end()
})

test('authentication - while a key is replaced both are good, and it shows which was used', (t) => {
  const fresh = randomBytes(20)
  const rotating = keyed(hashAuthorizationKey(fresh), { previous_authorization_key: hashAuthorizationKey(key) })
  t.match(check(rotating, basic('AL1000', key)), passed(1, false))
  t.match(check(rotating, basic('AL1000', fresh)), passed(1, true))
  t.match(check(rotating, basic('AL1000', randomBytes(20))), { ok: false, reason: 'wrong_password' })
  t.end()
})

test('authentication - only hashes of a key are kept', (t) => {
  const kept = JSON.stringify(hashAuthorizationKey(key))
  t.notMatch(kept.toLowerCase(), key.toString('hex'))
  t.notMatch(kept, key.toString('base64'))
  t.end()
})

test('authentication - one that is on its way to a password is let in as before, and with the password in the new way', (t) => {
  const onItsWay = keyed(hashAuthorizationKey(key), { without_password: true })
  t.match(check(onItsWay, ''), { ...passed(0, false), letInBy: { withoutPassword: true } })
  t.match(check(onItsWay, basic('AL1000', 'what it has always shown'), true), passed(0, false))
  t.match(check(onItsWay, basic('AL1000', key), true), { ...passed(2), letInBy: { key: String } })
  t.end()
})
