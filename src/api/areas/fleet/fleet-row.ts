// What the fleet shows of one charge point, read from the rows of several tables. Pure: from a view to a value.

import { chargePointClockOff } from '../../../alert-kinds/charge-point-clock-off.js'
import { commonNetworkOf } from '../../../edge/address-network.js'
import type { ConnectorStatus } from '../../../ocpp16/schemas/connector-status.js'
import { alertsTable } from '../../../records/alert.js'
import { type ChargePoint, chargePointsTable, isOwnedBy } from '../../../records/charge-point.js'
import {
  type ChargePointState,
  type ChargePointStatus,
  type ConnectorState,
  chargePointStatesTable,
  outlets,
} from '../../../records/charge-point-state.js'
import { conformanceTable } from '../../../records/conformance.js'
import { connectorCount } from '../../../records/connector-count.js'
import { chargePointStatus, type LiveNodes } from '../../../records/presence.js'
import { defaultTariff, ownAssignment } from '../../../records/selling-tariff.js'
import { lastSeenAt } from '../../../records/sign-of-life.js'
import { type Site, sitesTable } from '../../../records/site.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { limits } from './limits.js'

/** The bits of `flags`. */
export const flagBits = {
  clockOff: 1,
  deviates: 2,
  quarantined: 4,
  noTariff: 8,
  certificateEnds: 16,
  silent: 32,
} as const

/** A letter for each connector, O for one whose status is not known now. */
export const connectorLetters: Readonly<Record<ConnectorStatus, string>> = {
  Available: 'A',
  Preparing: 'P',
  Charging: 'C',
  SuspendedEV: 'V',
  SuspendedEVSE: 'E',
  Finishing: 'F',
  Reserved: 'R',
  Unavailable: 'U',
  Faulted: 'X',
}
export const unknownLetter = 'O'

export interface FleetSite {
  readonly site_id: string
  readonly name: string
  readonly address: string
}

export interface FleetModel {
  readonly vendor: string
  readonly model: string
}

export interface FleetRow {
  readonly charge_point_id: string
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly status: ChargePointStatus
  readonly connectors: string
  readonly powerWatts: number
  readonly maxPowerWatts: number | null
  /** Wall seconds, as the others. */
  readonly statusSince: number | null
  readonly lastSeenAt: number | null
  readonly site: FleetSite | undefined
  /** Its own, where that is not the address of its site. */
  readonly address: string | undefined
  readonly model: FleetModel | undefined
  readonly firmware: string | undefined
  /** Of the first connector with a fault. */
  readonly errorCode: string | undefined
  readonly openAlerts: number
  readonly flags: number
  /** For what needs attention, beside what is shown: whence it came last, and whether the service limits it. */
  readonly network: string | undefined
  readonly isLimited: boolean
}

/** What many rows of a fleet have in common: read once for all that are read in the same turn. */
export interface FleetContext {
  readonly organizationId: string
  readonly view: ReadView
  readonly live: LiveNodes
  readonly hasDefaultTariff: boolean
  readonly hasOpenAlerts: boolean
  /** Charge points whose actor was left alone for a while, less than an hour ago. */
  readonly quarantined: ReadonlySet<string>
  siteOf(siteId: string): Site | undefined
  /** Whether any charge point of the model and firmware deviates. */
  deviates(vendor: string, model: string, firmware: string): boolean
}

const hourMs = 3_600_000

export function contextOf(view: ReadView, organizationId: string, live: LiveNodes, now: number): FleetContext {
  const sites = new Map<string, Site | undefined>()
  const deviating = new Map<string, boolean>()
  return {
    organizationId,
    view,
    live,
    hasDefaultTariff: defaultTariff(view, organizationId) !== undefined,
    hasOpenAlerts: view.total(alertsTable, 'byStatus', [organizationId, 'open']) > 0,
    quarantined: quarantinedNow(view, organizationId, now),
    siteOf(siteId) {
      if (!sites.has(siteId)) {
        const site = view.get(sitesTable, [siteId])
        sites.set(siteId, site?.organization_id === organizationId ? site : undefined)
      }
      return sites.get(siteId)
    },
    deviates(vendor, model, firmware) {
      const name = JSON.stringify([vendor, model, firmware])
      let known = deviating.get(name)
      if (known === undefined) {
        known = view.total(conformanceTable, 'ofModel', [organizationId, vendor, model, firmware]) > 0
        deviating.set(name, known)
      }
      return known
    },
  }
}

function quarantinedNow(view: ReadView, organizationId: string, now: number): ReadonlySet<string> {
  const group = [organizationId, 'charge_point_quarantined']
  const notices = view.listBy(alertsTable, 'byKind', group, { reverse: true, limit: limits.noticesRead })
  const recent = notices.filter(({ triggered_at }) => now - Date.parse(triggered_at) < hourMs)
  return new Set(recent.map(({ charge_point_id }) => charge_point_id ?? ''))
}

/** Undefined for one that is not the organization's, or not any more. */
export function readRow(chargePointId: string, context: FleetContext): FleetRow | undefined {
  const registration = context.view.get(chargePointsTable, [chargePointId])
  return registration?.organization_id === context.organizationId ? rowOf(registration, context) : undefined
}

