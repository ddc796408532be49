// The models of an organization's charge points that break rules: listed by passing from one to the next, so that a list costs its models and
// not their charge points. What each breaks is kept as sums.

import { type ChargePointModel, type Conformance, conformanceTable } from '../../../records/conformance.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Key } from '../../../runtime/store/table.js'
import { type BeginRead, longOncePaused } from '../../pipeline/long-reads.js'
import type { Page, PageQuery } from '../../pipeline/paging.js'
import { limits } from './limits.js'

/** Behind every row of the model, and before the next one's. */
const behind = ({ vendor, model, firmware_version }: ChargePointModel): Key => [vendor, model, `${firmware_version}\0`]

/** One row of each model. */
export async function readModels(
  view: ReadView,
  organizationId: string,
  { offset, limit }: PageQuery,
  begin: BeginRead,
): Promise<Page<Conformance>> {
  const rows: Conformance[] = []
  let total = 0
  let from: Key = []
  const read = longOncePaused(begin)
  try {
    for (;;) {
      const [row] = view.listBy(conformanceTable, 'byModel', [organizationId], { from, limit: 1 })
      if (row === undefined) return { rows, total }
      if (total >= offset && rows.length < limit) rows.push(row)
      total++
      from = behind(row)
      if (total % limits.modelsPerStep === 0 && read.isOver()) await read.pause()
    }
  } finally {
    read.end()
  }
}

const groupOf = (row: Conformance): Key => [row.organization_id, row.vendor, row.model, row.firmware_version]

/** How often charge points of the row's model have broken the rule. */
export function brokenTotal(view: ReadView, row: Conformance, rule: string): number {
  return view.total(conformanceTable, 'broken', [...groupOf(row), rule])
}

export function chargePointsOf(view: ReadView, row: Conformance): number {
  return view.total(conformanceTable, 'ofModel', groupOf(row))
}
