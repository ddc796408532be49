// What a charge point has told about itself, and whether it is connected. Written by its actor alone.

import type { AlertKind } from '../alert-kinds/index.js'
import type { ConnectorStatus } from '../ocpp16/schemas/connector-status.js'
import { defineTable } from '../runtime/store/table.js'
import { kindOfWatch, phaseOf, type Watches, type WatchPhase } from './alert.js'
import { type ChargePoint, isOwnedBy } from './charge-point.js'
import { registrationMark } from './client-certificate.js'
import type { ConfigurationStanding } from './configuration.js'
import { groupKeys } from './model-group.js'
import type { SecurityProfile } from './security-upgrade.js'

export const chargePointStatuses = ['offline', 'available', 'occupied', 'charging', 'faulted', 'unavailable'] as const
export type ChargePointStatus = (typeof chargePointStatuses)[number]

export interface ConnectorState {
  readonly connector_id: number
  readonly status: ConnectorStatus
  readonly error_code: string
  readonly info: string | null
  /** As reported, or when it arrived; state itself goes by arrival. */
  readonly timestamp: string
  readonly vendor_error_code?: string
}

/** What BootNotification told (OCPP 1.6, 4.2). */
export interface BootInformation {
  readonly vendor: string
  readonly model: string
  readonly serial_number?: string
  readonly firmware_version?: string
  readonly iccid?: string
  readonly imsi?: string
  readonly meter_type?: string
  readonly meter_serial_number?: string
  readonly booted_at: string
}

/** What tells one charge point from another that boots under the same id. */
export type Hardware = Pick<BootInformation, 'vendor' | 'model' | 'serial_number'>

/** Whether other hardware has taken the place of what booted before under this id. */
export function isOtherHardware(before: Hardware | undefined, after: Hardware): boolean {
  if (before === undefined) return false
  if (before.serial_number !== undefined && after.serial_number !== undefined)
    return before.serial_number !== after.serial_number
  return before.vendor !== after.vendor || before.model !== after.model
}

/** What may still be stored of what a charge point says; it grows back with time. */
export interface StoredAllowance {
  /** Wall ms. */
  readonly at: number
  readonly bytes: number
  readonly transactions: number
}

