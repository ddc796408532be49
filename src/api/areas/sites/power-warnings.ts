// What is taken as it was asked for, and does not work as it is: it does once something else has changed, such as a charge point that is yet
// to be installed.

import { type Static, Type } from 'typebox'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable } from '../../pipeline/schemas.js'
import { stateOf } from '../charge-points/charge-points.js'

const codes = ['never_connected', 'not_in_site', 'nobody_can_charge', 'schedule_not_used'] as const

const warningSchema = named('PowerWarning', {
  code: Type.Enum([...codes]),
  message: Type.String(),
  charge_point_id: nullable(Type.String({ description: 'The charge point that the warning is about.' })),
})

export const warningsSchema = Type.Array(warningSchema, {
  description: 'What has been stored and cannot work as it is.',
})

export type PowerWarning = Static<typeof warningSchema>

export function powerWarning(
  code: (typeof codes)[number],
  message: string,
  chargePointId: string | null = null,
): PowerWarning {
  return { code, message, charge_point_id: chargePointId }
}

/** Until it has connected and confirmed its standing limit, it is counted with all that it can draw. */
export function neverConnected(chargePoint: ChargePoint, view: ReadView): PowerWarning[] {
  const state = stateOf(view, chargePoint)
  if (state?.connection_epoch !== undefined || state?.connected_at !== undefined) return []
  const id = chargePoint.charge_point_id
  const message =
    `${id} has never been connected: the site sets aside all that it can draw until it has connected and has confirmed its standing limit. ` +
    'Link it once it is installed.'
  return [powerWarning('never_connected', message, id)]
}
