// A registered charge point: what operators say about it. What it says about itself is in charge-point-state.ts.

import type { PhaseRotation } from '../power/electricity.js'
import type { Condition } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import type { AuthorizationKeyHash } from './authorization-key.js'
import { reversed, shapeOf } from './id-shape.js'

/** What its installer has said of a charge point, which stays when an organization claims it. */
export interface Installed {
  readonly installer_id: string
  readonly model: string
  readonly vendor: string
  /** As it was registered: the organization may change that of the row. */
  readonly serial_number: string
  readonly project_id: string
  /** Absent where the installer has not said it. What the organization says of the place is in the row itself. */
  readonly location?: InstalledLocation
  readonly registered_at: string
  /** The identity of its installer was not approved then. */
  readonly by_unverified?: true
  /** When a configuration was first downloaded, customized or applied. */
  readonly configured_at?: string
  readonly commissioned_at?: string
  /** When the organization that has claimed the charge point ended the installer's part, before it was commissioned. */
  readonly ended_at?: string
}

export interface InstalledLocation {
  readonly latitude?: number
  readonly longitude?: number
  readonly address?: string
}

export interface ChargePoint {
  readonly charge_point_id: string
  /** Of one that no organization has claimed yet, the id of its installer, whose charge point it is until then. */
  readonly organization_id: string
  readonly version: number
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly address: string
  /** As its operator said; absent for one that registered itself. How many there are: `connector-count.ts`. */
  readonly connector_count?: number
  /** How often the operator has changed the count: what the charge point named before counts no more. */
  readonly connector_count_changes?: number
  /** Per connector; absent where nobody has said it. */
  readonly max_power_kw?: number
  /** As its operator says; a client certificate may be in this name. No other charge point has it as id or serial number. */
  readonly serial_number?: string
  readonly site_id?: string
  /** Of its connectors; three when absent. */
  readonly phases?: 1 | 3
  /** The lines of the site that its conductors lead to; RST when absent. */
  readonly phase_rotation?: PhaseRotation
  readonly authorization_key?: AuthorizationKeyHash
  /** When a key was last set. Whoever connected before without one may not stay; a key that is only pushed leaves them. */
  readonly authorization_key_changed_at?: string
  /** A key that is being replaced: good until the charge point has logged in with the new one. */
  readonly previous_authorization_key?: AuthorizationKeyHash
  /** Those before it that nobody knows the charge point to have given up: it answered no push since. Good as long as the previous one. */
  readonly earlier_authorization_keys?: readonly AuthorizationKeyHash[]
  /** It is on its way to a password and may not have come to use it: until it has, it is let in without one too. Not when absent. */
  readonly without_password?: true
  /** Whether it must present a client certificate; when absent, it must once it has presented one. */
  readonly certificate_required?: boolean
  /** Its certificates from before this instant are good no more. */
  readonly certificates_revoked_at?: string
  /** Of those since then, the ones that were revoked by themselves and have not ended, with their ends. */
  readonly revoked_certificates?: readonly { readonly serial_number: string; readonly expires_at: string }[]
  /** Whether its certificate requests are signed although it has shown no certificate, and no password over TLS; not when absent. */
  readonly sign_without_password?: boolean
  /** Administrative block: BootNotification is answered Rejected. */
  readonly registration?: 'Accepted' | 'Pending' | 'Rejected'
  /** Seconds between the service's WebSocket pings; 0 for a charge point that breaks when pinged. */
  readonly ping_interval_seconds?: number
  /** Absent where no installer has registered it. */
  readonly installed?: Installed
  readonly created_at: string
  readonly updated_at: string
}

/** One that an installer has registered. */
export type InstalledChargePoint = ChargePoint & { readonly installed: Installed }

export function isInstalled(chargePoint: ChargePoint): chargePoint is InstalledChargePoint {
  return chargePoint.installed !== undefined
}

/** Whether it is its installer's: no organization has claimed it. */
export function isUnclaimed({ organization_id, installed }: ChargePoint): boolean {
  return installed?.installer_id === organization_id
}

