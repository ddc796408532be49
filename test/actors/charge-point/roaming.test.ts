// Drivers of roaming partners at a charge point: what the whitelist of a token says, whom a session belongs to, and that no start is lost by asking.

import { test } from 'tap'
import type { OcpiAuthorization } from '../../../src/ocpi/authorization-call.js'
import type { OcpiOutcome } from '../../../src/ocpi/call.js'
import { idTagOf } from '../../../src/ocpi/ids.js'
import { limits } from '../../../src/ocpi/limits.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { unknownIdTagsTable } from '../../../src/records/id-tag.js'
import { ocpiCommandTokensTable } from '../../../src/records/ocpi-command-token.js'
import { ocpiExchangesTable } from '../../../src/records/ocpi-exchange.js'
import { ocpiPartnersTable } from '../../../src/records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../../src/records/ocpi-party.js'
import {
  type OcpiAllowed,
  type OcpiWhitelist,
  ocpiAnswersTable,
  ocpiTokensTable,
  ocpiWhitelists,
} from '../../../src/records/ocpi-token.js'
import { ocpiTokenPullsTable } from '../../../src/records/ocpi-token-pull.js'
import { organizationsTable } from '../../../src/records/organization.js'
import { sessionsTable } from '../../../src/records/session.js'
import { registeredRow } from '../../support/registration.js'
import { partnerRow, partyRow, tokenRow } from '../../support/roaming-rows.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const { organization_id } = registeredRow(id)
const partner = partnerRow(organization_id)
const hourMs = 3_600_000

type Says = OcpiAllowed | 'unknown' | 'away' | 'broken' | Record<string, unknown>

const shown = { request: { headers: {} } }

/** What comes of a call to a partner that says this. */
function outcomeOf(says: Says): OcpiOutcome | undefined {
  if (says === 'away') return undefined
  const undone = { milliseconds: 5, shown, message: 'no' }
  if (says === 'unknown') return { type: 'refused', httpStatus: 404, statusCode: 2004, ...undone }
  if (says === 'broken') return { type: 'unreadable', httpStatus: 200, ...undone }
  const data = typeof says === 'string' ? { allowed: says } : says
  return { type: 'delivered', httpStatus: 200, statusCode: 1000, data, milliseconds: 5, shown }
}

async function booted(says: (partnerId: string) => Says = () => 'away') {
  const asked: OcpiAuthorization[] = []
  let meanwhile: (() => Promise<void>) | undefined
  const actor = await actorOverStore(id, {
    async partners(question) {
      asked.push(question)
      const outcomes = question.calls.map(({ owner }) => outcomeOf(says(owner)))
      await meanwhile?.()
      return { outcomes }
    },
  })
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  await actor.put(ocpiPartiesTable, partyRow(organization_id))
  await actor.put(ocpiPartnersTable, partner)
  return {
    ...actor,
    asked,
    whileAsked(what: () => Promise<void>) {
      meanwhile = what
    },
  }
}

const statusOf = async (actor: ActorOverStore, idTag: string): Promise<unknown> =>
  ((await actor.call(1, 'Authorize', { idTag })) as { idTagInfo: { status: string } }).idTagInfo.status

let starts = 0

async function start(actor: ActorOverStore, idTag: string, more: object = {}) {
  const timestamp = new Date(actor.clock.wall + ++starts).toISOString()
  const answer = await actor.call(1, 'StartTransaction', { connectorId: 1, idTag, meterStart: 0, timestamp, ...more })
  const { transactionId, idTagInfo } = answer as { transactionId: number; idTagInfo: { status: string } }
  const [session] = actor.view().listBy(sessionsTable, 'byTransaction', [transactionId])
  return { transactionId, status: idTagInfo.status, idTagInfo, session }
}

const ofAnswer: Readonly<Record<string, string>> = {
  ALLOWED: 'Accepted',
  BLOCKED: 'Blocked',
  EXPIRED: 'Expired',
  NO_CREDIT: 'Blocked',
  NOT_ALLOWED: 'Invalid',
  unknown: 'Invalid',
}

