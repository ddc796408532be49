// The data types that several OCPP 1.6 messages share (OCPP 1.6, 7), with the repairs that go with them.

import { type Static, Type } from 'typebox'
import { type Repairs, receivedTime } from './define-message.js'

/** Schemas that take no other fields than theirs, as the standard's own do. */
export const strict = { additionalProperties: false } as const

export const emptyPayload = Type.Object({}, strict)

/** CiString20 and its kin: at most so many characters, compared without regard to case. */
export const ciString = (maxLength: number) => Type.String({ maxLength })

/** A JSON integer that JavaScript holds exactly. */
export const integer = (minimum: number = Number.MIN_SAFE_INTEGER) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER })

export const dateTime = () => Type.String({ format: 'date-time' })

export const uri = () => Type.String({ format: 'uri' })

/** At most one decimal; validators of it need a tolerance, since 21.4 is no multiple of 0.1 in binary. */
export const oneDecimal = () => Type.Number({ multipleOf: 0.1 })

export const optional = Type.Optional

/** A response that says no more than how it went. */
export const statusOnly = <const Values extends string[]>(values: readonly [...Values]) =>
  Type.Object({ status: Type.Enum(values) }, strict)

export const idTag = () => ciString(20)

export const idTagInfo = Type.Object(
  {
    status: Type.Enum(['Accepted', 'Blocked', 'Expired', 'Invalid', 'ConcurrentTx']),
    expiryDate: optional(dateTime()),
    parentIdTag: optional(idTag()),
  },
  strict,
)
export type IdTagInfo = Static<typeof idTagInfo>
export type AuthorizationStatus = IdTagInfo['status']

export const chargingProfilePurpose = Type.Enum(['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile'])
export type ChargingProfilePurpose = Static<typeof chargingProfilePurpose>

export const chargingRateUnit = Type.Enum(['A', 'W'])
export type ChargingRateUnit = Static<typeof chargingRateUnit>

export const chargingSchedulePeriod = Type.Object(
  { startPeriod: integer(), limit: oneDecimal(), numberPhases: optional(integer()) },
  strict,
)

export const chargingSchedule = Type.Object(
  {
    duration: optional(integer()),
    startSchedule: optional(dateTime()),
    chargingRateUnit,
    chargingSchedulePeriod: Type.Array(chargingSchedulePeriod, { minItems: 1 }),
    minChargingRate: optional(oneDecimal()),
  },
  strict,
)
export type ChargingSchedule = Static<typeof chargingSchedule>

export const chargingProfile = Type.Object(
  {
    chargingProfileId: integer(),
    transactionId: optional(integer()),
    stackLevel: integer(0),
    chargingProfilePurpose,
    chargingProfileKind: Type.Enum(['Absolute', 'Recurring', 'Relative']),
    recurrencyKind: optional(Type.Enum(['Daily', 'Weekly'])),
    validFrom: optional(dateTime()),
    validTo: optional(dateTime()),
    chargingSchedule,
  },
  strict,
)
export type ChargingProfile = Static<typeof chargingProfile>

export const certificateHashData = Type.Object(
  {
    hashAlgorithm: Type.Enum(['SHA256', 'SHA384', 'SHA512']),
    issuerNameHash: ciString(128),
    issuerKeyHash: ciString(128),
    serialNumber: ciString(40),
  },
  strict,
)
export type CertificateHashData = Static<typeof certificateHashData>

/** The roots that a charge point can be told to trust (security extension, M05). */
export const certificateUse = Type.Enum(['CentralSystemRootCertificate', 'ManufacturerRootCertificate'])

export const sampledValue = Type.Object(
  {
    value: Type.String(),
    context: optional(
      Type.Enum([
        'Interruption.Begin',
        'Interruption.End',
        'Other',
        'Sample.Clock',
        'Sample.Periodic',
        'Transaction.Begin',
        'Transaction.End',
        'Trigger',
      ]),
    ),
    format: optional(Type.Enum(['Raw', 'SignedData'])),
    measurand: optional(
      Type.Enum([
        'Current.Export',
        'Current.Import',
        'Current.Offered',
        'Energy.Active.Export.Register',
        'Energy.Active.Import.Register',
        'Energy.Reactive.Export.Register',
        'Energy.Reactive.Import.Register',
        'Energy.Active.Export.Interval',
        'Energy.Active.Import.Interval',
        'Energy.Reactive.Export.Interval',
        'Energy.Reactive.Import.Interval',
        'Frequency',
        'Power.Active.Export',
        'Power.Active.Import',
        'Power.Factor',
        'Power.Offered',
        'Power.Reactive.Export',
        'Power.Reactive.Import',
        'RPM',
        'SoC',
        'Temperature',
        'Voltage',
      ]),
    ),
    phase: optional(Type.Enum(['L1', 'L2', 'L3', 'N', 'L1-N', 'L2-N', 'L3-N', 'L1-L2', 'L2-L3', 'L3-L1'])),
    location: optional(Type.Enum(['Body', 'Cable', 'EV', 'Inlet', 'Outlet'])),
    unit: optional(
      Type.Enum([
        'Wh',
        'kWh',
        'varh',
        'kvarh',
        'W',
        'kW',
        'VA',
        'kVA',
        'var',
        'kvar',
        'A',
        'V',
        'K',
        // Both spellings are in the standard's schemas.
        'Celcius',
        'Celsius',
        'Fahrenheit',
        'Percent',
        // Not in the standard, which has a Frequency without a unit; used by all who send one.
        'Hertz',
      ]),
    ),
  },
  { ...strict, decimalUnlessSigned: true },
)
export type SampledValue = Static<typeof sampledValue>

export const meterValue = Type.Object(
  { timestamp: dateTime(), sampledValue: Type.Array(sampledValue, { minItems: 1 }) },
  strict,
)
export type MeterValue = Static<typeof meterValue>

/** The repairs of an array of meter values that is the payload's field `name`. */
export const meterValueRepairs = (name: string): Repairs => ({
  [name]: { dropItems: true, mayBeEmpty: true },
  [`${name}.*.timestamp`]: { fallback: receivedTime },
  [`${name}.*.sampledValue`]: { dropItems: true, mayBeEmpty: true },
  [`${name}.*.sampledValue.*.context`]: { unknown: 'Other' },
  // These four say what the number means: without them it would be read as something else.
  [`${name}.*.sampledValue.*.format`]: { essential: true },
  [`${name}.*.sampledValue.*.measurand`]: { essential: true },
  [`${name}.*.sampledValue.*.phase`]: {
    essential: true,
    aliases: { l1n: 'L1-N', l2n: 'L2-N', l3n: 'L3-N', l1l2: 'L1-L2', l2l3: 'L2-L3', l3l1: 'L3-L1' },
  },
  [`${name}.*.sampledValue.*.unit`]: {
    essential: true,
    aliases: {
      hz: 'Hertz',
      '%': 'Percent',
      volt: 'V',
      volts: 'V',
      amp: 'A',
      amps: 'A',
      ampere: 'A',
      watt: 'W',
      watts: 'W',
      c: 'Celsius',
      '°c': 'Celsius',
      f: 'Fahrenheit',
      '°f': 'Fahrenheit',
    },
  },
})
