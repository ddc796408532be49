// What whoever takes over a charge point from its installer has to know: who installed it, what was said of it, and what is still wrong with it.

import { type Static, Type } from 'typebox'
import { goodCertificates } from '../../../records/certificate.js'
import type { InstalledChargePoint } from '../../../records/charge-point.js'
import { issueCategories, issueSeverities, openIssuesOf } from '../../../records/commissioning-issue.js'
import { isInstallationOver } from '../../../records/installer-status.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { installedBy, installerNamed } from './installed-by.js'
import { limits } from './limits.js'

export const openIssueFields = {
  open_issue_count: Type.Integer({
    minimum: 0,
    description: 'Issues that the installer has reported and that are open.',
  }),
  open_issues: Type.Array(
    Type.Object({
      reference_number: Type.String({ examples: ['ISS-2026-000123'] }),
      category: Type.Enum([...issueCategories]),
      severity: Type.Enum([...issueSeverities]),
      description: Type.String(),
      created_at: timestamp(),
    }),
    {
      maxItems: limits.openIssuesShown,
      description: `The most severe come first; no more than ${limits.openIssuesShown}.`,
    },
  ),
}

export function openIssuesIn(view: ReadView, chargePoint: InstalledChargePoint) {
  const open = openIssuesOf(view, chargePoint)
  const open_issues = open
    .slice(0, limits.openIssuesShown)
    .map(({ reference_number, category, severity, description, created_at }) => ({
      reference_number,
      category,
      severity,
      description,
      created_at,
    }))
  return { open_issue_count: open.length, open_issues }
}

export const handoverSchema = Type.Object(
  {
    installer: installedBy,
    vendor: Type.String(),
    model: Type.String(),
    serial_number: Type.String(),
    registered_at: timestamp('When the installer registered the charge point.'),
    commissioned_at: nullable(timestamp('null if the charge point is not commissioned yet.')),
    note: nullable(
      Type.String({ description: 'What the installer may still do, and how to end that; null if its part is over.' }),
    ),
    good_certificate_count: Type.Integer({
      minimum: 0,
      description:
        'Client certificates with which the charge point can connect, whoever has issued them: the organization takes them over, and can revoke them.',
    }),
    ...openIssueFields,
  },
  { description: 'What the installer has said of the charge point; null if no installer had registered it.' },
)

export function handoverOf(
  chargePoint: InstalledChargePoint,
  { view: viewOf, clock }: Pick<Services, 'view' | 'clock'>,
): Static<typeof handoverSchema> {
  const view = viewOf()
  const { installer_id, vendor, model, serial_number, registered_at, commissioned_at = null } = chargePoint.installed
  const installer = installerNamed(view, installer_id)
  const said = { vendor, model, serial_number, registered_at, commissioned_at }
  const good_certificate_count = goodCertificates(view, chargePoint, clock.now())
  return { installer, ...said, note: noteOf(chargePoint), good_certificate_count, ...openIssuesIn(view, chargePoint) }
}

function noteOf({ charge_point_id, installed }: InstalledChargePoint): string | null {
  if (isInstallationOver(installed)) return null
  const path = `/api/v1/chargepoints/${charge_point_id}/installer`
  return `Until it declares the charge point commissioned, the installer may test it, also with a charge. DELETE ${path} ends that, for example if you do not know this installer.`
}
