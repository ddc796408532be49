// The report of a commissioning, put together from what is stored of it and of its charge point.

import { chargeWith } from '../../../actors/commissioning/facts.js'
import { remoteStartTransaction } from '../../../ocpp16/index.js'
import { redacted } from '../../../ocpp16/secrets.js'
import { certificateStatus, certificatesGroup, certificatesTable } from '../../../records/certificate.js'
import { type InstalledChargePoint, isUnclaimed } from '../../../records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../records/charge-point-state.js'
import { registrationMark } from '../../../records/client-certificate.js'
import type { CommissioningSession } from '../../../records/commissioning.js'
import { commissioningIssuesTable, issuesOf } from '../../../records/commissioning-issue.js'
import type { CommissioningReport, ReportedCertificate, TestedCharge } from '../../../records/commissioning-report.js'
import { type ApplicationKey, configurationApplicationsTable } from '../../../records/configuration.js'
import { installersTable } from '../../../records/installer.js'
import { issuerOf, paperLayout } from '../../../records/issuer.js'
import { organizationsTable, unknownCountry } from '../../../records/organization.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { limits } from './limits.js'

/** A commissioning that is over. */
export type EndedSession = CommissioningSession & { readonly ended_at: string }

export function isEnded(session: CommissioningSession): session is EndedSession {
  return session.ended_at !== undefined && session.status !== 'running' && session.status !== 'paused'
}

interface Asked {
  readonly session: EndedSession
  readonly chargePoint: InstalledChargePoint
  /** Who asks, and whose turn it takes: an organization, or an installer. */
  readonly owner: string
  readonly now: number
}

export function reportOf(view: ReadView, { session, chargePoint, owner, now }: Asked): CommissioningReport {
  const { session_id, charge_point_id, status, template_id, configuration_template_id, hardware, connected_by } =
    session
  const { project_id, location, vendor, model, serial_number } = chargePoint.installed
  const charge = chargeOf(view, session, chargePoint)
  const keys = appliedKeys(view, session)
  const mayReadValues = owner === chargePoint.organization_id
  return {
    owner,
    layout: paperLayout,
    session: {
      session_id,
      charge_point_id,
      status,
      template_id,
      started_at: session.started_at,
      ended_at: session.ended_at,
      steps: session.steps.map(({ application_id: _, ...step }) => step),
      ...(configuration_template_id !== undefined && { configuration_template_id }),
    },
    ...installerOf(view, session),
    ...(!isUnclaimed(chargePoint) && {
      operator: issuerOf(view.get(organizationsTable, [chargePoint.organization_id])),
    }),
    place: { project_id, ...(location?.address !== undefined && { address: location.address }) },
    registered: { vendor, model, serial_number },
    ...(hardware !== undefined && { tested: hardware }),
    ...(connected_by !== undefined && { connected_by }),
    certificate: certificateOf(view, chargePoint, now),
    ...(keys !== undefined && { keys: mayReadValues ? keys : keys.map(withoutValue) }),
    ...(charge !== undefined && { charge }),
    issues: issuesIn(view, chargePoint),
  }
}

function installerOf(
  view: ReadView,
  { installer_id }: CommissioningSession,
): Pick<CommissioningReport, 'installer' | 'installer_name'> {
  const account = view.get(installersTable, [installer_id])
  if (account === undefined) return { installer: { name: installer_id, country: unknownCountry, contact_email: '' } }
  const { company, first_name, last_name, email } = account
  return {
    installer: { name: company, country: unknownCountry, contact_email: email },
    installer_name: `${first_name} ${last_name}`,
  }
}

function issuesIn(view: ReadView, { charge_point_id, installed }: InstalledChargePoint): CommissioningReport['issues'] {
  const { index, group } = issuesOf(charge_point_id, installed)
  const rows = view.listBy(commissioningIssuesTable, index, group, { limit: limits.issuesOfChargePoint })
  return rows.map(({ reference_number, severity, status, description, created_at }) => ({
    reference_number,
    severity,
    status,
    description,
    created_at,
  }))
}

/** That of the last remote start: a commissioning that was paused has had one before. */
function chargeOf(
  view: ReadView,
  session: CommissioningSession,
  chargePoint: InstalledChargePoint,
): TestedCharge | undefined {
  const step = session.steps.find(({ name }) => name === 'test_transaction')
  const start = step?.evidence.findLast(({ sent }) => sent === remoteStartTransaction.action)
  const idTag = start?.parameters?.idTag
  const charge = chargeWith(typeof idTag === 'string' ? idTag : undefined, session, chargePoint, view)
  if (charge === undefined) return undefined
  const { transaction_id, connector_id, id_tag, started_at, ended_at, energy_wh, meter_start, meter_stop } = charge
  return {
    transaction_id,
    connector_id,
    id_tag,
    started_at,
    meter_start,
    ...(ended_at !== undefined && { ended_at }),
    ...(energy_wh !== undefined && { energy_wh }),
    ...(meter_stop !== undefined && { meter_stop }),
  }
}

/** Undefined where none were applied, or others since. */
function appliedKeys(
  view: ReadView,
  { charge_point_id, steps }: CommissioningSession,
): readonly ApplicationKey[] | undefined {
  const id = steps.find(({ name }) => name === 'configuration')?.application_id
  const application = view.get(configurationApplicationsTable, [charge_point_id])
  return id !== undefined && application?.application_id === id ? application.keys : undefined
}

/** For an installer whose charge point is claimed: what it is configured with is its organization's. */
function withoutValue({ detail: _, ...key }: ApplicationKey): ApplicationKey {
  return { ...key, value: redacted }
}

/** The newest that the charge point has connected with. */
function certificateOf(view: ReadView, chargePoint: InstalledChargePoint, now: number): ReportedCertificate {
  const state: ChargePointState | undefined = view.get(chargePointStatesTable, [chargePoint.charge_point_id])
  if (state?.presented_certificate !== true) return { type: 'none' }
  const newest = state.newest_certificate
  if (newest === undefined || newest.registration !== registrationMark(chargePoint)) return { type: 'other' }
  const found = view
    .listBy(certificatesTable, 'ofRegistration', certificatesGroup(chargePoint), { reverse: true })
    .find(({ valid_from }) => Date.parse(valid_from) === newest.valid_from)
  if (found === undefined) return { type: 'other' }
  const { serial_number, valid_from, expires_at } = found
  return {
    type: 'issued',
    serial_number,
    valid_from,
    expires_at,
    status: certificateStatus(found, chargePoint, state, now),
  }
}