/** Section 7 of the reference, in other words than the code: whether the partner is asked, and what holds without its answer. */
const rules: Readonly<Record<OcpiWhitelist, (valid: boolean) => { readonly asks: boolean; readonly away: string }>> = {
  ALWAYS: (valid) => ({ asks: false, away: valid ? 'Accepted' : 'Blocked' }),
  ALLOWED: (valid) => (valid ? { asks: false, away: 'Accepted' } : { asks: true, away: 'Blocked' }),
  ALLOWED_OFFLINE: (valid) => ({ asks: true, away: valid ? 'Accepted' : 'Blocked' }),
  NEVER: () => ({ asks: true, away: 'Invalid' }),
}

for (const whitelist of ocpiWhitelists)
  for (const valid of [true, false])
    test(`roaming - a token with whitelist ${whitelist} that is ${valid ? 'valid' : 'not valid'}`, async (t) => {
      const rule = rules[whitelist](valid)
      for (const says of [...Object.keys(ofAnswer), 'away', 'broken'] as Says[]) {
        const actor = await booted(() => says)
        await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist, valid }))
        const expected = rule.asks ? (ofAnswer[String(says)] ?? rule.away) : rule.away
        const method = rule.asks && String(says) in ofAnswer ? 'AUTH_REQUEST' : 'WHITELIST'
        t.equal(await statusOf(actor, 'card1'), expected, `Authorize, ${says}`)
        t.equal(actor.asked.length, rule.asks ? 1 : 0)
        const again = await booted(() => says)
        await again.put(ocpiTokensTable, tokenRow(partner, { whitelist, valid }))
        const { status, session, transactionId } = await start(again, 'Card1')
        t.equal(status, expected, `StartTransaction, ${says}`)
        t.ok(transactionId > 0, 'is stored in any case')
        t.match(session, {
          authorization: expected,
          roaming: { partner_id: partner.partner_id, uid: 'CARD1', party_id: 'EMP', country_code: 'NL', type: 'RFID' },
        })
        t.equal(session?.roaming?.contract_id, 'NL-EMP-CARD1')
        if (!(whitelist === 'NEVER' && method === 'WHITELIST')) t.equal(session?.roaming?.auth_method, method)
        t.same(again.view().list(unknownIdTagsTable, []), [], 'is not listed for others to adopt')
      }
    })

test('roaming - the question names the place, and its answer stays with the session', async (t) => {
  const actor = await booted(() => ({ allowed: 'ALLOWED', authorization_reference: 'ref-1' }))
  await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist: 'NEVER', group_id: 'FLEET' }))
  const info = await actor.call(1, 'Authorize', { idTag: 'CARD1' })
  t.same(info, { idTagInfo: { status: 'Accepted' } }, 'the group is not in the answer')
  const [call] = actor.asked[0]?.calls ?? []
  t.match(call, {
    method: 'POST',
    url: 'https://emsp.example.com/2.2.1/tokens/CARD1/authorize?type=RFID',
    body: { location_id: id },
    token: { plain: 'secret' },
    routing: { from: { country_code: 'NL', party_id: 'AMP' }, to: { country_code: 'NL', party_id: 'EMP' } },
  })
  t.equal(actor.asked[0]?.withinMs, 2_000)
  const { session, status } = await start(actor, 'CARD1')
  t.equal(status, 'Accepted')
  t.equal(actor.asked.length, 1, 'whoever has just been let in is not asked about again')
  t.match(session?.roaming, { auth_method: 'AUTH_REQUEST', authorization_reference: 'ref-1' })
  actor.clock.wall += 1_000
  await actor.call(1, 'StopTransaction', {
    transactionId: session?.transaction_id,
    meterStop: 1,
    timestamp: new Date(actor.clock.wall).toISOString(),
  })
  await start(actor, 'CARD1')
  t.equal(actor.asked.length, 2, 'the partner’s word is good for one charge')
  t.match(actor.asked[1]?.calls[0]?.body, { location_id: id, evse_uids: [`${id}_1`] })
  t.match(actor.view().list(ocpiExchangesTable, []), [], 'the log is written later')
})

test('roaming - who was let in long ago is asked about again when the charge begins', async (t) => {
  const actor = await booted(() => 'ALLOWED')
  await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist: 'NEVER' }))
  await statusOf(actor, 'CARD1')
  actor.clock.wall += limits.ocpiPermissionMs + 1
  await start(actor, 'CARD1')
  t.equal(actor.asked.length, 2)
})

