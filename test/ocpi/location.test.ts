import fc from 'fast-check'
import { test } from 'tap'
import { connectorIdOf, evseIdOf, evseUidOf, idTagOf, locationIdOf } from '../../src/ocpi/ids.js'
import { limits } from '../../src/ocpi/limits.js'
import { cityOfAddress } from '../../src/ocpi/location/city-of-address.js'
import { connectorDefaults } from '../../src/ocpi/location/connector-defaults.js'
import { evseStatus } from '../../src/ocpi/location/evse-status.js'
import { makeLocation } from '../../src/ocpi/location/make-location.js'
import { assumedOf, isWanted, missingOf } from '../../src/ocpi/location/missing.js'
import type { ChargePointFacts, PlaceFacts } from '../../src/ocpi/location/place-facts.js'
import { removeLocation, stampLocation } from '../../src/ocpi/location/stamp-location.js'
import { type Location, locationSchema } from '../../src/ocpi/schemas/location.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import { connectorStatuses } from '../../src/ocpp16/schemas/connector-status.js'
import type { ChargePoint } from '../../src/records/charge-point.js'
import type { ChargePointState } from '../../src/records/charge-point-state.js'
import type { OcpiPlace } from '../../src/records/ocpi-place.js'

const at = '2026-01-02T03:04:05.000Z'
const now = Date.parse(at)

function chargePoint(change: Partial<ChargePoint> = {}): ChargePoint {
  return {
    charge_point_id: 'CP-1',
    organization_id: 'org_1',
    version: 1,
    name: 'Bay 1',
    latitude: 52.37,
    longitude: 4.9,
    address: 'Station Street 1',
    connector_count: 2,
    max_power_kw: 22,
    created_at: at,
    updated_at: at,
    ...change,
  }
}

function stateOf(statuses: Readonly<Record<number, (typeof connectorStatuses)[number]>>): ChargePointState {
  return {
    charge_point_id: 'CP-1',
    organization_id: 'org_1',
    run: 1,
    connected: true,
    connected_at: at,
    registration: 'Accepted',
    power_watts: 0,
    connectors: Object.entries(statuses).map(([id, status]) => ({
      connector_id: Number(id),
      status,
      error_code: 'NoError',
      info: null,
      timestamp: at,
    })),
  }
}

function factsOf(change: Partial<ChargePointFacts> = {}): ChargePointFacts {
  return {
    chargePoint: chargePoint(),
    details: undefined,
    state: stateOf({ 0: 'Available', 1: 'Available', 2: 'Charging' }),
    offlineSince: undefined,
    featureProfiles: undefined,
    tariffIds: [],
    ...change,
  }
}

const details: OcpiPlace = {
  kind: 'charge_point',
  id: 'CP-1',
  organization_id: 'org_1',
  version: 1,
  publish: true,
  city: 'Amsterdam',
  updated_at: at,
}

function placeOf(change: Partial<PlaceFacts> = {}): PlaceFacts {
  return {
    organization: { organization_id: 'org_1', country: 'NL', time_zone: 'Europe/Amsterdam' },
    party: { country_code: 'NL', party_id: 'TNM', business_details: { name: 'Ampshard' } },
    site: undefined,
    details,
    chargePoints: [factsOf()],
    ...change,
  }
}

function made(facts: PlaceFacts, time = now) {
  const location = makeLocation(facts, time)?.location
  if (location === undefined) throw new Error('no location')
  return location
}

const stamped = (facts: PlaceFacts, before?: Location, time = now) => stampLocation(before, made(facts, time), time)

const idText = fc.stringMatching(/^[A-Za-z0-9-]{1,48}$/)

test('OCPI ids - are functions of ours, fit, and are never two of one', async (t) => {
  fc.assert(
    fc.property(
      idText,
      idText,
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 1_000 }),
      (one, other, a, b) => {
        const uids = [evseUidOf(one, a), evseUidOf(other, b)].map((uid) => uid.toLowerCase())
        const isOne = one.toLowerCase() === other.toLowerCase() && a === b
        return (
          uids.every((uid) => uid.length <= 36) &&
          locationIdOf(one).length <= 36 &&
          connectorIdOf(a).length <= 36 &&
          (uids[0] === uids[1]) === isOne &&
          (locationIdOf(one).toLowerCase() === locationIdOf(other).toLowerCase()) ===
            (one.toLowerCase() === other.toLowerCase())
        )
      },
    ),
  )
  t.equal(evseUidOf('CP-1', 2), 'CP-1_2')
  t.equal(locationIdOf('site_01JD3Z5W4Q8Y7V6T5S4R3P2N1M'), 'site_01JD3Z5W4Q8Y7V6T5S4R3P2N1M')
  const long = `${'A'.repeat(47)}1`
  t.match(evseUidOf(long, 12), /^A{16}_[0-9a-f]{16}_12$/)
})

