// Objects of an operator that are what OCPI 2.2.1 says, for tests that spoil them.

const own = { country_code: 'NL', party_id: 'CPO' }
export const last_updated = '2026-03-01T12:00:00Z'

export const connector = {
  id: '1',
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  power_type: 'AC_3_PHASE',
  max_voltage: 230,
  max_amperage: 16,
  tariff_ids: ['T1'],
  last_updated,
}

export const evse = { uid: 'E1', evse_id: 'NL*CPO*E1', status: 'AVAILABLE', connectors: [connector], last_updated }

export const location = {
  ...own,
  id: 'L1',
  publish: true,
  address: 'Oudegracht 1',
  city: 'Utrecht',
  country: 'NLD',
  coordinates: { latitude: '52.09000', longitude: '5.12000' },
  evses: [evse],
  time_zone: 'Europe/Amsterdam',
  last_updated,
}

/** 0.50 for the session and 0.30 for each kWh; twice that from 18 o'clock on, as it is in Amsterdam. */
export const tariff = {
  ...own,
  id: 'T1',
  currency: 'EUR',
  elements: [
    {
      price_components: [{ type: 'ENERGY', price: 0.6, vat: 21, step_size: 1 }],
      restrictions: { start_time: '18:00', end_time: '00:00' },
    },
    {
      price_components: [
        { type: 'FLAT', price: 0.5, vat: 21, step_size: 1 },
        { type: 'ENERGY', price: 0.3, vat: 21, step_size: 1 },
      ],
    },
  ],
  last_updated,
}

export const cdr_token = {
  country_code: 'NL',
  party_id: 'EMP',
  uid: 'CARD-1',
  type: 'RFID',
  contract_id: 'NL-EMP-CARD-1',
}

const periods = [
  {
    start_date_time: '2026-03-01T16:30:00Z',
    dimensions: [
      { type: 'ENERGY', volume: 10 },
      { type: 'TIME', volume: 1 },
    ],
    tariff_id: 'T1',
  },
]

export const session = {
  ...own,
  id: 'S1',
  start_date_time: '2026-03-01T16:30:00Z',
  kwh: 4,
  cdr_token,
  auth_method: 'WHITELIST',
  location_id: 'L1',
  evse_uid: 'E1',
  connector_id: '1',
  currency: 'EUR',
  status: 'ACTIVE',
  last_updated: '2026-03-01T17:00:00Z',
}

export const ended = {
  ...session,
  status: 'COMPLETED',
  kwh: 10,
  end_date_time: '2026-03-01T17:30:00Z',
  last_updated: '2026-03-01T17:31:00Z',
}

/** From half past five to half past six in Amsterdam: 5 kWh at 0.30, 5 kWh at 0.60, and 0.50. */
export const cdr = {
  ...own,
  id: 'C1',
  start_date_time: '2026-03-01T16:30:00Z',
  end_date_time: '2026-03-01T17:30:00Z',
  session_id: 'S1',
  cdr_token,
  auth_method: 'WHITELIST',
  cdr_location: {
    id: 'L1',
    address: 'Oudegracht 1',
    city: 'Utrecht',
    country: 'NLD',
    coordinates: location.coordinates,
    evse_uid: 'E1',
    evse_id: 'NL*CPO*E1',
    connector_id: '1',
    connector_standard: 'IEC_62196_T2',
    connector_format: 'SOCKET',
    connector_power_type: 'AC_3_PHASE',
  },
  currency: 'EUR',
  tariffs: [tariff],
  charging_periods: periods,
  total_cost: { excl_vat: 5, incl_vat: 6.05 },
  total_fixed_cost: { excl_vat: 0.5, incl_vat: 0.605 },
  total_energy: 10,
  total_energy_cost: { excl_vat: 4.5, incl_vat: 5.445 },
  total_time: 1,
  last_updated: '2026-03-01T17:32:00Z',
}
