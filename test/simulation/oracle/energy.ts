// What charges have taken, held against what has really flowed: whatever their registers did meanwhile, and whoever ended them.

import type { Charge } from '../charge-point/charges.js'
import type { Row } from './disk-watch.js'
import type { Verdict } from './verdict.js'

/** Of a row of a session as it reaches the disk. */
export function checkEnergy({ check }: Verdict, row: Row, charge: Charge): void {
  if (row.status === 'active') return
  const { session_id: id, energy_wh: energy, meter_start: start, meter_stop: stop } = row as Record<string, number>
  if (row.status === 'estimated') {
    const known = energy === 0 || charge.metered.includes(Number(energy))
    check('energy', known, () => `session ${id} is estimated at ${energy} Wh, metered were ${charge.metered.join()}`)
    check(
      'energy',
      energy === Number(stop) - Number(start),
      () => `session ${id}: ${energy} Wh from ${start} to ${stop}`,
    )
    return
  }
  check('energy', stop === charge.meterStop, () => `session ${id} ends at ${stop}, the charge at ${charge.meterStop}`)
  check(
    'energy',
    energy === charge.taken(),
    () => `session ${id} took ${charge.taken()} Wh, not ${energy}: ${oddities()}`,
  )
  const flags = row.flags as readonly string[]
  const told = (flag: string, is: boolean): void =>
    check('energy', flags.includes(flag) === is, () => `session ${id} has the flags ${flags.join()}: ${oddities()}`)
  told('meter_rolled_over', charge.rolledOver)
  told('meter_reset', charge.reset)

  function oddities(): string {
    const did = [charge.rolledOver && 'has rolled over', charge.reset && 'was reset'].filter(Boolean).join(' and ')
    return `its register ${did || 'has gone on'}, from ${start} to ${stop} Wh`
  }
}