test('OCPI ids - an EVSE id is one of eMI3, whatever the charge point is called', async (t) => {
  const party = { country_code: 'nl', party_id: 'tnm' }
  fc.assert(
    fc.property(idText, fc.integer({ min: 1, max: 1_000 }), (id, connector) =>
      /^[A-Z]{2}\*[A-Z0-9]{3}\*E[A-Z0-9][A-Z0-9*]{0,30}$/.test(evseIdOf(party, id, connector)),
    ),
  )
  t.equal(evseIdOf(party, 'CP-1', 2), 'NL*TNM*ECP*1*2')
})

test('OCPI ids - an id tag is the uid where it fits, and else one that fits', async (t) => {
  fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 36 }), (uid) => idTagOf(uid).length <= 20))
  t.equal(idTagOf('012345678'), '012345678')
  t.equal(idTagOf('a'.repeat(36)), idTagOf('A'.repeat(36)))
  t.not(idTagOf('a'.repeat(36)), idTagOf('a'.repeat(35)))
})

test('OCPI locations - what is made of any charge point may be sent as it is', async (t) => {
  const facts = fc.record({
    charge_point_id: idText,
    connector_count: fc.integer({ min: 1, max: 5 }),
    max_power_kw: fc.option(fc.double({ min: 0.001, max: 10_000, noNaN: true }), { nil: undefined }),
    phases: fc.constantFrom(undefined, 1 as const, 3 as const),
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    name: fc.string({ maxLength: 300, unit: 'binary' }),
    country: fc.constantFrom('NL', 'US', 'CN', 'JP', 'XK'),
    status: fc.constantFrom(...connectorStatuses),
  })
  fc.assert(
    fc.property(facts, ({ country, status, max_power_kw, phases, ...said }) => {
      const known = { ...said, ...(max_power_kw !== undefined && { max_power_kw }), ...(phases && { phases }) }
      const { max_power_kw: _, ...without } = chargePoint()
      const place = placeOf({
        details: { ...details, country },
        chargePoints: [factsOf({ chargePoint: { ...without, ...known }, state: stateOf({ 1: status }) })],
      })
      return faultsOfSent(locationSchema, stamped(place).location).length === 0
    }),
  )
  t.match(stamped(placeOf()).location, {
    country_code: 'NL',
    party_id: 'TNM',
    id: 'CP-1',
    publish: true,
    country: 'NLD',
    coordinates: { latitude: '52.370000', longitude: '4.900000' },
    time_zone: 'Europe/Amsterdam',
    evses: [
      { uid: 'CP-1_1', evse_id: 'NL*TNM*ECP*1*1', status: 'AVAILABLE', connectors: [{ id: '1' }] },
      { uid: 'CP-1_2', evse_id: 'NL*TNM*ECP*1*2', status: 'CHARGING', connectors: [{ id: '2' }] },
    ],
  })
})

test('OCPI locations - what nobody has said has defaults that go with power, phases and country', async (t) => {
  const of = (maxPowerKw: number | undefined, phases?: 1 | 3, country = 'NL') =>
    connectorDefaults({ maxPowerKw, phases, country })
  t.match(of(22), {
    standard: 'IEC_62196_T2',
    format: 'SOCKET',
    power_type: 'AC_3_PHASE',
    max_voltage: 230,
    max_amperage: 32,
  })
  t.match(of(11), { power_type: 'AC_3_PHASE', max_amperage: 16 })
  t.match(of(7.4), { power_type: 'AC_1_PHASE', max_amperage: 32 })
  t.match(of(22, 1), { power_type: 'AC_1_PHASE', max_amperage: 96 })
  t.match(of(43), { format: 'CABLE', power_type: 'AC_3_PHASE', max_amperage: 62 })
  t.same(of(undefined), {
    standard: 'IEC_62196_T2',
    format: 'SOCKET',
    power_type: 'AC_3_PHASE',
    max_voltage: 230,
    max_amperage: 32,
  })
  t.match(of(50), {
    standard: 'IEC_62196_T2_COMBO',
    format: 'CABLE',
    power_type: 'DC',
    max_voltage: 500,
    max_amperage: 125,
  })
  t.match(of(300), { power_type: 'DC', max_voltage: 920, max_amperage: 500, max_electric_power: 300_000 })
  t.match(of(7.2, undefined, 'US'), { standard: 'IEC_62196_T1', format: 'CABLE', max_voltage: 240, max_amperage: 30 })
  t.match(of(50, undefined, 'JP'), { standard: 'CHADEMO' })
})

