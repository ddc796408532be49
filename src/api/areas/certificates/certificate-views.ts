// How certificates are shown.

import { type Static, Type } from 'typebox'
import {
  type Certificate,
  certificateStatus,
  certificateStatuses,
  certificatesGroup,
  certificatesTable,
} from '../../../records/certificate.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { chargePointStatesTable } from '../../../records/charge-point-state.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { limits } from './limits.js'

export const certificateId = Type.String({ maxLength: 64, examples: ['cert_01JD4XW5T8P1M6V3Q9R2S7K0ZB'] })

const shownOfAll = {
  certificate_id: certificateId,
  status: Type.Enum([...certificateStatuses], {
    description:
      '`superseded`: the charge point has connected with a newer one, and this one is refused. Of those that are `active`, each is good.',
  }),
  serial_number: Type.String({ description: 'In hexadecimal notation.' }),
  issued_at: timestamp(),
  expires_at: timestamp(),
  revoked_at: nullable(timestamp()),
}

export const certificateSchema = named('ClientCertificate', shownOfAll)

/** For the organization of the charge point, which has to know whom each was made for. */
export const issuedCertificateSchema = named('IssuedCertificate', {
  ...shownOfAll,
  issued_by: nullable(
    Type.String({
      description:
        'Who had the service make its key: a member (`user:`), an API key (`api_key:`), or `installer`: whoever has installed the charge point. null if the charge point has made the key itself, and sent a request.',
    }),
  ),
})

/** As its installer sees them, to whom nobody else of the organization is named. */
export function certificatesOf(
  chargePoint: ChargePoint,
  services: Pick<Services, 'view' | 'clock'>,
): Static<typeof certificateSchema>[] {
  return issuedCertificatesOf(chargePoint, services).map(({ issued_by: _, ...shown }) => shown)
}

/** Of the present registration, newest first. */
export function issuedCertificatesOf(
  chargePoint: ChargePoint,
  services: Pick<Services, 'view' | 'clock'>,
): Static<typeof issuedCertificateSchema>[] {
  const view = services.view()
  const now = services.clock.now()
  const state = view.get(chargePointStatesTable, [chargePoint.charge_point_id])
  const list = { reverse: true, limit: limits.shown }
  const rows: readonly Certificate[] = view.listBy(
    certificatesTable,
    'ofRegistration',
    certificatesGroup(chargePoint),
    list,
  )
  return rows.map((row) => {
    const { certificate_id, serial_number, issued_at, expires_at, issued_by = null } = row
    const status = certificateStatus(row, chargePoint, state, now)
    const all = chargePoint.certificates_revoked_at
    const revoked_at = row.revoked_at ?? (status === 'revoked' ? all : undefined) ?? null
    // Which installer it was is not for the organization.
    const shownBy = issued_by?.startsWith('installer:') === true ? 'installer' : issued_by
    return { certificate_id, status, serial_number, issued_at, expires_at, revoked_at, issued_by: shownBy }
  })
}
