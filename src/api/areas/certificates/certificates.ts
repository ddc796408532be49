// The client certificates of a charge point (security profile 3): how its organization issues, lists and revokes them.

import { Type } from 'typebox'
import { type Certificate, certificatesTable } from '../../../records/certificate.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { registrationName } from '../../../records/client-certificate.js'
import { notFound } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import { principalName } from '../../surfaces/principal.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import { area, chargePoints } from '../charge-points/area.js'
import { certificateId, issuedCertificateSchema, issuedCertificatesOf } from './certificate-views.js'
import { tooManyRevoked } from './errors.js'
import { generateBody, generateDescription, generatedCertificate, generateErrors, generateFor } from './generate.js'
import { revokeAll, revokeOne } from './revoke.js'

const generateCertificate = area.route({
  method: 'POST',
  path: '/chargepoints/{charge_point_id}/certificates/generate',
  operationId: 'generateCertificate',
  requires: [recentSignIn],
  summary: 'Issue a client certificate for a charge point, with a new key',
  description: generateDescription,
  of: chargePoints,
  body: generateBody,
  bodyOptional: true,
  responses: { 201: generatedCertificate },
  errors: generateErrors,
  sheddable: 'command',
  secret: true,
  handle: ({ params, principal, body }, services) =>
    generateFor(
      {
        body,
        issuedBy: principalName(principal),
        read: (reader) => chargePoints.own(reader, principal, params.charge_point_id),
      },
      services,
    ),
})

const getCertificates = area.get('/chargepoints/{charge_point_id}/certificates', {
  operationId: 'getCertificates',
  summary: 'Get the client certificates that the service has issued for a charge point',
  description:
    'Those of the present registration, newest first: all that are good, and those that were revoked, have expired, or are superseded, as far as there is room for 50 that are not revoked. Certificates that your authority has issued elsewhere are not shown.',
  of: chargePoints,
  answer: Type.Object({
    charge_point_id: Type.String(),
    certificates: Type.Array(issuedCertificateSchema),
    revoked_at: nullable(timestamp('When all certificates of the charge point were last revoked.')),
  }),
  read({ row }, services) {
    const { charge_point_id, certificates_revoked_at: revoked_at } = row
    return { charge_point_id, certificates: issuedCertificatesOf(row, services), revoked_at: revoked_at ?? null }
  },
})

const revokeCertificates = area.delete('/chargepoints/{charge_point_id}/certificates', {
  operationId: 'revokeCertificates',
  summary: 'Revoke every client certificate of a charge point',
  description:
    'Certificates that the service has issued for the charge point so far are refused from now on, and so are those of your authority that became ' +
    'valid before. A connection that was made with a certificate is closed. The charge point may come back with its password, if it has one, and get ' +
    'a new certificate. Deleting a charge point revokes the certificates that the service has issued for it, too.',
  of: chargePoints,
  answer: null,
  change({ row }, draft, services) {
    revokeAll(draft, row, services)
    return undefined
  },
})

const revokeCertificate = area.delete('/chargepoints/{charge_point_id}/certificates/{certificate_id}', {
  operationId: 'revokeCertificate',
  summary: 'Revoke one client certificate of a charge point',
  description:
    'The certificate is refused from now on, and a connection that was made with it is closed. Others of the charge point stay good.',
  of: chargePoints,
  params: { certificate_id: certificateId },
  answer: null,
  errors: [tooManyRevoked],
  change({ row, params }, draft, services) {
    revokeOne(draft, row, certificateOf(draft, row, params.certificate_id), services)
    return undefined
  },
})

/** Throws `not_found`, also for one of an earlier registration. */
function certificateOf(draft: Draft, chargePoint: ChargePoint, id: string): Certificate {
  const found = draft.get(certificatesTable, [id])
  const isOwn =
    found?.charge_point_id === chargePoint.charge_point_id && found.registration === registrationName(chargePoint)
  if (found === undefined || !isOwn)
    throw notFound('there is no such certificate', { chargePointId: chargePoint.charge_point_id })
  return found
}

export const certificateRoutes = [generateCertificate, getCertificates, revokeCertificates, revokeCertificate]
