// Sessions and CDRs as partners see them: their shapes, what happened when, and what becomes of a CDR that was wrong.

import { test } from 'tap'
import { invoiced, priceCdr, rounded } from '../../src/emsp/price-cdr.js'
import { type Cdr, cdrLocationSchema, cdrSchema } from '../../src/ocpi/schemas/cdr.js'
import type { Connector, Evse, Location } from '../../src/ocpi/schemas/location.js'
import { sessionSchema } from '../../src/ocpi/schemas/session.js'
import { billsTheSame, cdrIdOf, cdrLocationOf, creditOf, makeCdr } from '../../src/ocpi/session/make-cdr.js'
import { makeSession } from '../../src/ocpi/session/make-session.js'
import { faultsOfSent, readObject } from '../../src/ocpi/validators.js'
import type { SessionStatusChange } from '../../src/records/session.js'
import { component, minute, rule, snapshot, start } from '../pricing/examples.js'
import { cdrMadeAt, cdrOf, endedSession, place, roaming, token, tryCdr } from './roaming.js'
import { samples } from './samples.js'

const tariff = snapshot([component('flat', 0.5), component('energy', 0.25), component('idle', 2, 900)], 20)
const at = (minutes: number): string => new Date(start + minutes * minute).toISOString()

test('CDR - has the fields of the interface and those of the standard, side by side', (t) => {
  const cdr = cdrOf(endedSession(20, 60, 40), tariff)
  t.match(cdr, {
    country_code: 'NL',
    party_id: 'EXA',
    id: 'ses_01JD3Z5W4Q8Y7V6T5S4R3P2N1M',
    session_id: 'ses_01JD3Z5W4Q8Y7V6T5S4R3P2N1M',
    start_date_time: at(0),
    end_date_time: at(100),
    cdr_token: token,
    auth_method: 'WHITELIST',
    location_id: 'LOC1',
    evse_uid: 'CP-1_1',
    connector_id: '1',
    cdr_location: place,
    currency: 'EUR',
    total_energy: 20,
    total_time: 1.6666,
    total_parking_time: 0.6666,
    total_cost: { excl_vat: 7, incl_vat: 8.4 },
    total_fixed_cost: { excl_vat: 0.5, incl_vat: 0.6 },
    total_energy_cost: { excl_vat: 5, incl_vat: 6 },
    total_parking_cost: { excl_vat: 1.5, incl_vat: 1.8 },
    last_updated: new Date(cdrMadeAt).toISOString(),
  })
  t.same(faultsOfSent(cdrSchema, cdr), [])
  t.end()
})

test('CDR - its tariff is that of the start of the session, and its periods name it', (t) => {
  const { tariffs, charging_periods } = cdrOf(endedSession(20, 60, 40), tariff)
  t.match(tariffs, [{ id: 'trf_1', last_updated: at(0), elements: [{ price_components: { length: 3 } }] }])
  t.same(charging_periods, [
    {
      start_date_time: at(0),
      dimensions: [
        { type: 'ENERGY', volume: 20 },
        { type: 'TIME', volume: 1 },
      ],
      tariff_id: 'trf_1',
    },
    { start_date_time: at(60), dimensions: [{ type: 'PARKING_TIME', volume: 0.6666 }], tariff_id: 'trf_1' },
  ])
  t.end()
})

test('CDR - energy is spread over its periods by the meter values, and idle time takes none', (t) => {
  const statuses: SessionStatusChange[] = [
    { at: start, status: 'Charging' },
    { at: start + 30 * minute, status: 'SuspendedEV' },
    { at: start + 40 * minute, status: 'Charging' },
    { at: start + 50 * minute, status: 'SuspendedEVSE' },
    { at: start + 60 * minute, status: 'Finishing' },
  ]
  const session = endedSession(12, 60, 60, { statuses })
  const reading = (minutes: number, energy_wh: number) => ({
    owner: session.session_id,
    at: start + minutes * minute,
    context: '',
    samples: [],
    energy_wh,
  })
  // 20 minutes of charging lie between the second and the third.
  const meterValues = [reading(20, 7_000), reading(50, 11_000), reading(55, 11_000)]
  const { charging_periods } = cdrOf(session, tariff, { material: { meterValues } })
  t.same(
    charging_periods.map(({ start_date_time, dimensions }) => [
      start_date_time,
      ...dimensions.map(({ type, volume }) => `${type} ${volume}`),
    ]),
    [
      [at(0), 'ENERGY 8', 'TIME 0.5'],
      [at(30), 'PARKING_TIME 0.1666'],
      [at(40), 'ENERGY 4', 'TIME 0.3333'],
      [at(60), 'PARKING_TIME 1'],
    ],
  )
  t.end()
})

