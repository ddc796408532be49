// The client certificates of a charge point (security profile 3): those that the service has signed, and how they are revoked.

import { Type } from 'typebox'
import { isRevoked } from '../../../records/client-certificate.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, chargePoints } from '../charge-points/area.js'
import { changeChargePoint } from '../charge-points/change-charge-point.js'
import { stateOf } from '../charge-points/charge-points.js'

const certificateSchema = named('ClientCertificate', {
  serial_number: Type.String({ description: 'In hexadecimal notation.' }),
  issued_at: timestamp(),
  expires_at: timestamp(),
})

const getCertificates = area.get('/chargepoints/{charge_point_id}/certificates', {
  operationId: 'getCertificates',
  summary: 'Get the client certificates that the service has signed for a charge point',
  description:
    'The newest certificates that have not been revoked, newest first. Certificates that your authority has issued elsewhere are not shown.',
  of: chargePoints,
  answer: Type.Object({
    charge_point_id: Type.String(),
    certificates: Type.Array(certificateSchema),
    revoked_at: nullable(timestamp('When the certificates of the charge point were last revoked.')),
  }),
  read({ row }, services) {
    const { charge_point_id, certificates_revoked_at: revoked_at } = row
    const { certificates = [] } = stateOf(services.view(), row) ?? {}
    const living = certificates.filter(
      ({ serial_number, issued_at }) => !isRevoked({ serialNumber: serial_number, validFrom: issued_at }, row),
    )
    return { charge_point_id, certificates: [...living], revoked_at: revoked_at ?? null }
  },
})

const revokeCertificates = area.delete('/chargepoints/{charge_point_id}/certificates', {
  operationId: 'revokeCertificates',
  summary: 'Revoke every client certificate of a charge point',
  description:
    'Certificates that the service has signed for the charge point so far are refused from now on, and so are those of your authority that became ' +
    'valid before. A connection that was made with a certificate is closed. The charge point may come back with its password, if it has one, and get ' +
    'a new certificate. Deleting a charge point revokes the certificates that the service has signed for it, too.',
  of: chargePoints,
  answer: null,
  change({ row }, draft, services) {
    changeChargePoint(draft, row, { certificates_revoked_at: formatTimestamp(services.clock.now()) }, services)
    return undefined
  },
})

export const certificateRoutes = [getCertificates, revokeCertificates]