test('roaming - the group of a token is the parent of its id tag, where it fits', async (t) => {
  const actor = await booted()
  await actor.put(ocpiTokensTable, tokenRow(partner, { group_id: 'FLEET' }))
  await actor.put(ocpiTokensTable, tokenRow(partner, { uid: 'CARD2', group_id: 'A-GROUP-LONGER-THAN-20' }))
  t.same(await actor.call(1, 'Authorize', { idTag: 'CARD1' }), {
    idTagInfo: { status: 'Accepted', parentIdTag: 'FLEET' },
  })
  t.same(await actor.call(1, 'Authorize', { idTag: 'CARD2' }), { idTagInfo: { status: 'Accepted' } })
})

test('roaming - where a partner is away, what it has said last holds until it sends the token anew', async (t) => {
  let says: Says = 'BLOCKED'
  const actor = await booted(() => says)
  const token = tokenRow(partner, { whitelist: 'ALLOWED_OFFLINE' })
  await actor.put(ocpiTokensTable, token)
  t.equal(await statusOf(actor, 'CARD1'), 'Blocked')
  says = 'away'
  t.equal(await statusOf(actor, 'CARD1'), 'Blocked')
  await actor.put(ocpiTokensTable, { ...token, version: 2, heard_at: actor.clock.wall + 1 })
  t.equal(await statusOf(actor, 'CARD1'), 'Accepted')
  says = 'ALLOWED'
  const blocked = { ...token, version: 3, whitelist: 'ALLOWED' as const, valid: false, heard_at: actor.clock.wall + 1 }
  await actor.put(ocpiTokensTable, blocked)
  actor.clock.wall += 2
  t.equal(await statusOf(actor, 'CARD1'), 'Accepted')
  says = 'away'
  t.equal(await statusOf(actor, 'CARD1'), 'Accepted')
})

test('roaming - a token of which nothing was heard for a day is asked about, and good where nobody answers', async (t) => {
  const actor = await booted()
  await actor.put(ocpiTokensTable, tokenRow(partner, { heard_at: actor.clock.wall - 25 * hourMs }))
  t.equal(await statusOf(actor, 'CARD1'), 'Accepted')
  t.equal(actor.asked.length, 1)
  const pulled = { partner_id: partner.partner_id, completed_from: actor.clock.wall - hourMs, next_at: 0 }
  await actor.put(ocpiTokenPullsTable, pulled)
  t.equal(await statusOf(actor, 'CARD1'), 'Accepted')
  t.equal(actor.asked.length, 1, 'its partner was asked for all tokens an hour ago')
})

const other = partnerRow(organization_id, {
  partner_id: 'ptn_OTH',
  realtime_unknown_tokens: true,
  roles: [{ role: 'EMSP', country_code: 'BE', party_id: 'OTH', business_details: { name: 'Other' } }],
})
const third = partnerRow(organization_id, { ...other, partner_id: 'ptn_THI', roles: [] })

async function withRule(actor: ActorOverStore, unknown_id_tags: 'accept' | 'reject') {
  const row = { organization_id, version: 1, name: 'O', unknown_id_tags }
  await actor.put(organizationsTable, row as never)
}

