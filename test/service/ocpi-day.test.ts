// A day of a roaming partner at the built service, once for each side that may begin the handshake: they register, the partner reads what there is, its
// driver charges with a card and with commands, it is told and billed, both exchange new credentials in the middle, and one of them leaves. The partner is
// the sandbox of `ampshard emsp`, which holds everything to the standard and recomputes every bill.

import { type Test, test } from 'tap'
import type { Emsp } from '../../bench/emsp/emsp.js'
import { invoiced, priceCdr } from '../../src/emsp/price-cdr.js'
import type { CommandType } from '../../src/ocpi/schemas/command.js'
import { sample } from '../runner/sample.js'
import { bootChargePoint, energyAt, secondsAgo, sessionsOf } from '../support/charge-point.js'
import { emspOf, priced, told } from '../support/emsp.js'
import { invitePartner, party } from '../support/ocpi-partner.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const flags = ['--allow-insecure-webhooks', 'true']
const id = 'OCPI-DAY-1'
const card = 'CARD-7'

async function sell(service: Service): Promise<void> {
  const components = [
    { type: 'flat', price: 0.5 },
    { type: 'energy', price: 0.49 },
    { type: 'idle', price: 6, grace_minutes: 0 },
  ]
  const tariff = { name: 'Street', currency: 'EUR', tax_percentage: 21, components }
  const { body } = await service.request('POST', '/api/v1/billing/tariffs', tariff)
  await service.request('PUT', `/api/v1/chargepoints/${id}/tariff`, { tariff_id: body.tariff_id })
}

const notify = (client: OcppClient, status: string, seconds = 0) =>
  client.call('StatusNotification', { connectorId: 1, status, errorCode: 'NoError', timestamp: secondsAgo(seconds) })

/** Charges for an hour, and then stands for a quarter of one. */
async function charge(client: OcppClient): Promise<number> {
  const start = { connectorId: 1, idTag: card, meterStart: 10_000, timestamp: secondsAgo(4_500) }
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  await notify(client, 'Charging', 4_500)
  const meterValue = [energyAt(secondsAgo(2_700), 15_000), energyAt(secondsAgo(900), 20_450)]
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  await notify(client, 'SuspendedEV', 900)
  return transactionId
}

/** The answer of the charge point to the call that follows from the command is its result. */
async function carriedOut(t: Test, emsp: Emsp, client: OcppClient, type: CommandType, fields: object) {
  const { result } = await emsp.command(type, fields)
  const call = await client.answerNext({ status: type === 'UNLOCK_CONNECTOR' ? 'Unlocked' : 'Accepted' })
  t.equal((await result).result, 'ACCEPTED', type)
  return call
}

const beginnings = {
  'the partner': (_: Service, emsp: Emsp, invited: Invited) => emsp.register(invited.versionsUrl, invited.token),
  'the operator': async (service: Service, emsp: Emsp, { id: partnerId }: Invited) => {
    const body = { versions_url: emsp.versionsUrl, token: emsp.registrationToken }
    const { status } = await service.request('POST', `/api/v1/ocpi/partners/${partnerId}/register`, body)
    if (status !== 200) throw new Error(`the operator was not registered: HTTP ${status}`)
  },
} as const
type Invited = Awaited<ReturnType<typeof invitePartner>>