test('CDR - where idle time is billed as time, a step that has begun by charging is charging time', (t) => {
  const cdr = cdrOf(endedSession(5, 50, 70), snapshot([component('time', 6, 3_600)], 20))
  t.match(
    cdr.charging_periods.map(({ start_date_time }) => start_date_time),
    [at(0), at(60)],
  )
  t.match(cdr, { total_time: 2, total_parking_time: 1, total_cost: { excl_vat: 12, incl_vat: 14.4 } })
  t.match(cdr, { total_time_cost: { excl_vat: 6 }, total_parking_cost: { excl_vat: 6 } })
  t.same(rounded(priceCdr(cdr, 'UTC').total), cdr.total_cost)
  const short = cdrOf(endedSession(5, 50, 5), snapshot([component('time', 6, 3_600)], 20))
  t.match(short.charging_periods, { length: 1 })
  t.equal(short.total_parking_time, undefined)
  t.same(rounded(priceCdr(short, 'UTC').total), { excl_vat: 6, incl_vat: 7.2 })
  t.end()
})

test('CDR - idle time of statuses that were too many to keep is in it as one stretch', (t) => {
  const session = endedSession(5, 0, 0, {
    ended_at: at(120),
    statuses: [{ at: start + 90 * minute, status: 'SuspendedEV' }],
    earlier_statuses: {
      until: start + 60 * minute,
      status: 'Charging',
      has_charged: true,
      charging_ms: 45 * minute,
      suspended_ev_ms: 0,
      suspended_evse_ms: 0,
      idle_ms: 15 * minute,
    },
  })
  const cdr = cdrOf(session, tariff)
  t.same(
    cdr.charging_periods.map(({ start_date_time }) => start_date_time),
    [at(0), at(45), at(60), at(90)],
  )
  t.same(rounded(priceCdr(cdr, 'UTC').total), cdr.total_cost)
  t.end()
})

test('CDR - of a session without a tariff costs nothing, in the currency of the organization', (t) => {
  const { tariff_id: _, currency: __, ...session } = endedSession(20)
  const cdr = cdrOf(session)
  t.match(cdr, { currency: 'EUR', total_cost: { excl_vat: 0, incl_vat: 0 }, total_energy: 20 })
  t.equal(cdr.tariffs, undefined)
  t.equal(cdr.charging_periods[0]?.tariff_id, undefined)
  t.same(faultsOfSent(cdrSchema, cdr), [])
  t.end()
})

test('CDR - of a session whose tariff OCPI cannot express has its costs, no tariff, and a remark that says why', (t) => {
  const grace = snapshot([component('energy', 0.25), component('idle', 6, 1, 30)], 20)
  const cdr = cdrOf(endedSession(20, 60, 40), grace)
  t.match(cdr, {
    total_cost: { excl_vat: 6, incl_vat: 7.2 },
    total_parking_cost: { excl_vat: 1 },
    remark: /leaves 30 minutes free/,
  })
  t.equal(cdr.tariffs, undefined)
  t.same(faultsOfSent(cdrSchema, cdr), [])
  t.end()
})

test('CDR - a price that a billing rule or a dispute has changed is the minimum and maximum price of its tariff', (t) => {
  const rules = [
    rule({
      actions: [{ type: 'discount_percent', value: 10 }],
      conditions: [{ field: 'energy_kwh', operator: 'gt', value: 5 }],
    }),
  ]
  const discounted = cdrOf(endedSession(20), tariff, { rules })
  const charged = { excl_vat: 4.95, incl_vat: 5.94 }
  t.match(discounted, { total_cost: charged, tariffs: [{ min_price: charged, max_price: charged }] })
  t.same(rounded(priceCdr(discounted, 'UTC').total), charged)
  const agreed = cdrOf(endedSession(20), tariff, { agreed: { dispute_id: 'dsp_1', total: 3 } })
  t.same(agreed.total_cost, { excl_vat: 2.5, incl_vat: 3 })
  t.same(rounded(priceCdr(agreed, 'UTC').total), { excl_vat: 2.5, incl_vat: 3 })
  t.end()
})

test('CDR - an agreed total that only takes the tax off is met to the cent', (t) => {
  const cdr = cdrOf(endedSession(4), snapshot([component('energy', 0.25)], 0.5), {
    agreed: { dispute_id: 'dsp_1', total: 1 },
  })
  t.same(cdr.total_cost, { excl_vat: 1, incl_vat: 1 })
  t.same(invoiced(priceCdr(cdr, 'UTC'), 2), { excl_vat: 1, incl_vat: 1 })
  t.end()
})