test('roaming - a tag that nobody has sent is asked about where partners want that, and the first who allows it has the driver', async (t) => {
  const says: Record<string, Says> = { ptn_OTH: 'unknown', ptn_THI: 'away' }
  const actor = await booted((partnerId) => says[partnerId] ?? 'away')
  await withRule(actor, 'reject')
  t.equal(await statusOf(actor, 'NEW'), 'Invalid')
  t.equal(actor.asked.length, 0, 'the partner has not asked for it')
  await actor.put(ocpiPartnersTable, other)
  await actor.put(ocpiPartnersTable, third)
  t.equal(await statusOf(actor, 'NEW'), 'Invalid')
  t.same(
    actor.asked[0]?.calls.map(({ owner }) => owner),
    ['ptn_OTH', 'ptn_THI'],
  )
  t.equal(actor.view().list(ocpiAnswersTable, []).length, 0, 'who does not know it leaves nothing')
  says.ptn_OTH = {
    allowed: 'ALLOWED',
    token: { country_code: 'BE', party_id: 'OTH', uid: 'NEW', type: 'RFID', contract_id: 'BE-OTH-9' },
  }
  const { status, session } = await start(actor, 'NEW')
  t.equal(status, 'Accepted', 'also where what else is in the answer cannot be read')
  t.match(session?.roaming, { partner_id: 'ptn_OTH', country_code: 'BE', party_id: 'OTH', uid: 'NEW' })
  says.ptn_OTH = 'away'
  t.equal(await statusOf(actor, 'NEW'), 'Accepted', 'it charges')
  await actor.call(1, 'StopTransaction', {
    transactionId: session?.transaction_id,
    meterStop: 1,
    timestamp: new Date(actor.clock.wall).toISOString(),
  })
  t.equal(await statusOf(actor, 'NEW'), 'Invalid', 'nobody has said that it may be remembered')
  const whole = tokenRow(other, { uid: 'NEW', whitelist: 'ALLOWED_OFFLINE', contract_id: 'BE-OTH-9' })
  const { partner_id: _, organization_id: __, version: ___, id_tag: ____, known_since: _____, ...rest } = whole
  const { heard_at: ______, ...token } = rest
  says.ptn_OTH = { allowed: 'ALLOWED', token }
  t.equal(await statusOf(actor, 'NEW'), 'Accepted')
  says.ptn_OTH = 'away'
  t.equal(await statusOf(actor, 'NEW'), 'Accepted', 'it may be remembered')
  says.ptn_OTH = 'unknown'
  t.equal(await statusOf(actor, 'NEW'), 'Invalid')
  t.equal(actor.view().list(ocpiAnswersTable, []).length, 0)
})

test('roaming - the rule for unknown tags holds for those that are no partners, and for no others', async (t) => {
  let says: Says = 'unknown'
  const actor = await booted(() => says)
  await withRule(actor, 'accept')
  await actor.put(ocpiPartnersTable, other)
  t.equal(await statusOf(actor, 'NEW'), 'Accepted')
  const { session } = await start(actor, 'NEW')
  t.equal(session?.roaming, undefined)
  says = 'BLOCKED'
  t.equal(await statusOf(actor, 'NEW2'), 'Blocked')
  says = 'away'
  t.equal(await statusOf(actor, 'NEW2'), 'Blocked')
  await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist: 'ALWAYS', valid: false }))
  t.equal(await statusOf(actor, 'CARD1'), 'Blocked')
})

test('roaming - of two partners that know a tag one has the session: who was first, unless its token is not valid', async (t) => {
  const actor = await booted()
  await actor.put(ocpiPartnersTable, other)
  const first = tokenRow(partner, { known_since: 1 })
  const later = tokenRow(other, { known_since: 2, contract_id: 'BE-OTH-1' })
  await actor.put(ocpiTokensTable, later)
  await actor.put(ocpiTokensTable, first)
  t.equal((await start(actor, 'CARD1')).session?.roaming?.partner_id, partner.partner_id)
  await actor.put(ocpiTokensTable, { ...first, version: 2, valid: false })
  const { session } = await start(actor, 'CARD1')
  t.match(session?.roaming, { partner_id: 'ptn_OTH', contract_id: 'BE-OTH-1' })
  await actor.put(ocpiPartnersTable, { ...other, version: 2, status: 'ended' })
  const { session: third } = await start(actor, 'CARD1', { connectorId: 1 })
  t.equal(third?.roaming?.partner_id, partner.partner_id, 'a partner that is gone does not count')
  t.equal(third?.authorization, 'Blocked')
})

test('roaming - a token of 36 characters is shown by the id tag that stands for it', async (t) => {
  const actor = await booted(() => 'ALLOWED')
  const uid = 'a7f3c2d1-4b5e-6f70-8192-a3b4c5d6e7f8'
  await actor.put(ocpiTokensTable, tokenRow(partner, { uid, id_tag: idTagOf(uid), whitelist: 'NEVER' }))
  t.ok(idTagOf(uid).length <= 20)
  const { session, status } = await start(actor, idTagOf(uid))
  t.equal(status, 'Accepted')
  t.equal(session?.roaming?.uid, uid)
  t.match(actor.asked[0]?.calls[0]?.url, uid)
})

