// The client certificates that an installer gives a charge point.

import { Type } from 'typebox'
import { certificateNotInstalled } from '../../../alert-kinds/certificate-not-installed.js'
import { certificateRequestRefused } from '../../../alert-kinds/certificate-request-refused.js'
import { alertsTable } from '../../../records/alert.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { timestamp } from '../../pipeline/schemas.js'
import { certificateSchema, certificatesOf } from '../certificates/certificate-views.js'
import {
  generateBody,
  generateDescription,
  generatedCertificate,
  generateErrors,
  generateFor,
} from '../certificates/generate.js'
import { area, installerChargePoints } from './area.js'
import { requireNotHandedOver, requireUnclaimed } from './change-installed.js'
import { chargePointClaimed } from './errors.js'

const generateCertificate = area.route({
  method: 'POST',
  path: '/{charge_point_id}/certificates/generate',
  operationId: 'generateInstallerCertificate',
  summary: 'Issue a client certificate for a charge point, with a new key',
  description: `${generateDescription} An organization that claims the charge point takes its certificates over, and alone may issue others then.`,
  of: installerChargePoints,
  body: generateBody,
  bodyOptional: true,
  responses: { 201: generatedCertificate },
  errors: [...generateErrors, chargePointClaimed],
  sheddable: 'command',
  secret: true,
  handle: ({ params, principal, body }, services) =>
    generateFor(
      {
        body,
        issuedBy: `installer:${principal.installer.installer_id}`,
        read(reader) {
          const found = installerChargePoints.own(reader, principal, params.charge_point_id)
          requireUnclaimed(found)
          return found
        },
        refusal: (reason) => `ask the operator of the installation, who can set this right: ${reason}`,
      },
      services,
    ),
})

const certificateNotice = Type.Object({ at: timestamp(), message: Type.String() })

/** Those of an organization are among its alerts. */
function noticesOf({ charge_point_id, created_at, installed }: ChargePoint, view: ReadView) {
  const newest = [certificateRequestRefused, certificateNotInstalled].flatMap(({ name }) => {
    const group = [installed?.installer_id ?? '', name, charge_point_id]
    return view.listBy(alertsTable, 'bySubject', group, { reverse: true, limit: 1 })
  })
  const ofThis = newest.filter(({ triggered_at }) => triggered_at >= created_at)
  return ofThis.map(({ triggered_at: at, message }) => ({ at, message }))
}

const getCertificates = area.get('/{charge_point_id}/certificates', {
  operationId: 'getInstallerCertificates',
  summary: 'Get the client certificates that were issued for a charge point',
  description:
    'Newest first: all that are good, and those that were revoked, have expired, or are superseded, as far as there is room for 50 that are not revoked. Until the handover is complete.',
  of: installerChargePoints,
  errors: [chargePointClaimed],
  answer: Type.Object({
    charge_point_id: Type.String(),
    certificates: Type.Array(certificateSchema),
    notices: Type.Array(certificateNotice, {
      description:
        'Why a request of the charge point was not signed, or a certificate not installed: the newest of each until an organization claims the charge point, and at most one an hour.',
    }),
  }),
  read({ row }, services) {
    requireNotHandedOver(row)
    const { charge_point_id } = row
    return {
      charge_point_id,
      certificates: certificatesOf(row, services),
      notices: noticesOf(row, services.view()),
    }
  },
})

export const certificateRoutes = [generateCertificate, getCertificates]
