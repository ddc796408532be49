// OCPI 2.2.1 as a partner reads it who knows nothing but the standard: its objects, written down a second time and apart from src/ocpi/schemas/.
// `1` is required, `?` optional, `*` a list that may be left out, `+` a list with something in it. What the standard does not name is ignored.

const date = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d+)?Z?$/

const isText = (value: unknown, maximum: number): value is string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not printable is looked for
  typeof value === 'string' && value.length <= maximum && !/[\u0000-\u001f\u007f]/.test(value)

/** Text in UTF-8 by its length, with `ci:` before it in ASCII and not empty; or one of some words; or a word of its own. */
const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  bool: (value) => typeof value === 'boolean',
  int: (value) => Number.isSafeInteger(value),
  /** Four decimals. */
  number: (value) => typeof value === 'number' && /^-?\d+(\.\d{1,4})?$/.test(String(value)),
  date: (value) => isText(value, 25) && date.test(value) && !Number.isNaN(Date.parse(value)),
  url: (value) => isText(value, 255) && URL.canParse(value),
  time: (value) => isText(value, 5) && /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
  day: (value) => isText(value, 10) && /^\d{4}-[01]\d-[0-3]\d$/.test(value),
  latitude: (value) => isText(value, 10) && /^-?\d{1,2}\.\d{5,7}$/.test(value),
  longitude: (value) => isText(value, 11) && /^-?\d{1,3}\.\d{5,7}$/.test(value),
  country2: (value) => isText(value, 2) && /^[A-Z]{2}$/i.test(value),
  country3: (value) => isText(value, 3) && /^[A-Z]{3}$/.test(value),
  currency: (value) => isText(value, 3) && /^[A-Z]{3}$/.test(value),
  evseId: (value) => isText(value, 48) && /^[A-Z]{2}\*?[A-Z0-9]{3}\*?E[A-Z0-9*]+$/i.test(value),
}

const tokenTypes = 'AD_HOC_USER|APP_USER|OTHER|RFID'
const authMethods = 'AUTH_REQUEST|COMMAND|WHITELIST'
const connector = {
  standard:
    '1 CHADEMO|CHAOJI|DOMESTIC_[A-O]|GBT_AC|GBT_DC|IEC_60309_2_(single_16|three_16|three_32|three_64)|IEC_62196_(T1|T1_COMBO|T2|T2_COMBO|T3A|T3C)|NEMA_(5_20|6_30|6_50|10_30|10_50|14_30|14_50)|PANTOGRAPH_BOTTOM_UP|PANTOGRAPH_TOP_DOWN|TESLA_R|TESLA_S',
  format: '1 SOCKET|CABLE',
  power_type: '1 AC_1_PHASE|AC_2_PHASE|AC_2_PHASE_SPLIT|AC_3_PHASE|DC',
}
const profile = 'CHEAP|FAST|GREEN|REGULAR'
const evseStatus = 'AVAILABLE|BLOCKED|CHARGING|INOPERATIVE|OUTOFORDER|PLANNED|REMOVED|RESERVED|UNKNOWN'
const party = { country_code: '1 country2', party_id: '1 ci:3' }
const where = { latitude: '1 latitude', longitude: '1 longitude' }