test('CDR - none of a session that runs, was not authorized or could not be priced, and the reason is given', (t) => {
  const { ended_at: _, ...running } = endedSession(20)
  t.match(tryCdr({ ...running, status: 'active' }, tariff), { ok: false, reason: 'The session has not ended.' })
  t.match(tryCdr(endedSession(20, 60, 0, { authorization: 'Blocked' }), tariff), {
    ok: false,
    reason: 'The session was not authorized.',
  })
  t.match(tryCdr(endedSession(20)), { ok: false, reason: 'The session could not be priced.' })
  const { tariff_id: __, ...unusable } = endedSession(20, 60, 0, { flags: ['tariff_unusable'] })
  t.match(tryCdr(unusable), { ok: false, reason: 'The session could not be priced.' })
  t.end()
})

test('CDR - of a session that was closed by estimate says so', (t) => {
  t.match(cdrOf(endedSession(20, 60, 0, { status: 'estimated' }), tariff), {
    remark: 'The end of the session was estimated.',
  })
  t.end()
})

test('CDR - a correction is a credit of the CDR before, with all its data, and a CDR with an id of its own', (t) => {
  const before = cdrOf(endedSession(20), tariff)
  const credit = creditOf(before, cdrMadeAt + 1)
  t.same(credit, {
    ...before,
    id: `${before.id}-C`,
    credit: true,
    credit_reference_id: before.id,
    total_cost: { excl_vat: -5.5, incl_vat: -6.6 },
    last_updated: new Date(cdrMadeAt + 1).toISOString(),
  })
  t.same(faultsOfSent(cdrSchema, credit), [])
  const made = makeCdr(roaming(endedSession(18), tariff), place, 2, cdrMadeAt + 1)
  t.match(made, { ok: true, cdr: { id: `${before.id}-2`, session_id: before.session_id, total_cost: { excl_vat: 5 } } })
  t.notOk(billsTheSame(before, (made as { cdr: Cdr }).cdr))
  t.ok(billsTheSame(before, { ...before, id: 'other', last_updated: at(0) }))
  t.ok(creditOf({ ...before, id: cdrIdOf(before.session_id as string, 99) }, 0).id.length <= 36)
  t.same(creditOf({ ...before, total_cost: { excl_vat: 0 } }, 0).total_cost, { excl_vat: 0 })
  t.end()
})

test('CDR - where it was: address and state as long as a CDR has them', (t) => {
  const location = { ...(samples.location as Location), address: 'x'.repeat(80), state: 'y'.repeat(45) }
  const evse = samples.evse as Evse
  const made = cdrLocationOf(location, evse, samples.connector as Connector)
  t.match(made, {
    id: 'LOC1',
    address: 'x'.repeat(45),
    state: 'y'.repeat(20),
    evse_id: evse.evse_id,
    connector_id: '1',
  })
  t.same(faultsOfSent(cdrLocationSchema, made), [])
  const { evse_id: _, ...unnamed } = evse
  t.equal(cdrLocationOf(location, unnamed, samples.connector as Connector), undefined)
  t.end()
})

test('session - running: what it has taken and costs so far', (t) => {
  const { ended_at: _, energy_wh: __, meter_stop: ___, ...row } = endedSession(0, 60, 40)
  const running = roaming({ ...row, status: 'active' }, tariff, {
    material: { asOf: start + 90 * minute, energyWh: 7_654.32 },
  })
  const made = makeSession(running, start + 90 * minute)
  t.match(made, {
    id: row.session_id,
    status: 'ACTIVE',
    kwh: 7.6544,
    start_date_time: at(0),
    total_cost: { excl_vat: 3.4138, incl_vat: 4.0965 },
    charging_periods: [{ start_date_time: at(0) }, { start_date_time: at(60) }],
    location_id: 'LOC1',
    evse_uid: 'CP-1_1',
    connector_id: '1',
    last_updated: at(90),
  })
  t.equal(made.end_date_time, undefined)
  t.same(faultsOfSent(sessionSchema, made), [])
  t.end()
})

test('session - ended: the same as its CDR, and in the shape that partners read', (t) => {
  const given = roaming(endedSession(20, 60, 40), tariff)
  const made = makeSession({ ...given, authorizationReference: 'ref-1' }, start)
  const cdr = cdrOf(endedSession(20, 60, 40), tariff)
  t.match(made, {
    status: 'COMPLETED',
    kwh: cdr.total_energy,
    end_date_time: cdr.end_date_time,
    total_cost: cdr.total_cost,
    charging_periods: cdr.charging_periods,
    authorization_reference: 'ref-1',
  })
  t.match(readObject(sessionSchema, made), { ok: true })
  t.end()
})

test('session - one that its charge point was told not to begin is invalid', (t) => {
  const refused = endedSession(20, 60, 0, { authorization: 'ConcurrentTx' })
  t.match(makeSession(roaming(refused, tariff), start), { status: 'INVALID' })
  t.end()
})
