// What is known of a charge point's insides: what it has said in BootNotification and in its configuration, vendor's keys included. What
// OCPP 1.6 has no word for, and no key tells, is null.

import { type Static, Type } from 'typebox'
import { isStandardKey } from '../../../ocpp16/standard-keys.js'
import { type ChargePoint, isUnclaimed } from '../../../records/charge-point.js'
import type { ChargePointState } from '../../../records/charge-point-state.js'
import type { ReportedConfiguration, ReportedKey } from '../../../records/configuration.js'
import { foldKey, itemsOf } from '../../../records/configuration-value.js'
import { connectorCount } from '../../../records/connector-count.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'

const text = (description?: string) => nullable(Type.String(description === undefined ? {} : { description }))

export const diagnosticsSchema = named('Diagnostics', {
  charge_point_id: Type.String(),
  connected: Type.Boolean(),
  collected_at: nullable(
    timestamp('When the charge point last reported its whole configuration; null if it never has.'),
  ),
  firmware: Type.Object({
    version: text(),
    vendor: text(),
    last_updated: nullable(timestamp('Always null: OCPP 1.6 does not tell.')),
  }),
  ocpp: Type.Object({
    version: text('null if the charge point has never connected.'),
    supported_features: Type.Array(Type.String(), {
      description: 'The feature profiles that it reports (`SupportedFeatureProfiles`).',
    }),
  }),
  network: Type.Object({
    interface: text('As a key of its vendor tells, such as `ConnectionType`; null if there is none.'),
    ip_address: text('From where the charge point is, or was, connected last.'),
    signal_strength: nullable(
      Type.Number({
        description: 'As a key of its vendor tells, in its unit, such as `SignalStrength`; null if there is none.',
      }),
    ),
    iccid: text('The number of its SIM card.'),
    dns_resolution_ok: nullable(Type.Boolean({ description: 'Always null: OCPP 1.6 does not tell.' })),
    ntp_synced: nullable(Type.Boolean({ description: 'Always null: OCPP 1.6 does not tell.' })),
    clock_skew_seconds: nullable(
      Type.Number({
        description: 'By how much the times in its messages are behind their arrival; null if they are not suspicious.',
      }),
    ),
  }),
  hardware: Type.Object({
    connectors: nullable(Type.Integer()),
    meter_type: text(),
    rcd_present: nullable(Type.Boolean({ description: 'Always null: OCPP 1.6 does not tell.' })),
  }),
  configuration_readonly_keys: Type.Array(Type.String()),
  vendor_keys: Type.Array(Type.Object({ key: Type.String(), value: text() }), {
    description:
      'Keys that it reports and that OCPP 1.6 does not name, with their values. Once an organization has claimed the charge point, the values are null.',
  }),
})

export interface Inside {
  readonly chargePoint: ChargePoint
  readonly state: ChargePointState | undefined
  readonly reported: ReportedConfiguration | undefined
  readonly isConnected: boolean
}

/** Names that leave no doubt about what a vendor's key means. */
const signalNames = /^(gsm|gprs|umts|lte|4g|cellular|mobile|modem|wifi|wlan)?(signal(strength|quality|level)?|rssi)$/
const interfaceNames = /^(active)?(network(interface|type)|connectiontype|communicationtype)$/

export function diagnosticsView({
  chargePoint,
  state,
  reported,
  isConnected,
}: Inside): Static<typeof diagnosticsSchema> {
  const { boot } = state ?? {}
  const keys = Object.values(reported?.keys ?? {})
  const vendors = keys.filter(({ key }) => !isStandardKey(key))
  const valueOfKey = (key: string): string | undefined => reported?.keys[foldKey(key)]?.value
  return {
    charge_point_id: chargePoint.charge_point_id,
    connected: isConnected,
    collected_at: reported?.complete_at ?? null,
    firmware: { version: boot?.firmware_version ?? null, vendor: boot?.vendor ?? null, last_updated: null },
    ocpp: {
      version: state === undefined ? null : '1.6',
      supported_features: [...itemsOf(valueOfKey('SupportedFeatureProfiles') ?? '')],
    },
    network: {
      interface: meant(vendors, interfaceNames) ?? null,
      ip_address: state?.remote_address ?? null,
      signal_strength: numberIn(meant(vendors, signalNames)) ?? null,
      iccid: boot?.iccid ?? null,
      dns_resolution_ok: null,
      ntp_synced: null,
      clock_skew_seconds: state?.clock_skew_seconds ?? null,
    },
    hardware: {
      connectors: numberIn(valueOfKey('NumberOfConnectors'), isCount) ?? connectorCount(chargePoint, state) ?? null,
      meter_type: boot?.meter_type ?? null,
      rcd_present: null,
    },
    configuration_readonly_keys: keys.filter(({ read_only }) => read_only).map(({ key }) => key),
    vendor_keys: vendors.map(({ key, value }) => ({ key, value: isUnclaimed(chargePoint) ? (value ?? null) : null })),
  }
}

/** The value of the first key whose name, without signs, is so. */
function meant(vendors: readonly ReportedKey[], names: RegExp): string | undefined {
  const has = ({ key, value }: ReportedKey): boolean =>
    value !== undefined && value.trim() !== '' && names.test(key.toLowerCase().replace(/[^a-z0-9]/g, ''))
  return vendors.find(has)?.value?.trim()
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** Of `-71` and `-71 dBm`. */
function numberIn(
  value: string | undefined,
  isSound: (value: number) => boolean = Number.isFinite,
): number | undefined {
  const [found] = /^[+-]?\d{1,9}(\.\d{1,9})?/.exec(value?.trim() ?? '') ?? []
  const number = found === undefined ? undefined : Number(found)
  return number !== undefined && isSound(number) ? number : undefined
}
