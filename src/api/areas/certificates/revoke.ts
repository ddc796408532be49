// Revoking certificates: the registration says that they are good no more, and their records when that was.

import type { Certificate } from '../../../records/certificate.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { changeChargePoint } from '../charge-points/change-charge-point.js'
import { noteAllRevoked, noteRevoked } from '../charge-points/revoked-certificates.js'
import { tooManyRevoked } from './errors.js'
import { limits } from './limits.js'

export function revokeAll(draft: Draft, chargePoint: ChargePoint, services: Pick<Services, 'clock'>): void {
  const now = services.clock.now()
  noteAllRevoked(draft, chargePoint, now)
  const changed = { certificates_revoked_at: formatTimestamp(now), revoked_certificates: undefined }
  changeChargePoint(draft, chargePoint, changed, services)
}

/** Throws `too_many_revoked_certificates`. One that has been revoked before stays as it was. */
export function revokeOne(
  draft: Draft,
  chargePoint: ChargePoint,
  certificate: Certificate,
  services: Pick<Services, 'clock'>,
): void {
  if (certificate.revoked_at !== undefined) return
  const now = services.clock.now()
  const { serial_number, expires_at } = certificate
  const others = (chargePoint.revoked_certificates ?? []).filter((one) => Date.parse(one.expires_at) > now)
  if (others.length >= limits.revokedAlone)
    throw tooManyRevoked('revoke all certificates of the charge point, and issue a new one', {
      chargePointId: chargePoint.charge_point_id,
    })
  noteRevoked(draft, [certificate], now)
  changeChargePoint(draft, chargePoint, { revoked_certificates: [...others, { serial_number, expires_at }] }, services)
}