export function rowOf(registration: ChargePoint, context: FleetContext): FleetRow {
  const { view, live, organizationId } = context
  const { charge_point_id, name, latitude, longitude, address, site_id, max_power_kw, installed } = registration
  const found = view.get(chargePointStatesTable, [charge_point_id])
  const state = found !== undefined && isOwnedBy(registration, found.organization_id) ? found : undefined
  const status = chargePointStatus(state, live)
  const shown = state === undefined ? [] : outlets(state)
  const faulted = status === 'offline' ? undefined : firstFault(state, shown)
  const site = site_id === undefined ? undefined : context.siteOf(site_id)
  const vendor = state?.boot?.vendor ?? installed?.vendor
  const model = state?.boot?.model ?? installed?.model
  const seen = state && lastSeenAt(view, state)
  return {
    charge_point_id,
    name,
    latitude,
    longitude,
    status,
    connectors: lettersOf(status, shown, connectorCount(registration, state) ?? shown.length),
    powerWatts: status === 'offline' ? 0 : Math.round(state?.power_watts ?? 0),
    maxPowerWatts: max_power_kw === undefined ? null : Math.round(max_power_kw * 1_000),
    statusSince: secondsOf(sinceOf(status, state, shown)),
    lastSeenAt: secondsOf(seen),
    site: site && { site_id: site.site_id, name: site.name, address: site.address },
    address: address === '' || address === site?.address ? undefined : address,
    model: vendor === undefined || model === undefined ? undefined : { vendor, model },
    firmware: state?.boot?.firmware_version,
    errorCode: faulted?.error_code,
    openAlerts: context.hasOpenAlerts ? openAlertsOf(charge_point_id, context) : 0,
    flags: flagsOf(registration, status, state, context, organizationId),
    network: state?.remote_address === undefined ? undefined : commonNetworkOf(state.remote_address),
    isLimited: state?.site_limits === true,
  }
}

/** Those of an organization that the charge point belonged to before are not counted. */
function openAlertsOf(chargePointId: string, { view, organizationId }: FleetContext): number {
  return view
    .listBy(alertsTable, 'openOfChargePoint', [chargePointId], { reverse: true, limit: limits.alertsCounted })
    .filter(({ organization_id }) => organization_id === organizationId).length
}

function firstFault(state: ChargePointState | undefined, shown: readonly ConnectorState[]): ConnectorState | undefined {
  const isFaulted = ({ status }: ConnectorState): boolean => status === 'Faulted'
  return shown.find(isFaulted) ?? state?.connectors.find(isFaulted)
}

function lettersOf(status: ChargePointStatus, shown: readonly ConnectorState[], count: number): string {
  const letters: string[] = []
  for (const { connector_id, status: said } of shown)
    if (connector_id <= 1_000) letters[connector_id - 1] = status === 'offline' ? unknownLetter : connectorLetters[said]
  for (let at = 0; at < Math.max(count, letters.length); at++) letters[at] ??= unknownLetter
  return letters.join('')
}

/** Since when the charge point has the status, as far as the reports of its connectors tell; where a connector is faulted, since when it is. */
function sinceOf(
  status: ChargePointStatus,
  state: ChargePointState | undefined,
  shown: readonly ConnectorState[],
): string | undefined {
  if (state === undefined) return undefined
  if (status === 'offline') return state.disconnected_at ?? state.presence_lost_at ?? state.last_seen_at
  const all = shown.length > 0 ? shown : state.connectors
  const faults = all.filter(({ status: said }) => said === 'Faulted')
  const causes =
    faults.length > 0 ? faults : all.filter(({ status: said }) => statusesOf[status]?.includes(said) === true)
  const times = (causes.length > 0 ? causes : all).map(({ timestamp }) => timestamp).sort()
  // The last connector that became free makes a charge point available; the first that charges makes it charge.
  const isOfAll = (status === 'available' || status === 'unavailable') && faults.length === 0
  return (isOfAll ? times.at(-1) : times[0]) ?? state.connected_at
}

const statusesOf: Readonly<Partial<Record<ChargePointStatus, readonly ConnectorStatus[]>>> = {
  available: ['Available'],
  occupied: ['Preparing', 'Finishing', 'Reserved'],
  charging: ['Charging', 'SuspendedEV', 'SuspendedEVSE'],
  faulted: ['Faulted'],
  unavailable: ['Unavailable'],
}

function flagsOf(
  { charge_point_id, site_id }: ChargePoint,
  status: ChargePointStatus,
  state: ChargePointState | undefined,
  context: FleetContext,
  organizationId: string,
): number {
  const { view } = context
  const boot = state?.boot
  const deviates =
    boot !== undefined &&
    context.deviates(boot.vendor, boot.model, boot.firmware_version ?? '') &&
    breaksRules(charge_point_id, context)
  const sells =
    context.hasDefaultTariff ||
    ownAssignment(view, organizationId, charge_point_id) !== undefined ||
    (site_id !== undefined && context.siteOf(site_id)?.default_tariff_id !== undefined)
  return (
    (isClockOff(state) ? flagBits.clockOff : 0) |
    (deviates ? flagBits.deviates : 0) |
    (context.quarantined.has(charge_point_id) ? flagBits.quarantined : 0) |
    (sells ? 0 : flagBits.noTariff) |
    (state?.watches?.certificate_expiring?.alert_id === undefined ? 0 : flagBits.certificateEnds) |
    (status !== 'offline' && state?.registration === 'none' ? flagBits.silent : 0)
  )
}

/** As its alert has it: one message proves little, since it may have waited in a queue. */
function isClockOff(state: ChargePointState | undefined): boolean {
  const watch = state?.watches?.[chargePointClockOff.name]
  return watch !== undefined && watch.ending !== true
}

function breaksRules(chargePointId: string, { view, organizationId }: FleetContext): boolean {
  const conformance = view.get(conformanceTable, [chargePointId])
  return conformance?.organization_id === organizationId && Object.keys(conformance.rules).length > 0
}

function secondsOf(time: string | undefined): number | null {
  const at = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(at) ? null : Math.max(0, Math.floor(at / 1_000))
}