const shapes = {
  Version: { version: '1 10', url: '1 url' },
  VersionDetails: { version: '1 10', endpoints: '+ Endpoint' },
  Endpoint: {
    identifier: '1 cdrs|chargingprofiles|commands|credentials|hubclientinfo|locations|sessions|tariffs|tokens',
    role: '1 SENDER|RECEIVER',
    url: '1 url',
  },
  Credentials: { token: '1 64', url: '1 url', roles: '+ CredentialsRole' },
  CredentialsRole: {
    role: '1 CPO|EMSP|HUB|NAP|NSP|OTHER|SCSP',
    business_details: '1 BusinessDetails',
    party_id: '1 ci:3',
    country_code: '1 country2',
  },
  BusinessDetails: { name: '1 100', website: '? url', logo: '? Image' },
  Image: {
    url: '1 url',
    thumbnail: '? url',
    category: '1 CHARGER|ENTRANCE|LOCATION|NETWORK|OPERATOR|OTHER|OWNER',
    type: '1 ci:4',
    width: '? int',
    height: '? int',
  },
  DisplayText: { language: '1 2', text: '1 512' },
  Price: { excl_vat: '1 number', incl_vat: '? number' },
  Location: {
    ...party,
    id: '1 ci:36',
    publish: '1 bool',
    name: '? 255',
    address: '1 255',
    city: '1 45',
    postal_code: '? 10',
    state: '? 45',
    country: '1 country3',
    coordinates: '1 GeoLocation',
    related_locations: '* GeoLocation',
    parking_type: '? ALONG_MOTORWAY|PARKING_GARAGE|PARKING_LOT|ON_DRIVEWAY|ON_STREET|UNDERGROUND_GARAGE',
    evses: '* Evse',
    directions: '* DisplayText',
    operator: '? BusinessDetails',
    suboperator: '? BusinessDetails',
    owner: '? BusinessDetails',
    facilities: '* 50',
    time_zone: '1 255',
    opening_times: '? Hours',
    charging_when_closed: '? bool',
    images: '* Image',
    energy_mix: '? EnergyMix',
    last_updated: '1 date',
  },
  GeoLocation: where,
  Hours: { twentyfourseven: '1 bool', regular_hours: '* RegularHours' },
  RegularHours: { weekday: '1 int', period_begin: '1 time', period_end: '1 time' },
  EnergyMix: { is_green_energy: '1 bool' },
  Evse: {
    uid: '1 ci:36',
    evse_id: '? evseId',
    status: `1 ${evseStatus}`,
    status_schedule: '* StatusSchedule',
    capabilities:
      '* CHARGING_PROFILE_CAPABLE|CHARGING_PREFERENCES_CAPABLE|CHIP_CARD_SUPPORT|CONTACTLESS_CARD_SUPPORT|CREDIT_CARD_PAYABLE|DEBIT_CARD_PAYABLE|PED_TERMINAL|REMOTE_START_STOP_CAPABLE|RESERVABLE|RFID_READER|START_SESSION_CONNECTOR_REQUIRED|TOKEN_GROUP_CAPABLE|UNLOCK_CAPABLE',
    connectors: '+ Connector',
    floor_level: '? 4',
    coordinates: '? GeoLocation',
    physical_reference: '? 16',
    directions: '* DisplayText',
    parking_restrictions: '* EV_ONLY|PLUGGED|DISABLED|CUSTOMERS|MOTORCYCLES',
    images: '* Image',
    last_updated: '1 date',
  },
  StatusSchedule: { period_begin: '1 date', period_end: '? date', status: `1 ${evseStatus}` },
  EvseStatusPatch: { status: `1 ${evseStatus}`, last_updated: '1 date' },
  Connector: {
    id: '1 ci:36',
    ...connector,
    max_voltage: '1 int',
    max_amperage: '1 int',
    max_electric_power: '? int',
    tariff_ids: '* ci:36',
    terms_and_conditions: '? url',
    last_updated: '1 date',
  },
  Session: {
    ...party,
    id: '1 ci:36',
    start_date_time: '1 date',
    end_date_time: '? date',
    kwh: '1 number',
    cdr_token: '1 CdrToken',
    auth_method: `1 ${authMethods}`,
    authorization_reference: '? ci:36',
    location_id: '1 ci:36',
    evse_uid: '1 ci:36',
    connector_id: '1 ci:36',
    meter_id: '? 255',
    currency: '1 currency',
    charging_periods: '* ChargingPeriod',
    total_cost: '? Price',
    status: '1 ACTIVE|COMPLETED|INVALID|PENDING|RESERVATION',
    last_updated: '1 date',
  },
  SessionPatch: {
    kwh: '? number',
    charging_periods: '* ChargingPeriod',
    total_cost: '? Price',
    status: '? ACTIVE|COMPLETED|INVALID|PENDING|RESERVATION',
    end_date_time: '? date',
    last_updated: '1 date',
  },
  CdrToken: { ...party, uid: '1 ci:36', type: `1 ${tokenTypes}`, contract_id: '1 ci:36' },
  ChargingPeriod: { start_date_time: '1 date', dimensions: '+ CdrDimension', tariff_id: '? ci:36' },
  CdrDimension: {
    type: '1 CURRENT|ENERGY|ENERGY_EXPORT|ENERGY_IMPORT|MAX_CURRENT|MIN_CURRENT|MAX_POWER|MIN_POWER|PARKING_TIME|POWER|RESERVATION_TIME|STATE_OF_CHARGE|TIME',
    volume: '1 number',
  },
  Cdr: {
    ...party,
    id: '1 ci:39',
    start_date_time: '1 date',
    end_date_time: '1 date',
    session_id: '? ci:36',
    cdr_token: '1 CdrToken',
    auth_method: `1 ${authMethods}`,
    authorization_reference: '? ci:36',
    cdr_location: '1 CdrLocation',
    meter_id: '? 255',
    currency: '1 currency',
    tariffs: '* Tariff',
    charging_periods: '+ ChargingPeriod',
    total_cost: '1 Price',
    total_fixed_cost: '? Price',
    total_energy: '1 number',
    total_energy_cost: '? Price',
    total_time: '1 number',
    total_time_cost: '? Price',
    total_parking_time: '? number',
    total_parking_cost: '? Price',
    total_reservation_cost: '? Price',
    remark: '? 255',
    invoice_reference_id: '? ci:39',
    credit: '? bool',
    credit_reference_id: '? ci:39',
    last_updated: '1 date',
  },
  CdrLocation: {
    id: '1 ci:36',
    name: '? 255',
    address: '1 45',
    city: '1 45',
    postal_code: '? 10',
    state: '? 20',
    country: '1 country3',
    coordinates: '1 GeoLocation',
    evse_uid: '1 ci:36',
    evse_id: '1 evseId',
    connector_id: '1 ci:36',
    connector_standard: connector.standard,
    connector_format: connector.format,
    connector_power_type: connector.power_type,
  },
  Tariff: {
    ...party,
    id: '1 ci:36',
    currency: '1 currency',
    type: '? AD_HOC_PAYMENT|PROFILE_CHEAP|PROFILE_FAST|PROFILE_GREEN|REGULAR',
    tariff_alt_text: '* DisplayText',
    tariff_alt_url: '? url',
    min_price: '? Price',
    max_price: '? Price',
    elements: '+ TariffElement',
    start_date_time: '? date',
    end_date_time: '? date',
    last_updated: '1 date',
  },
  TariffElement: { price_components: '+ PriceComponent', restrictions: '? TariffRestrictions' },
  PriceComponent: { type: '1 ENERGY|FLAT|PARKING_TIME|TIME', price: '1 number', vat: '? number', step_size: '1 int' },
  TariffRestrictions: {
    start_time: '? time',
    end_time: '? time',
    start_date: '? day',
    end_date: '? day',
    min_kwh: '? number',
    max_kwh: '? number',
    min_duration: '? int',
    max_duration: '? int',
    day_of_week: '* MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY',
    reservation: '? RESERVATION|RESERVATION_EXPIRES',
  },
  Token: {
    ...party,
    uid: '1 ci:36',
    type: `1 ${tokenTypes}`,
    contract_id: '1 ci:36',
    visual_number: '? 64',
    issuer: '1 64',
    group_id: '? ci:36',
    valid: '1 bool',
    whitelist: '1 ALWAYS|ALLOWED|ALLOWED_OFFLINE|NEVER',
    language: '? 2',
    default_profile_type: `? ${profile}`,
    last_updated: '1 date',
  },
  LocationReferences: { location_id: '1 ci:36', evse_uids: '* ci:36' },
  AuthorizationInfo: {
    allowed: '1 ALLOWED|BLOCKED|EXPIRED|NO_CREDIT|NOT_ALLOWED',
    token: '1 Token',
    location: '? LocationReferences',
    authorization_reference: '? ci:36',
    info: '? DisplayText',
  },
  CommandResponse: {
    result: '1 NOT_SUPPORTED|REJECTED|ACCEPTED|UNKNOWN_SESSION',
    timeout: '1 int',
    message: '* DisplayText',
  },
  CommandResult: {
    result:
      '1 ACCEPTED|CANCELED_RESERVATION|EVSE_OCCUPIED|EVSE_INOPERATIVE|FAILED|NOT_SUPPORTED|REJECTED|TIMEOUT|UNKNOWN_RESERVATION',
    message: '* DisplayText',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type ShapeName = keyof typeof shapes
export const shapeNames = Object.keys(shapes) as readonly ShapeName[]

/** What such a partner finds wrong with an object, each as `path: what`. */
export function strictFaults(shape: ShapeName, value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: is no ${shape}`]
  const given = value as Readonly<Record<string, unknown>>
  return Object.entries(shapes[shape]).flatMap(([name, wanted]) =>
    faultsOfField(wanted, given[name], `${path}/${name}`),
  )
}

function faultsOfField(wanted: string, value: unknown, path: string): string[] {
  const cardinality = wanted[0]
  const type = wanted.slice(2)
  if (value === undefined) return cardinality === '1' || cardinality === '+' ? [`${path}: is missing`] : []
  if (cardinality === '1' || cardinality === '?') return faultsOfType(type, value, path)
  if (!Array.isArray(value)) return [`${path}: is no list`]
  if (cardinality === '+' && value.length === 0) return [`${path}: is empty`]
  return value.flatMap((one, index) => faultsOfType(type, one, `${path}/${index}`))
}

function faultsOfType(type: string, value: unknown, path: string): string[] {
  if (Object.hasOwn(shapes, type)) return strictFaults(type as ShapeName, value, path)
  return isScalar(type, value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${type}`]
}

function isScalar(type: string, value: unknown): boolean {
  const scalar = scalars[type]
  if (scalar !== undefined) return scalar(value)
  const [, ci, length] = /^(ci:)?(\d+)$/.exec(type) ?? []
  if (length === undefined) return typeof value === 'string' && new RegExp(`^(${type})$`).test(value)
  return isText(value, Number(length)) && (ci === undefined || /^[\x20-\x7e]+$/.test(value))
}

/** The same of an answer in its envelope. `list`: its data is one of the shape, or a list of them; without a shape it has no data. */
export function strictEnvelopeFaults(body: unknown, shape?: ShapeName, kind: 'one' | 'list' = 'one'): string[] {
  const { data, status_code, status_message, timestamp } = (body ?? {}) as Readonly<Record<string, unknown>>
  const faults = [
    ...faultsOfField('1 int', status_code, '/status_code'),
    ...faultsOfField('? 255', status_message, '/status_message'),
    ...faultsOfField('1 date', timestamp, '/timestamp'),
  ]
  if (shape === undefined) return data === undefined ? faults : [...faults, '/data: is there']
  if (kind === 'one') return [...faults, ...strictFaults(shape, data, '/data')]
  return [...faults, ...faultsOfField(`* ${shape}`, data ?? [], '/data')]
}
