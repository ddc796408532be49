// What is on the disk of a world before its first process starts: organizations, their keys and tags, charge points and what these sell at,
// and the accounts of installers.

import { apiKeysTable } from '../../src/records/api-key.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { idTagsTable } from '../../src/records/id-tag.js'
import { installersTable, tokenSecretsTable } from '../../src/records/installer.js'
import { installationTable, type Organization, organizationsTable } from '../../src/records/organization.js'
import { encodeRow } from '../../src/runtime/codec.js'
import type { Change } from '../../src/runtime/store/store.js'
import type { Table } from '../../src/runtime/store/table.js'
import { operatorKeys, tokenSecret } from './api.js'
import type { Aspects } from './aspects.js'
import { installerIdOf, installerNumbers } from './boxes.js'
import { organizationIdOf, organizations, type SimulatedOrganization } from './organizations.js'
import { endpointRows, type Receiver } from './receivers.js'
import { roamingRows } from './roaming-partner.js'
import { type Stall, volts } from './stalls.js'
import { tariffRows } from './tariff.js'

export interface RegisteredChargePoint {
  readonly id: string
  readonly organization: number
  readonly connectors: number
}

const registeredTags = 20
const place = { latitude: 52, longitude: 13, address: '' }

export function registrationRows(
  chargePoints: readonly RegisteredChargePoint[],
  endpoints: readonly Receiver[],
  aspects: Aspects,
  stalls: readonly Stall[],
  now: number,
): Change[] {
  const at = new Date(now).toISOString()
  const put = <Row>(table: Table<Row>, row: Row): Change => ({
    type: 'put',
    table: table.name,
    key: table.key(row),
    row: encodeRow(row),
  })
  const made = { version: 1, created_at: at, updated_at: at }
  return [
    ...organizations.map((organization) =>
      put(organizationsTable, { ...organizationRow(organization, aspects), ...made }),
    ),
    // The first of them operates the installation: it issues the invoices of all.
    put(installationTable, { id: 'installation', default_organization_id: organizationIdOf(0), created_at: at }),
    ...operatorKeys(now).map((key) => put(apiKeysTable, key)),
    ...chargePoints.map(({ id, organization, connectors }) =>
      put(chargePointsTable, {
        charge_point_id: id,
        organization_id: organizationIdOf(organization),
        name: id,
        ...place,
        // Where nobody knows where it is, no partner sees it.
        ...(aspects.partners && { address: 'Quay 1, 1011 AB Amsterdam' }),
        connector_count: connectors,
        max_power_kw: 50,
        ...made,
      }),
    ),
    ...stalls.map(({ id, organization, connectors, phases, rotation, maxAmperes }) =>
      put(chargePointsTable, {
        ...place,
        charge_point_id: id,
        organization_id: organizationIdOf(organization),
        name: id,
        connector_count: connectors,
        max_power_kw: (maxAmperes * volts * phases) / 1000,
        phases,
        phase_rotation: rotation,
        ...made,
      }),
    ),
    ...chargePoints.slice(0, registeredTags).map(({ id, organization }) =>
      put(idTagsTable, {
        organization_id: organizationIdOf(organization),
        id_tag: `TAG${organization}-${id}-0`,
        status: 'Accepted',
        ...made,
      }),
    ),
    ...tariffRows(chargePoints, at, put),
    ...endpointRows(endpoints, at, put),
    ...(aspects.partners ? roamingRows(chargePoints, at, put) : []),
    ...(aspects.installers ? installerRows(at, put) : []),
  ]
}

function installerRows(at: string, put: <Row>(table: Table<Row>, row: Row) => Change): Change[] {
  return [
    put(tokenSecretsTable, { id: 'installers', secret: tokenSecret.toString('base64url'), created_at: at }),
    ...installerNumbers.map((installer) =>
      put(installersTable, {
        installer_id: installerIdOf(installer),
        version: 1,
        email: `installer-${installer}@example.com`,
        first_name: 'Ines',
        last_name: 'Example',
        company: 'Example Installations',
        token_generation: 1,
        terms: { version: '2026-01', accepted_at: at },
        created_at: at,
        updated_at: at,
      }),
    ),
  ]
}

function organizationRow(
  { id, timeZone, alertsOffline }: SimulatedOrganization,
  { periods }: Aspects,
): Omit<Organization, 'version' | 'created_at' | 'updated_at'> {
  return {
    organization_id: id,
    name: id,
    country: 'NL',
    contact_email: 'operations@example.com',
    plan: 'enterprise',
    unknown_id_tags: 'accept',
    time_zone: timeZone,
    // Shorter than an organization may set them: a world lasts for minutes.
    alert_thresholds: {
      charge_point_offline_minutes: alertsOffline ? 0.2 : null,
      connector_faulted_minutes: 0.1,
      webhook_failing_minutes: 0.2,
    },
    notification_preferences: { alert_emails: periods, weekly_report: periods },
  }
}