test('roaming - a driver whose partner is deleted meanwhile may end the charge, which stays the partner’s', async (t) => {
  const actor = await booted()
  await withRule(actor, 'reject')
  await actor.put(ocpiTokensTable, tokenRow(partner))
  const { session } = await start(actor, 'CARD1')
  await actor.remove(ocpiPartnersTable, [partner.partner_id])
  t.equal(await statusOf(actor, 'CARD1'), 'Accepted')
  actor.clock.wall += hourMs
  const stopped = await actor.call(1, 'StopTransaction', {
    transactionId: session?.transaction_id,
    idTag: 'CARD1',
    meterStop: 5_000,
    timestamp: new Date(actor.clock.wall).toISOString(),
  })
  t.match(stopped, { idTagInfo: { status: 'Accepted' } })
  const ended = actor.view().get(sessionsTable, [session?.session_id ?? ''])
  t.match(ended, { status: 'completed', roaming: { partner_id: partner.partner_id, contract_id: 'NL-EMP-CARD1' } })
  t.equal(await statusOf(actor, 'CARD1'), 'Invalid')
})

test('roaming - a start that is repeated while partners are asked, and after, is one session', async (t) => {
  const actor = await booted(() => 'ALLOWED')
  await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist: 'NEVER' }))
  const request = { connectorId: 1, idTag: 'CARD1', meterStart: 7, timestamp: '2026-01-02T00:00:00.000Z' }
  let repeated = false
  actor.whileAsked(async () => {
    if (repeated) return
    repeated = true
    await actor.frame(1, [2, 'again', 'StartTransaction', request])
  })
  const first = await actor.call(1, 'StartTransaction', request)
  const later = await actor.call(1, 'StartTransaction', request)
  t.same(later, first)
  t.equal(actor.view().list(sessionsTable, []).length, 1)
  const answers = actor.said.filter((line) => line.includes('"transactionId"'))
  t.equal(answers.length, 3)
  t.equal(actor.asked.length, 2, 'once it is stored, nobody is asked')
})

test('roaming - an answer that is stored at the same moment by another charge point holds nobody up', async (t) => {
  const actor = await booted(() => 'ALLOWED')
  await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist: 'NEVER' }))
  actor.overtake(() => {
    void actor.put(ocpiAnswersTable, {
      organization_id,
      id_tag: 'CARD1',
      partner_id: partner.partner_id,
      version: 41,
      allowed: 'BLOCKED',
      token: tokenRow(partner),
      charge_point_id: 'CP-2',
      at: actor.clock.wall,
    })
  })
  const { status, session } = await start(actor, 'CARD1')
  t.equal(status, 'Accepted')
  t.equal(session?.status, 'active')
  t.match(actor.view().list(ocpiAnswersTable, []), [{ version: 42, allowed: 'ALLOWED', charge_point_id: id }])
})

test('roaming - nobody is told what another organization’s partner has said', async (t) => {
  const actor = await booted(() => 'ALLOWED')
  await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist: 'NEVER' }))
  const registration = actor.view().get(chargePointsTable, [id])
  actor.whileAsked(async () => {
    if (registration === undefined) throw new Error('there is no registration')
    await actor.put(chargePointsTable, { ...registration, version: registration.version + 1, organization_id: 'org_2' })
    await actor.ask({ type: 'registration-changed' })
    await actor.attach(2, 2)
    await actor.call(2, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  })
  await actor.frame(1, [
    2,
    'start',
    'StartTransaction',
    { connectorId: 1, idTag: 'CARD1', meterStart: 0, timestamp: new Date(actor.clock.wall).toISOString() },
  ])
  for (let turns = 0; turns < 5; turns++) await actor.frame(1, [3, 'none', {}])
  t.same(actor.view().list(sessionsTable, []), [])
  t.notOk(actor.said.some((line) => line.includes('Accepted') && line.includes('"start"')))
})

test('roaming - a charge point hears of it when what partners say cannot be handled, and tries again', async (t) => {
  let answer: unknown = {}
  const actor = await actorOverStore(id, { partners: async () => answer as never })
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  await actor.put(ocpiPartiesTable, partyRow(organization_id))
  await actor.put(ocpiPartnersTable, partner)
  await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist: 'NEVER' }))
  const request = { connectorId: 1, idTag: 'CARD1', meterStart: 0, timestamp: '2026-01-02T00:00:00.000Z' }
  await actor.frame(1, [2, 'first', 'StartTransaction', request])
  for (let turns = 0; turns < 5; turns++) await actor.frame(1, [3, 'none', {}])
  t.ok(actor.said.some((line) => line.includes('"first","InternalError"')))
  answer = { outcomes: [outcomeOf('ALLOWED')] }
  t.match(await actor.call(1, 'StartTransaction', request), { idTagInfo: { status: 'Accepted' } })
})