/** Whether what is of this owner is of the charge point as it is registered now: its organization's, or its installer's from before the claim. */
export function isOwnedBy({ organization_id, installed }: ChargePoint, ownerId: string): boolean {
  return ownerId === organization_id || ownerId === installed?.installer_id
}

/** Ids that no charge point may have: they would hide behind the paths of other routes. */
export const reservedIds: ReadonlySet<string> = new Set(['bulk', 'history', 'search'])

/** Those with which it may connect: the newest, and those before it that it may still have. */
export function goodKeys(chargePoint: ChargePoint): readonly AuthorizationKeyHash[] {
  const { authorization_key, previous_authorization_key, earlier_authorization_keys = [] } = chargePoint
  return [authorization_key, previous_authorization_key, ...earlier_authorization_keys].filter(
    (key) => key !== undefined,
  )
}

/** Without the keys that were replaced, for one that has connected with the newest. */
export function withoutReplacedKeys(chargePoint: ChargePoint): ChargePoint {
  const { previous_authorization_key: _, earlier_authorization_keys: __, ...rest } = withPasswordAlone(chargePoint)
  return rest
}

/** For one that has connected with any of its keys. */
export function withPasswordAlone({ without_password: _, ...rest }: ChargePoint): ChargePoint {
  return rest
}

/** What the organization of a session has said of its connector; whoever has registered the id since may have said otherwise. */
export function maxPowerKwOf(
  registration: ChargePoint | undefined,
  { organization_id }: Pick<ChargePoint, 'organization_id'>,
): number | undefined {
  return registration?.organization_id === organization_id ? registration.max_power_kw : undefined
}

/** Ids and serial numbers are one set of names: a certificate in a name that two charge points have would be good for both. */
function namesOf({ charge_point_id, serial_number }: ChargePoint): readonly string[] {
  return [...new Set([charge_point_id, serial_number ?? charge_point_id].map((name) => name.toLowerCase()))]
}

/** That no other charge point has the name, as its id or its serial number. */
export function nameIsFree(name: string): Condition {
  return { table: chargePointsTable.name, index: 'byName', group: [name.toLowerCase()], is: 'below', total: 1 }
}

/** Degrees to cells of about 0.1 degree: a search reads the cells around a place, not the table. */
export const cellDegrees = 0.1

export const chargePointsTable = defineTable<ChargePoint>({
  name: 'charge_points',
  key: (row) => [row.charge_point_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    declaredConnectors: (row) =>
      row.connector_count === undefined ? [] : [{ group: [row.organization_id], weight: row.connector_count }],
    /** Nobody has counted the connectors of one that registered itself. */
    selfRegistered: (row) => (row.connector_count === undefined ? [{ group: [row.organization_id] }] : []),
    byShape: (row) => [{ group: [], order: [shapeOf(row.charge_point_id)] }],
    byReversedShape: (row) => [{ group: [], order: [reversed(shapeOf(row.charge_point_id))] }],
    byFoldedId: (row) => [{ group: [row.charge_point_id.toLowerCase()] }],
    byName: (row) => namesOf(row).map((name) => ({ group: [name] })),
    byInstaller: ({ installed }) => (installed === undefined ? [] : [{ group: [installed.installer_id] }]),
    unclaimedOfUnverified: (row) => (isUnclaimed(row) && row.installed?.by_unverified === true ? [{ group: [] }] : []),
    unclaimed: (row) => (isUnclaimed(row) ? [{ group: [] }] : []),
    byProject: ({ installed }) =>
      installed === undefined ? [] : [{ group: [installed.installer_id, installed.project_id] }],
    bySite: (row) => (row.site_id === undefined ? [] : [{ group: [row.organization_id, row.site_id] }]),
    withoutSite: (row) => (row.site_id === undefined ? [{ group: [row.organization_id] }] : []),
    byCell: (row) => [
      {
        group: [row.organization_id, Math.floor(row.latitude / cellDegrees)],
        order: [Math.floor(row.longitude / cellDegrees)],
      },
    ],
  },
})
