// The side of the generator that plays what installers put on walls: whole charge points (../charge-point), because a commissioning asks them for most of what
// a charge point can do.

import type { ChargePoint } from '../charge-point/charge-point.js'
import { createSocketChargePoint } from '../client/socket-charge-point.js'
import { createTimetable } from '../client/timetable.js'
import type { Measure } from './measure.js'

/** They stay until the process ends; resolves when all have booted. */
export async function connectBoxes(url: string, ids: readonly string[], measure: Measure): Promise<void> {
  const timetable = createTimetable()
  await Promise.all(
    ids.map(
      (id) =>
        new Promise<void>((resolve) => {
          const chargePoint: ChargePoint = createSocketChargePoint(
            { id, url, timetable },
            {
              booted(status) {
                if (status === 'Accepted') measure.succeeded(0)
                else measure.failed(`BootNotification was answered with ${status}`)
                resolve()
              },
              disconnected(_code, reason) {
                measure.failed(`lost: ${reason}`)
                resolve()
              },
            },
          )
          chargePoint.start()
        }),
    ),
  )
}
