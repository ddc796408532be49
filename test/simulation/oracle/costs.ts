// What sessions cost, worked out again from their rows alone: a session that ends under the worlds' tariff has its cost, and the row
// that explains it, in the same commit; one without a tariff has neither.

import { energyPriceCents, flatFeeCents, sellsAtTariff, taxPercentage } from '../tariff.js'
import type { DiskWatch, Row, RowChange } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface CostOracle {
  /** After a group of commits: how its sessions have changed. */
  written(sessions: readonly RowChange[]): void
}

export const costTables = ['session_costs']

/** Half up, as decided for money. */
const rounded = (cents: number): number => Math.floor(cents + 0.5)

/** What so much energy costs at the worlds' tariff, with tax. */
export function costCents(energyWh: number): number {
  const subtotal = rounded((energyWh * energyPriceCents) / 1000 + flatFeeCents)
  return subtotal + rounded((subtotal * taxPercentage) / 100)
}

export function createCostOracle(verdict: Verdict, disk: DiskWatch): CostOracle {
  const { check } = verdict
  const explained = new Map<unknown, Row>()

  function ended(session: Row): void {
    const { session_id: id, cost, charge_point_id: chargePointId } = session
    const row = explained.get(id)
    if (!sellsAtTariff(String(chargePointId))) {
      check('cost', cost === undefined && row === undefined, () => `${id} costs ${cost} without a tariff`)
      return
    }
    const expected = costCents(Number(session.energy_wh)) / 100
    check('cost', cost === expected, () => `${id} took ${session.energy_wh} Wh and costs ${cost}, not ${expected}`)
    const priced = row?.priced as { total: number; subtotal: number; tax: number; lines: { amount: number }[] }
    check('cost', priced?.total === cost, () => `${id} costs ${cost}, its explanation says ${priced?.total}`)
    if (priced === undefined) return
    const cents = priced.lines.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    check('cost', cents === Math.round(priced.subtotal * 100), () => `the lines of ${id} sum to ${cents} cents`)
  }

  return {
    written(sessions) {
      for (const { after } of disk.changes('session_costs'))
        if (after !== undefined) explained.set(after.session_id, after)
      for (const { before, after } of sessions) {
        if (after === undefined) continue
        const same = before === undefined || before.tariff_snapshot === after.tariff_snapshot
        check('cost', same, () => `${after.session_id} has another tariff than at its start`)
        if (after.status === 'active')
          check('cost', after.cost === undefined, () => `${after.session_id} runs and has a cost`)
        else ended(after)
      }
    },
  }
}