test('OCPI locations - what their operator says of a connector takes the place of the default', async (t) => {
  const connectors = [{ connector_id: 2, standard: 'CHADEMO', format: 'CABLE', power_type: 'DC', evse_id: 'NL*TNM*E2' }]
  const [first, second] =
    stamped(placeOf({ chargePoints: [factsOf({ details: { ...details, connectors } })] })).location.evses ?? []
  t.match(first, { evse_id: 'NL*TNM*ECP*1*1', connectors: [{ standard: 'IEC_62196_T2' }] })
  t.match(second, { evse_id: 'NL*TNM*E2', connectors: [{ standard: 'CHADEMO', format: 'CABLE', max_amperage: 32 }] })
})

test('OCPI locations - RESERVABLE and CHARGING_PROFILE_CAPABLE are said of charge points that report the profile', async (t) => {
  const capabilitiesOf = (featureProfiles: string | undefined) =>
    stamped(placeOf({ chargePoints: [factsOf({ featureProfiles })] })).location.evses?.[0]?.capabilities
  t.same(capabilitiesOf(undefined), ['REMOTE_START_STOP_CAPABLE', 'RFID_READER', 'UNLOCK_CAPABLE'])
  t.ok(capabilitiesOf('Core, Reservation')?.includes('RESERVABLE'))
  t.ok(capabilitiesOf('Core,SmartCharging')?.includes('CHARGING_PROFILE_CAPABLE'))
  t.notOk(capabilitiesOf('Core, Reservation')?.includes('CHARGING_PROFILE_CAPABLE'))
  t.notOk(capabilitiesOf(undefined)?.includes('CHARGING_PROFILE_CAPABLE'))
})

const told = {
  connector: 'Available',
  controller: 'Available',
  isBlocked: false,
  offlineSince: undefined,
  hasConnected: true,
} as const

test('OCPI locations - the status of an EVSE follows that of the connector', async (t) => {
  const expected = {
    Available: 'AVAILABLE',
    Preparing: 'CHARGING',
    Charging: 'CHARGING',
    SuspendedEV: 'CHARGING',
    SuspendedEVSE: 'CHARGING',
    Finishing: 'CHARGING',
    Reserved: 'RESERVED',
    Unavailable: 'INOPERATIVE',
    Faulted: 'OUTOFORDER',
  }
  for (const connector of connectorStatuses)
    t.equal(evseStatus({ ...told, connector }, now), expected[connector], connector)
  t.equal(evseStatus({ ...told, connector: undefined }, now), 'UNKNOWN')
})

test('OCPI locations - a charge point that is away counts as it was for two minutes, and is UNKNOWN then', async (t) => {
  const offlineSince = now - limits.ocpiOfflineGraceMs
  t.equal(evseStatus({ ...told, offlineSince: offlineSince + 1 }, now), 'AVAILABLE')
  t.equal(evseStatus({ ...told, offlineSince }, now), 'UNKNOWN')
  t.equal(limits.ocpiOfflineGraceMs, 120_000)
  t.equal(evseStatus({ ...told, hasConnected: false, connector: undefined, offlineSince: 0 }, now), 'PLANNED')
})

test('OCPI locations - a charge point that is out of order takes its connectors along, but not a charge that goes on', async (t) => {
  t.equal(evseStatus({ ...told, controller: 'Faulted' }, now), 'OUTOFORDER')
  t.equal(evseStatus({ ...told, controller: 'Unavailable' }, now), 'INOPERATIVE')
  t.equal(evseStatus({ ...told, controller: 'Unavailable', connector: 'Charging' }, now), 'CHARGING')
  t.equal(evseStatus({ ...told, isBlocked: true }, now), 'INOPERATIVE')
})

test('OCPI locations - what has changed bumps what it is a part of, and nothing else', async (t) => {
  const before = stamped(placeOf()).location
  const later = now + 60_000
  t.same(stamped(placeOf(), before, later), { location: before, changes: [] })

  const changed = placeOf({
    chargePoints: [factsOf({ state: stateOf({ 0: 'Available', 1: 'Charging', 2: 'Charging' }) })],
  })
  const after = stamped(changed, before, later)
  t.same(after.changes, [{ type: 'evse-status', evseUid: 'CP-1_1' }])
  const [first, second] = after.location.evses ?? []
  const time = new Date(later).toISOString()
  t.equal(after.location.last_updated, time)
  t.match(first, { status: 'CHARGING', last_updated: time, connectors: [{ last_updated: at }] })
  t.equal(second?.last_updated, at)

  const priced = stamped(placeOf({ chargePoints: [factsOf({ tariffIds: ['trf_1'] })] }), before, later)
  t.same(
    priced.changes.map(({ type }) => type),
    ['evse', 'evse'],
  )
  t.match(priced.location.evses?.[0], {
    last_updated: time,
    connectors: [{ tariff_ids: ['trf_1'], last_updated: time }],
  })

  const moved = stamped(placeOf({ details: { ...details, city: 'Utrecht' } }), before, later)
  t.same(moved.changes, [{ type: 'location' }])
  t.equal(moved.location.evses?.[0]?.last_updated, at)
})

