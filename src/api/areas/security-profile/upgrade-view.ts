// How the API shows the way of a charge point to a higher security profile.

import { Type } from 'typebox'
import { type ChargePoint, isOwnedBy } from '../../../records/charge-point.js'
import {
  currentUpgradeStep,
  type SecurityUpgrade,
  securityUpgradesTable,
  upgradeReasons,
  upgradeStatuses,
  upgradeStepNames,
  upgradeStepStatuses,
} from '../../../records/security-upgrade.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'

const profile = (description?: string) =>
  Type.Integer({ minimum: 0, maximum: 3, ...(description !== undefined && { description }) })
const stepName = () => Type.Enum([...upgradeStepNames])

export const securityProfileSchema = named('ChargePointSecurityProfile', {
  charge_point_id: Type.String(),
  security_profile: nullable(
    profile(
      'The profile of its connection, or of the last one, as the service sees it; null before the first. Without a password, it is 0 over TLS too.',
    ),
  ),
  upgrade_id: nullable(Type.String()),
  status: nullable(
    Type.Enum([...upgradeStatuses], { description: 'null where nobody has asked for a higher profile.' }),
  ),
  reason: nullable(
    Type.Enum([...upgradeReasons], {
      description:
        'Why it has failed. `refused`: the charge point has refused a step. `no_answer`: it has not answered a step three times. `no_certificate`: it has not come to have a ' +
        'certificate. `certificates_revoked`: every certificate that it has got was revoked before it came with one. `too_many_keys`: too many passwords wait for it to connect with one of them. `deadline`: it has not come in the new way in time.',
    }),
  ),
  from_security_profile: nullable(profile()),
  target_security_profile: nullable(profile()),
  step: nullable(Type.Enum([...upgradeStepNames], { description: 'The step that it is at, or that has failed.' })),
  step_security_profile: nullable(
    profile('What the step leads to: on its way from 0 to 3, a charge point comes by 2.'),
  ),
  since: nullable(timestamp('Since when it is at the step.')),
  until: nullable(timestamp('If the charge point has not come in the new way by then, the upgrade has failed.')),
  missing: Type.Array(stepName(), { description: 'The steps that are still to be done, in their order.' }),
  begun_by: nullable(Type.String()),
  begun_at: nullable(timestamp()),
  ended_at: nullable(timestamp()),
  steps: Type.Array(
    Type.Object({
      name: stepName(),
      security_profile: profile(),
      status: Type.Enum([...upgradeStepStatuses]),
      attempts: Type.Integer(),
      started_at: nullable(timestamp()),
      ended_at: nullable(timestamp()),
      detail: nullable(Type.String()),
    }),
  ),
})

const nothing = {
  upgrade_id: null,
  status: null,
  reason: null,
  from_security_profile: null,
  target_security_profile: null,
  step: null,
  step_security_profile: null,
  since: null,
  until: null,
  missing: [],
  begun_by: null,
  begun_at: null,
  ended_at: null,
  steps: [],
}

export function securityProfileView(services: Pick<Services, 'view'>, chargePoint: ChargePoint) {
  const stored = services.view().get(securityUpgradesTable, [chargePoint.charge_point_id])
  const upgrade = stored !== undefined && isOwnedBy(chargePoint, stored.organization_id) ? stored : undefined
  return upgradeView(services, chargePoint, upgrade)
}

/** `upgrade`: as its actor has just said, where the view may not have it yet. */
export function upgradeView(
  services: Pick<Services, 'view'>,
  chargePoint: ChargePoint,
  upgrade: SecurityUpgrade | undefined,
) {
  const now = {
    charge_point_id: chargePoint.charge_point_id,
    security_profile: stateOf(services.view(), chargePoint)?.security_profile ?? null,
  }
  if (upgrade === undefined) return { ...now, ...nothing }
  const at = currentUpgradeStep(upgrade) ?? upgrade.steps.find(({ status }) => status === 'failed')
  const missing = upgrade.steps.filter(({ status }) => status !== 'passed' && status !== 'skipped')
  return {
    ...now,
    upgrade_id: upgrade.upgrade_id,
    status: upgrade.status,
    reason: upgrade.reason ?? null,
    from_security_profile: upgrade.from,
    target_security_profile: upgrade.to,
    step: at?.name ?? null,
    step_security_profile: at?.security_profile ?? null,
    since: at === undefined ? null : (at.started_at ?? upgrade.begun_at),
    until: upgrade.until,
    missing: missing.map(({ name }) => name),
    begun_by: upgrade.begun_by,
    begun_at: upgrade.begun_at,
    ended_at: upgrade.ended_at ?? null,
    steps: upgrade.steps.map(({ name, security_profile, status, attempts, started_at, ended_at, detail }) => ({
      name,
      security_profile,
      status,
      attempts,
      started_at: started_at ?? null,
      ended_at: ended_at ?? null,
      detail: detail ?? null,
    })),
  }
}
