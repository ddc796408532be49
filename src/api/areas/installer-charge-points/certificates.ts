// The client certificates that an installer gives a charge point.

import { Type } from 'typebox'
import { certificateSchema, certificatesOf } from '../certificates/certificate-views.js'
import {
  generateBody,
  generateDescription,
  generatedCertificate,
  generateErrors,
  generateFor,
} from '../certificates/generate.js'
import { area, installerChargePoints } from './area.js'
import { requireUnclaimed } from './change-installed.js'
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
      },
      services,
    ),
})

const getCertificates = area.get('/{charge_point_id}/certificates', {
  operationId: 'getInstallerCertificates',
  summary: 'Get the client certificates that were issued for a charge point',
  description: 'Newest first: the newest 50, those that have expired included, and those that were revoked.',
  of: installerChargePoints,
  answer: Type.Object({ charge_point_id: Type.String(), certificates: Type.Array(certificateSchema) }),
  read: ({ row }, services) => ({
    charge_point_id: row.charge_point_id,
    certificates: certificatesOf(row, services),
  }),
})

export const certificateRoutes = [generateCertificate, getCertificates]