test('OCPI locations - times only grow, also where the clock was set back', async (t) => {
  const before = stamped(placeOf()).location
  const after = stamped(placeOf({ details: { ...details, city: 'Utrecht' } }), before, now - 3_600_000).location
  t.equal(Date.parse(after.last_updated), now + 1)
})

test('OCPI locations - an EVSE that is gone is REMOVED, and no more to be seen after a while', async (t) => {
  const before = stamped(placeOf()).location
  const fewer = placeOf({
    chargePoints: [factsOf({ chargePoint: chargePoint({ connector_count: 1 }), state: stateOf({ 1: 'Available' }) })],
  })
  const after = stamped(fewer, before, now + 1_000)
  t.same(after.changes, [{ type: 'evse-status', evseUid: 'CP-1_2' }])
  t.match(after.location.evses, [{ uid: 'CP-1_1' }, { uid: 'CP-1_2', status: 'REMOVED' }])
  t.same(faultsOfSent(locationSchema, after.location), [])
  const later = stamped(fewer, after.location, now + 2_000 + limits.ocpiRemovedKeptMs)
  t.same(
    later.location.evses?.map(({ uid }) => uid),
    ['CP-1_1'],
  )
})

test('OCPI locations - one that is taken back is published no more, and its EVSEs are REMOVED; it may come back', async (t) => {
  const before = stamped(placeOf()).location
  const gone = removeLocation(before, now + 1_000)
  t.match(gone.location, { publish: false, evses: [{ status: 'REMOVED' }, { status: 'REMOVED' }] })
  t.same(gone.changes, [{ type: 'location' }])
  t.same(faultsOfSent(locationSchema, gone.location), [])
  const back = stamped(placeOf(), gone.location, now + 2_000)
  t.match(back.location, { publish: true, evses: [{ status: 'AVAILABLE' }, { status: 'CHARGING' }] })
})

test('OCPI locations - what is missing is said in sentences, and nothing is missing of one that is whole', async (t) => {
  t.same(missingOf(placeOf()), [])
  t.ok(isWanted(placeOf()))
  const { city: _, ...nowhere } = details
  const bare = placeOf({
    organization: { organization_id: 'org_1', country: 'ZZ' },
    details: nowhere,
    chargePoints: [factsOf({ chargePoint: chargePoint({ address: ' ', latitude: 0, longitude: 0 }) })],
  })
  t.same(
    missingOf(bare).map(({ field }) => field),
    ['address', 'latitude'],
  )
  t.ok(missingOf(bare).every(({ message }) => message.endsWith('.')))
  const { connector_count: __, ...unknown } = chargePoint()
  const silent = factsOf({ chargePoint: unknown, state: undefined })
  t.same(
    missingOf(placeOf({ chargePoints: [silent] })).map(({ field }) => field),
    ['connector_count'],
  )
  t.ok(isWanted(placeOf({ details: undefined })))
  const { party } = placeOf()
  t.notOk(isWanted(placeOf({ details: undefined, party: { ...party, publish_by_default: false } })))
  t.same(assumedOf(placeOf()), [])
  t.same(
    assumedOf(bare).map(({ field }) => field),
    ['city', 'country'],
  )
})

const addresses: Readonly<Record<string, string | undefined>> = {
  'Marktplatz 1, 10117 Berlin': 'Berlin',
  'Marktplatz 1, D-10117 Berlin': 'Berlin',
  'Oudegracht 1, 3511 ED Utrecht': 'Utrecht',
  'Oudegracht 1,  Utrecht': 'Utrecht',
  '1 High Street, London SW1A 1AA': 'London',
  '1 Main Street, Springfield, IL 62701': undefined,
  "12 rue de la Gare, 's-Hertogenbosch": "'s-Hertogenbosch",
  'Example street 1': undefined,
  'Example street, 12': undefined,
  '': undefined,
}

test('OCPI locations - a city that stands in an address is found, and no other is made up', async (t) => {
  for (const [address, city] of Object.entries(addresses)) t.equal(cityOfAddress(address), city, address)
})