export interface ChargePointState {
  readonly charge_point_id: string
  readonly organization_id: string
  /** The life of the node that holds the socket, or held the last one: when it ends the charge point is offline, whatever the row says. */
  readonly run: number
  readonly connected: boolean
  /** The socket's number in its run: a counter, its node and its front. */
  readonly connection?: number
  /** Grows with every socket of the charge point, whoever takes it: an older one that is announced late is known by it. */
  readonly connection_epoch?: number
  readonly connected_at?: string
  readonly disconnected_at?: string
  /** How its last connection ended, and when: the close of the WebSocket (RFC 6455, 7.1.5). Absent before one has ended with a version that stores it. */
  readonly last_close?: { readonly code: number; readonly reason: string; readonly at: string }
  /** It had not come back when a run of the service began: until then, nothing says that it was away. */
  readonly presence_lost_at?: string
  readonly remote_address?: string
  /** Of its connection, or of the last one; absent before it has connected with a version that stores it. */
  readonly security_profile?: SecurityProfile
  /** The same: whether it was by TLS. */
  readonly over_tls?: boolean
  /** The same: whether it has named `ocpp1.6` as the subprotocol of its WebSocket. */
  readonly offers_subprotocol?: boolean
  /** It is on its way to a higher security profile. */
  readonly is_upgrading?: true
  /** It has connected with a client certificate once, and may not come without one again (security whitepaper, A05.FR.09). */
  readonly presented_certificate?: true
  /** When it has connected with one last. */
  readonly certificate_presented_at?: string
  /** The newest that it has connected with, of those that the service has issued: from when it is valid, wall ms, and for which registration. */
  readonly newest_certificate?: { readonly registration: string; readonly valid_from: number }
  /** The end of its certificate, the number of requests for another, and when the next is due: by wall time, and after the first by steady time. */
  readonly renewal?: {
    readonly expires_at: number
    readonly asked: number
    readonly next_at: number
    readonly retry_at?: number
  }
  readonly registration: 'Accepted' | 'Pending' | 'Rejected' | 'none'
  /** The last sign of life, to the minute. */
  readonly last_seen_at?: string
  readonly boot?: BootInformation
  /** Connector 0, the charge point's controller, included. */
  readonly connectors: readonly ConnectorState[]
  /** Connectors that a running transaction is on, and of which nothing newer was told: they charge, whatever was told before. */
  readonly assumed_charging?: readonly { readonly connector_id: number; readonly since: string }[]
  /** The highest connector that it has named beyond the count, after so many changes of the count by its operator. */
  readonly named_connectors?: { readonly highest: number; readonly count_changes: number }
  /** How many connectors it has beyond those that its operator declared; none where it is absent. */
  readonly undeclared_connectors?: number
  readonly firmware_status?: string
  /** What it ran when the update under way began, or null where it has not said; absent outside of updates that were seen to begin. */
  readonly firmware_before?: string | null
  readonly diagnostics_status?: string
  /** The CertificateSigned that waits for its answer: its message id, when it was sent and when its certificate ends, wall ms. */
  readonly certificate_sent?: { readonly call_id: string; readonly sent_at: number; readonly expires_at: number }
  /** Arrival time less reported time, in seconds, where it is suspicious. */
  readonly clock_skew_seconds?: number
  /** Messages in a row that tell of a clock that is off by more than the organization's threshold; since when, wall ms. */
  readonly clock_off?: { readonly since: number; readonly readings: number; readonly offset_seconds: number }
  /** Absent where the service has applied no configuration. */
  readonly configuration?: ConfigurationStanding
  /** It may have limits of the site that it is in, or was in. */
  readonly site_limits?: true
  /** Causes of alerts that hold, or have just gone. */
  readonly watches?: Watches
  /** Absent where hardly anything has been taken of it. */
  readonly allowance?: StoredAllowance
  /** Draw of all sessions as last metered, watts. */
  readonly power_watts: number
  /** The same by connector id. */
  readonly power_by_connector?: Readonly<Record<string, number>>
}

/**
 * Whether it may not come without a certificate again: it has come with one. Once its certificates are revoked it has none, and may come
 * with its password; one that has none would be anybody who knows its id.
 */
export function owesCertificate(chargePoint: ChargePoint, state: ChargePointState | undefined): boolean {
  const { certificates_revoked_at, authorization_key } = chargePoint
  if (state === undefined || !isOwnedBy(chargePoint, state.organization_id)) return false
  if (state.presented_certificate !== true) return false
  if (certificates_revoked_at === undefined || authorization_key === undefined) return true
  return (state.certificate_presented_at ?? '') > certificates_revoked_at
}

/** Whether it has connected with a certificate that was issued after one that is valid from then: what is replaced is good no more. */
export function comesWithNewer(
  chargePoint: ChargePoint,
  state: ChargePointState | undefined,
  validFrom: number,
): boolean {
  const newest = state?.newest_certificate
  return newest !== undefined && validFrom < newest.valid_from && newest.registration === registrationMark(chargePoint)
}

/** The CPO's view of a charge point that is connected: the first that holds of the list in the specification. */
export function connectedStatus(state: ChargePointState): Exclude<ChargePointStatus, 'offline'> {
  const controller = state.connectors.find((connector) => connector.connector_id === 0)
  const shown = outlets(state)
  const all = shown.length > 0 ? shown : state.connectors
  const some = (...statuses: ConnectorStatus[]): boolean => all.some((connector) => statuses.includes(connector.status))
  const usable = all.some((connector) => connector.status !== 'Faulted' && connector.status !== 'Unavailable')
  if (controller?.status === 'Faulted' || (some('Faulted') && !usable)) return 'faulted'
  if (some('Charging', 'SuspendedEV', 'SuspendedEVSE')) return 'charging'
  if (some('Preparing', 'Finishing', 'Reserved')) return 'occupied'
  if (controller?.status === 'Unavailable' || (all.length > 0 && !usable)) return 'unavailable'
  return 'available'
}

/** Where a watch stands in the index of all. */
export type WatchEntry = readonly [
  organizationId: string,
  kind: AlertKind,
  phase: WatchPhase,
  since: number,
  key: string,
]