for (const [who, begin] of sample('beginnings of the handshake', Object.entries(beginnings)))
  test(`ocpi day - ${who} begins the handshake, and the partner is shown, told and billed what the standard says`, async (t) => {
    const service = await startService(t, { flags })
    const emsp = await emspOf(t)
    const client = await bootChargePoint(service, id, {
      connector_count: 1,
      address: 'Oudegracht 1, 3511 AB Utrecht',
    })
    await notify(client, 'Available')
    await sell(service)
    await service.request('PUT', '/api/v1/ocpi/party', party)
    const invited = await invitePartner(service)
    await begin(service, emsp, invited)
    t.match(emsp.operator.party, { country_code: 'NL', party_id: 'AMP' })

    const location = await emsp.once(told('locations'))
    t.match(location, { id, city: 'Utrecht', evses: [{ status: 'AVAILABLE' }] })
    await emsp.once(told('tariffs', ({ currency }) => currency === 'EUR'))
    await emsp.pullAll()
    t.equal(emsp.known('locations').length, 1)

    await emsp.tellDriver(card)
    t.equal((await client.call('Authorize', { idTag: card })).payload.idTagInfo.status, 'Accepted')
    await emsp.tellDriver('BLOCKED-1', { whitelist: 'NEVER', allowed: 'BLOCKED' })
    t.equal((await client.call('Authorize', { idTag: 'BLOCKED-1' })).payload.idTagInfo.status, 'Blocked')
    await emsp.once((seen) => seen.type === 'authorized' && seen.allowed === 'BLOCKED' && seen.locationId === id)

    const transactionId = await charge(client)
    const session = await emsp.once(told('sessions'))
    t.match(session, { status: 'ACTIVE', cdr_token: { uid: card, party_id: 'EMP' }, auth_method: 'WHITELIST' })
    await emsp.once(told('locations', ({ evses }, { by }) => by === 'PATCH' && evses?.[0]?.status === 'CHARGING'))
    t.match(await emsp.pull('sessions'), [{ id: session.id, status: 'ACTIVE', kwh: 10.45 }])

    // It stands, which costs more by the second: each time that it does, it has changed.
    const costNow = async () => (await emsp.pull('sessions', { date_from: secondsAgo(2) }))[0]?.total_cost?.excl_vat
    const cost = await costNow()
    await until(async () => (await costNow()) !== cost)

    await emsp.replaceCredentials()
    const rotated = await service.request('POST', `/api/v1/ocpi/partners/${invited.id}/rotate-credentials`)
    t.equal(rotated.status, 200)
    await emsp.once((seen) => seen.type === 'renewed' && seen.by === 'operator')

    // The answer to the first is lost: the partner has the CDR, and the operator cannot know.
    emsp.misbehave('take-and-drop', ({ method, path }) => method === 'POST' && path.endsWith('/cdrs'))
    const stop = { transactionId, meterStop: 20_450, timestamp: secondsAgo(0), idTag: card }
    await client.call('StopTransaction', stop)
    await emsp.once(told('sessions', ({ status }) => status === 'COMPLETED'))
    const cdr = await emsp.once(told('cdrs'))
    emsp.misbehave(undefined)
    t.match(cdr, { session_id: session.id, total_energy: 10.45, cdr_location: { id, city: 'Utrecht' } })
    await emsp.once(told('cdrs', (_, { isRepeated }) => isRepeated))
    const { charged, computed } = await emsp.once(priced(cdr.id))
    t.same(computed, charged, 'what the partner computes is what it is charged')
    const [ended] = await sessionsOf(service, id)
    t.equal(invoiced(priceCdr(cdr, 'UTC'), 2).incl_vat, ended.cost, 'what the operator says that it costs')
    t.same(await emsp.pull('cdrs'), [cdr])
    t.same(await emsp.pull('cdrs', { date_from: new Date(Date.now() + 60_000).toISOString() }), [])
    t.match(await emsp.pull('sessions', { date_from: secondsAgo(60) }), [{ id: session.id, status: 'COMPLETED' }])

    await notify(client, 'Available')
    const outlet = { location_id: id, evse_uid: `${id}_1` }
    const { token } = emsp.drivers.set('APP-1', { type: 'APP_USER' })
    await carriedOut(t, emsp, client, 'UNLOCK_CONNECTOR', { ...outlet, connector_id: '1' })
    const reservation = { reservation_id: 'R-1', expiry_date: secondsAgo(-600), token, ...outlet }
    await carriedOut(t, emsp, client, 'RESERVE_NOW', reservation)
    const reserved = await emsp.once(told('sessions', ({ status }) => status === 'RESERVATION'))
    await carriedOut(t, emsp, client, 'CANCEL_RESERVATION', { reservation_id: 'R-1' })
    await emsp.once(told('sessions', (one) => one.id === reserved.id && one.status === 'INVALID'))
    const authorization_reference = emsp.drivers.reference()
    const started = await carriedOut(t, emsp, client, 'START_SESSION', { ...outlet, token, authorization_reference })
    const { idTag } = started[3] as { readonly idTag: string }
    const remote = { connectorId: 1, idTag, meterStart: 20_450, timestamp: secondsAgo(0) }
    const { payload } = await client.call('StartTransaction', remote)
    const second = await emsp.once(
      told('sessions', ({ auth_method, status }) => auth_method === 'COMMAND' && status === 'ACTIVE'),
    )
    t.match(second, { authorization_reference, cdr_token: { uid: 'APP-1' } })
    await carriedOut(t, emsp, client, 'STOP_SESSION', { session_id: second.id })
    await client.call('StopTransaction', {
      transactionId: payload.transactionId,
      meterStop: 20_950,
      timestamp: secondsAgo(0),
    })
    const { id: secondCdr } = await emsp.once(told('cdrs', ({ session_id }) => session_id === second.id))
    await emsp.once(priced(secondCdr))
    t.equal((await emsp.pull('cdrs')).length, 2)

    if (who === 'the partner') await emsp.leave()
    else await service.request('DELETE', `/api/v1/ocpi/partners/${invited.id}`)
    await emsp.once((seen) => seen.type === 'ended')
    await until(async () => {
      const { status, body } = await service.request('GET', `/api/v1/ocpi/partners/${invited.id}`)
      return status === 404 || body.status === 'ended'
    })
    const before = emsp.seen.length
    await notify(client, 'Faulted')
    const again = await client.call('Authorize', { idTag: card })
    t.equal(again.payload.idTagInfo.status, 'Accepted', 'by the rule for unknown tags')
    // A call that began before the end of the connection may still arrive, without the fault.
    const later = emsp.seen.slice(before).map((seen) => JSON.stringify(seen))
    t.same(
      later.filter((seen) => seen.includes('OUTOFORDER')),
      [],
      'no call has the fault',
    )
    t.same(emsp.faults, [])
  })