test('roaming - a driver is let in at the EVSEs that the partner names', async (t) => {
  const only = (evse_uids: string[]) => ({ allowed: 'ALLOWED', location: { location_id: id, evse_uids } })
  for (const [evses, status] of [
    [[`${id}_1`], 'Accepted'],
    [[`${id}_2`], 'Invalid'],
    [[], 'Accepted'],
  ] as const) {
    const actor = await booted(() => only([...evses]))
    await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist: 'NEVER' }))
    t.equal((await start(actor, 'CARD1')).status, status, evses.join())
  }
})

test('roaming - a token of a command is good at its charge point without a question, and used up by the charge', async (t) => {
  const actor = await booted(() => 'BLOCKED')
  await withRule(actor, 'reject')
  const token = { country_code: 'NL', party_id: 'EMP', uid: 'APP-1', type: 'APP_USER' as const, contract_id: 'C-1' }
  const row = {
    charge_point_id: id,
    organization_id,
    id_tag: 'APP-1',
    partner_id: partner.partner_id,
    version: 1,
    token,
    authorization_reference: 'ref-2',
    at: actor.clock.wall,
  }
  await actor.put(ocpiCommandTokensTable, row)
  t.equal(await statusOf(actor, 'app-1'), 'Accepted')
  const { session } = await start(actor, 'app-1')
  t.same(session?.roaming, {
    partner_id: partner.partner_id,
    ...token,
    auth_method: 'COMMAND',
    authorization_reference: 'ref-2',
  })
  t.same(actor.view().list(ocpiCommandTokensTable, []), [])
  t.equal(actor.asked.length, 0)
  const { status } = await start(actor, 'app-1')
  t.equal(status, 'Accepted', 'as the charge runs')

  const card = { ...row, id_tag: 'RF-1', token: { ...token, uid: 'RF-1', type: 'RFID' as const } }
  await actor.put(ocpiCommandTokensTable, card)
  t.equal(await statusOf(actor, 'RF-1'), 'Accepted')
  actor.clock.wall += 16 * 60_000
  t.equal(await statusOf(actor, 'RF-1'), 'Invalid', 'after a quarter of an hour it is a card like any other')
  await actor.put(ocpiCommandTokensTable, { ...card, version: 2, reserved_until: actor.clock.wall + hourMs })
  t.equal(await statusOf(actor, 'RF-1'), 'Accepted')
})

test('roaming - a full disk turns no driver away who is known, and lets in nobody who is not', async (t) => {
  const actor = await booted(() => 'ALLOWED')
  await actor.put(ocpiTokensTable, tokenRow(partner))
  await actor.put(ocpiTokensTable, tokenRow(partner, { uid: 'BAD', id_tag: 'BAD', whitelist: 'ALWAYS', valid: false }))
  await actor.put(ocpiTokensTable, tokenRow(partner, { uid: 'OFF', id_tag: 'OFF', whitelist: 'ALLOWED_OFFLINE' }))
  actor.refuseWrites(true)
  t.equal(await statusOf(actor, 'CARD1'), 'Accepted')
  t.equal(await statusOf(actor, 'BAD'), 'Blocked')
  t.equal(await statusOf(actor, 'OFF'), 'Accepted')
})

test('roaming - a charge point that asks without end has the rest answered by what is stored', async (t) => {
  let release: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const actor = await booted(() => 'BLOCKED')
  actor.whileAsked(() => held)
  await actor.put(ocpiTokensTable, tokenRow(partner, { whitelist: 'ALLOWED_OFFLINE' }))
  for (let at = 0; at < 16; at++) await actor.frame(1, [2, `q${at}`, 'Authorize', { idTag: 'CARD1' }])
  t.equal(await statusOf(actor, 'CARD1'), 'Accepted')
  t.equal(actor.asked.length, 16)
  release?.()
  for (let turns = 0; turns < 20; turns++) await actor.frame(1, [3, 'none', {}])
  t.equal(actor.said.filter((line) => line.includes('Blocked')).length, 16)
})