export function watchEntries({ organization_id, watches }: ChargePointState): readonly WatchEntry[] {
  if (watches === undefined) return []
  return Object.entries(watches).map(([key, watch]) => [
    organization_id,
    kindOfWatch(key),
    phaseOf(watch),
    watch.since,
    key,
  ])
}

/** Vendor and firmware version, of which the latter is '' where it has not said it. */
function firmwareOf({ vendor, firmware_version = '' }: BootInformation): readonly [string, string] {
  return [vendor, firmware_version]
}

export const chargePointStatesTable = defineTable<ChargePointState>({
  name: 'charge_point_states',
  key: (row) => [row.charge_point_id],
  importance: 'operation',
  indexes: {
    // The number of the node's life is part of the group, so that its end makes everything offline without touching a row. Nobody but
    // presence.ts reads these lists.
    byStatus: (row) => (row.connected ? [{ group: [row.organization_id, row.run, connectedStatus(row)] }] : []),
    byLiveConnectorStatus: (row) =>
      row.connected
        ? [...new Set(outletStatuses(row))].map((status) => ({ group: [row.organization_id, row.run, status] }))
        : [],
    liveConnectors: (row) =>
      row.connected
        ? outlets(row).map(({ connector_id, status }) => ({
            group: [row.organization_id, row.run, status],
            order: [connector_id],
          }))
        : [],
    undeclaredConnectors: ({ organization_id, undeclared_connectors = 0 }) =>
      undeclared_connectors === 0 ? [] : [{ group: [organization_id], weight: undeclared_connectors }],
    /** Whose charge points came from an address last. */
    byAddress: ({ organization_id, remote_address }) =>
      remote_address === undefined ? [] : [{ group: [remote_address], order: [organization_id] }],
    /** Charge points of one firmware stand together, so that a list of firmwares passes from one to the next. */
    byFirmware: (row) =>
      row.boot === undefined ? [] : [{ group: [row.organization_id], order: firmwareOf(row.boot) }],
    ofFirmware: (row) => (row.boot === undefined ? [] : [{ group: [row.organization_id, ...firmwareOf(row.boot)] }]),
    /** The same of one model and firmware. */
    byModel: ({ organization_id, boot }) =>
      boot === undefined
        ? []
        : [{ group: [organization_id], order: [boot.vendor, boot.model, boot.firmware_version ?? ''] }],
    /** How many charge points there are of a model, and of one firmware of it. */
    ofModel: ({ organization_id, boot }) =>
      boot === undefined ? [] : groupKeys(organization_id, boot).map((group) => ({ group })),
    // Those of the earliest lives come first: whoever was connected when a node ended and has not come back.
    connected: (row) => (row.connected ? [{ group: [], order: [row.run] }] : []),
    // By organization, kind and phase, the oldest first: what is due is at the beginning of its list.
    watched: (row) => watchEntries(row).map((order) => ({ group: [], order })),
    power: (row) =>
      row.connected && row.power_watts > 0
        ? [{ group: [row.organization_id, row.run], weight: Math.round(row.power_watts) }]
        : [],
  },
  uncounted: ['byAddress', 'byFirmware', 'byModel', 'connected', 'watched'],
})

/** Connectors that a car can be plugged into, as far as is known; connector 0 is the charge point itself. */
export function outlets({
  connectors,
  assumed_charging = [],
}: Pick<ChargePointState, 'connectors' | 'assumed_charging'>): readonly ConnectorState[] {
  const told = connectors.filter(({ connector_id }) => connector_id > 0)
  if (assumed_charging.length === 0) return told
  const assumed = assumed_charging.map(
    ({ connector_id, since }): ConnectorState => ({
      connector_id,
      status: 'Charging',
      error_code: 'NoError',
      info: null,
      timestamp: since,
    }),
  )
  const others = told.filter(({ connector_id }) => !assumed.some((one) => one.connector_id === connector_id))
  return [...others, ...assumed].sort((a, b) => a.connector_id - b.connector_id)
}

function outletStatuses(row: ChargePointState): readonly ConnectorStatus[] {
  return outlets(row).map((connector) => connector.status)
}
