// Whether a socket may stay that was let in by what is taken back at the same time: the front that let it in has read the registration before.

import { test } from 'tap'
import { type AuthorizationKeyHash, hashAuthorizationKey } from '../../../src/records/authorization-key.js'
import { type ChargePoint, chargePointsTable } from '../../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { byCertificate, byIdForNow, byPassword } from '../../../src/records/let-in-by.js'
import { registeredRow } from '../../support/registration.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const ended = ['1 closed 1000']
const [first, second, third] = ['first', 'second', 'third'].map((text) => hashAuthorizationKey(Buffer.from(text))) as [
  AuthorizationKeyHash,
  AuthorizationKeyHash,
  AuthorizationKeyHash,
]
const setAt = (day: number) => `2026-01-0${day}T00:00:00.000Z`

const row = (fields: Partial<ChargePoint> = {}): ChargePoint => registeredRow(id, fields)
const before = row({ authorization_key: first, authorization_key_changed_at: setAt(1) })
const byFirst = { securityProfile: 1, letInBy: byPassword(before, first) } as const
/** Whatever the clock said: the day before it was connected, and the day after. */
const replacedOn = [1, 3].map((day) =>
  row({ authorization_key: second, authorization_key_changed_at: `2026-01-0${day}T00:00:01.000Z` }),
)

async function change(actor: ActorOverStore, registration: ChargePoint): Promise<void> {
  await actor.put(chargePointsTable, registration)
  await actor.ask({ type: 'registration-changed' })
}

test('let in - one that comes while its password is replaced may not stay, whichever of both the actor hears of first', async (t) => {
  for (const after of replacedOn) {
    const late = await actorOverStore(id)
    await change(late, after)
    await late.attach(1, 1, byFirst)
    t.same(late.said, ended, 'the socket is announced later')

    const early = await actorOverStore(id)
    await early.put(chargePointsTable, before)
    await early.attach(1, 1, byFirst)
    t.same(early.said, [])
    await change(early, after)
    t.same(early.said, ended, 'the change is announced later')
  }
})

test('let in - where a newer one is there already, the one that is attached is closed all the same', async (t) => {
  const actor = await actorOverStore(id)
  await actor.put(chargePointsTable, before)
  await actor.attach(1, 1, byFirst)
  actor.open(2, 2, byFirst)
  await change(actor, replacedOn[0] as ChargePoint)
  await actor.attach(2, 2, byFirst)
  t.same(new Set(actor.said), new Set(['1 closed 1000', '2 closed 1000']))
})

test('let in - one without a password may not stay when the first one is set, unless that is pushed', async (t) => {
  const byId = { letInBy: byPassword(row()) }
  for (const [after, said] of [
    [before, ended],
    [row({ authorization_key: first }), []],
  ] as const) {
    const late = await actorOverStore(id)
    await change(late, after)
    await late.attach(1, 1, byId)
    t.same(late.said, said)
    const early = await actorOverStore(id)
    await early.attach(1, 1, byId)
    await change(early, after)
    t.same(early.said, said)
  }
})

test('let in - keys that are pushed end no socket, also where there was none in between', async (t) => {
  const actor = await actorOverStore(id)
  await actor.put(chargePointsTable, before)
  await actor.attach(1, 1, byFirst)
  const pushed = { ...before, authorization_key: second, previous_authorization_key: first }
  await change(actor, pushed)
  const again = { ...pushed, authorization_key: third, previous_authorization_key: second }
  await change(actor, { ...again, earlier_authorization_keys: [first] })
  const { authorization_key: _, ...without } = before
  await change(actor, without)
  await change(actor, { ...without, authorization_key: second })
  t.same(actor.said, [])
})

test('let in - with a key that the charge point has just given up, nobody comes any more', async (t) => {
  const actor = await actorOverStore(id)
  const pushed = { ...before, authorization_key: second, previous_authorization_key: first }
  await change(actor, { ...before, authorization_key: second })
  await actor.attach(1, 1, { securityProfile: 1, letInBy: byPassword(pushed, first) })
  t.same(actor.said, ended)
  await actor.attach(2, 2, { securityProfile: 1, letInBy: byPassword(pushed, second) })
  t.same(actor.said, ended)
})

test('let in - one that comes while its certificates are revoked may not stay, whatever the clock says', async (t) => {
  const byOne = { securityProfile: 3, letInBy: byCertificate(row()) } as const
  for (const day of [1, 3]) {
    const revoked = row({ certificates_revoked_at: `2026-01-0${day}T00:00:01.000Z` })
    const late = await actorOverStore(id)
    await change(late, revoked)
    await late.attach(1, 1, byOne)
    t.same(late.said, ended)
    const early = await actorOverStore(id)
    await early.attach(1, 1, byOne)
    await change(early, revoked)
    t.same(early.said, ended)
    await early.detach(1)
    await early.attach(2, 2, { securityProfile: 3 })
    t.same(early.said, ended, 'a certificate of later is good')
  }
})

test('let in - without a certificate, nobody comes behind the first who has shown one, where the listener asks for them', async (t) => {
  const actor = await actorOverStore(id)
  await actor.attach(1, 1, { securityProfile: 3, certificateAsked: true })
  await actor.attach(2, 2, { securityProfile: 0, certificateAsked: true })
  t.same(actor.said, ['2 closed 1000'])
  t.match(actor.view().get(chargePointStatesTable, [id]), { connected: true, connection: 1 })
  await actor.attach(3, 3, { securityProfile: 0 })
  t.same(actor.said, ['2 closed 1000', '1 closed 1000'], 'it cannot show one')
})

test('let in - a socket without a password, of one on its way to it, may not stay once it has come with the password', async (t) => {
  const onItsWay = { ...before, authorization_key: second, without_password: true } as const
  const letInBy = byIdForNow(onItsWay)
  const actor = await actorOverStore(id)
  await actor.put(chargePointsTable, onItsWay)
  await actor.attach(1, 1, { securityProfile: 0, letInBy })
  t.same(actor.said, [])
  const { without_password: _, ...settled } = onItsWay
  await actor.put(chargePointsTable, settled)
  await actor.attach(2, 2, { securityProfile: 0, letInBy })
  t.match(actor.said, ['2 closed 1000'])
})
