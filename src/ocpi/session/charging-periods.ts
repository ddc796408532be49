// The charging periods of a session (OCPI 2.2.1, 10.4.3), one for each stretch of charging or parking: its price is that of its start, so nothing
// else begins a new one. Numbers of OCPI have four decimals: energy is rounded up to a tenth of a Wh, which no step_size can tell from what
// was measured; hours are rounded down, and exact in the times of the periods.

import type { MeasuredSession, RegisterSample } from '../../pricing/session-facts.js'
import { writeDateTime } from '../date-time.js'
import type { CdrDimension, ChargingPeriod } from '../schemas/charging-period.js'
import { energyOverTime } from './energy-over-time.js'
import type { Stretch } from './stretches.js'

const unitsPerWhole = 10_000
/** mWh in the least energy that OCPI can say, and ms in the least time. */
const milliwattHoursPerUnit = 100
const msPerUnit = 360

/** Ten-thousandths of a kWh. */
function energyUnits({ energy }: MeasuredSession): number {
  return Math.ceil(energy.milliwattHours / milliwattHoursPerUnit)
}

export function kwhOf(session: MeasuredSession): number {
  return energyUnits(session) / unitsPerWhole
}

function hourUnits(ms: number): number {
  return Math.floor(ms / msPerUnit)
}

export function hoursOf(ms: number): number {
  return hourUnits(ms) / unitsPerWhole
}

export function chargingPeriods(
  session: MeasuredSession,
  samples: readonly RegisterSample[],
  stretches: readonly Stretch[],
  tariffId: string | undefined,
): [ChargingPeriod, ...ChargingPeriod[]] {
  const taken = energyOverTime(session, samples)
  const energy = energyUnits(session)
  // Of all stretches up to one, so that what rounding leaves over is in none twice.
  const spent = { charging: 0, parked: 0 }
  let before = 0
  const periods = stretches.map(({ from, to, isParked }): ChargingPeriod => {
    const after = to >= session.endedAt ? energy : Math.round(energy * taken(to))
    const volume = (after - before) / unitsPerWhole
    before = after
    const doing = isParked ? 'parked' : 'charging'
    const earlier = hourUnits(spent[doing])
    spent[doing] += to - from
    const time: CdrDimension = {
      type: isParked ? 'PARKING_TIME' : 'TIME',
      volume: (hourUnits(spent[doing]) - earlier) / unitsPerWhole,
    }
    return {
      start_date_time: writeDateTime(from),
      dimensions: volume > 0 ? [{ type: 'ENERGY', volume }, time] : [time],
      ...(tariffId !== undefined && { tariff_id: tariffId }),
    }
  })
  return periods as [ChargingPeriod, ...ChargingPeriod[]]
}
