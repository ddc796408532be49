// The models of an organization's charge points that break rules: listed by passing from one to the next, so that a list costs its models and
// not their charge points. What each breaks is kept as sums.

import { chargePointStatesTable } from '../../../records/charge-point-state.js'
import { type Conformance, conformanceTable } from '../../../records/conformance.js'
import { deviationsTable, type StoredDeviation } from '../../../records/deviation.js'
import { groupKey, type ModelGroup } from '../../../records/model-group.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Key } from '../../../runtime/store/table.js'
import { type BeginRead, longOncePaused } from '../../pipeline/long-reads.js'
import type { Page, PageQuery } from '../../pipeline/paging.js'
import { limits } from './limits.js'

/** Which models; those of one are passed over one firmware after the other, or in one step. */
export interface Asked extends Partial<ModelGroup> {
  readonly byModel?: true
}

/** Of `total`, for the reference. */
export const totalNote = `\`total\` is exact up to ${limits.modelsCounted}. Beyond, it counts what is listed up to the end of the page, and one more if there is more.`

/** Behind every row of the model, and before the next one's. */
const behind = ({ vendor, model, firmware_version }: Conformance, byModel: boolean): Key =>
  byModel ? [vendor, `${model}\0`] : [vendor, model, `${firmware_version}\0`]

/**
 * One row of each model. All are counted only up to a bound: what charge points say of their firmware may be another for each of them. Beyond it, the total says that there is more, as long as there is.
 */
export async function readModels(
  view: ReadView,
  organizationId: string,
  asked: Asked,
  { offset, limit }: PageQuery,
  begin: BeginRead,
): Promise<Page<Conformance>> {
  const { vendor, model, firmware_version, byModel = false } = asked
  const rows: Conformance[] = []
  let total = 0
  let passed = 0
  let from: Key = vendor === undefined ? [] : [vendor]
  const to = vendor === undefined ? {} : { to: [`${vendor}\0`] }
  const read = longOncePaused(begin)
  try {
    for (;;) {
      const [row] = view.listBy(conformanceTable, 'byModel', [organizationId], { from, ...to, limit: 1 })
      if (row === undefined) return { rows, total }
      from = behind(row, byModel)
      const isAsked =
        (model === undefined || row.model === model) &&
        (firmware_version === undefined || row.firmware_version === firmware_version)
      if (isAsked) {
        if (total >= offset + limit && total >= limits.modelsCounted) return { rows, total: total + 1 }
        if (total >= offset && rows.length < limit) rows.push(row)
        total++
      }
      if (++passed % limits.modelsPerStep === 0 && read.isOver()) await read.pause()
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

export interface SummedDeviation {
  /** Of one of the charge points that do it. */
  readonly row: StoredDeviation
  readonly count: number
  readonly charge_points: number
}

export interface Sums {
  /** One of its charge points. */
  readonly row: Conformance
  readonly charge_points: number
  readonly deviating: number
  readonly violations: number
  /** What most charge points do comes first. */
  readonly deviations: readonly SummedDeviation[]
  /** There are more. */
  readonly isCut: boolean
}

/** Of the models of the rows, or of one firmware of each. */
export async function readSums(
  view: ReadView,
  rows: readonly Conformance[],
  { byModel, most }: { readonly byModel: boolean; readonly most: number },
  begin: BeginRead,
): Promise<readonly Sums[]> {
  const found: Sums[] = []
  let passed = 0
  const read = longOncePaused(begin)
  try {
    for (const row of rows) {
      const sums = sumsOf(view, row, byModel, most)
      found.push(sums)
      passed += sums.deviations.length
      if (passed < limits.modelsPerStep || !read.isOver()) continue
      await read.pause()
      passed = 0
    }
  } finally {
    read.end()
  }
  return found
}

function sumsOf(view: ReadView, row: Conformance, byModel: boolean, most: number): Sums {
  const { organization_id, vendor, model, firmware_version } = row
  const group = groupKey(organization_id, { vendor, model, ...(!byModel && { firmware_version }) })
  const kinds = most === 0 ? [] : kindsOf(view, group)
  const sorted = kinds.sort((one, other) => other.charge_points - one.charge_points || other.count - one.count)
  return {
    row,
    charge_points: view.total(chargePointStatesTable, 'ofModel', group),
    deviating: view.total(conformanceTable, 'ofGroup', group),
    violations: view.total(conformanceTable, 'violations', group),
    deviations: sorted.slice(0, most),
    isCut: kinds.length > most || kinds.length >= limits.kindsOfGroup || most === 0,
  }
}

/** By passing from one kind of deviation to the next. */
function kindsOf(view: ReadView, group: Key): SummedDeviation[] {
  const found: SummedDeviation[] = []
  let from: Key = []
  while (found.length < limits.kindsOfGroup) {
    const [row] = view.listBy(deviationsTable, 'kinds', group, { from, limit: 1 })
    if (row === undefined) break
    found.push({
      row,
      count: view.total(deviationsTable, 'occurrences', [...group, row.kind]),
      charge_points: view.total(deviationsTable, 'ofKind', [...group, row.kind]),
    })
    from = [`${row.kind}\0`]
  }
  return found
}
