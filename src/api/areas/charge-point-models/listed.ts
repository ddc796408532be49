// Which models an organization has before it: those of which something was learned in the installation, and those that it has charge points of.

import { chargePointStatesTable } from '../../../records/charge-point-state.js'
import { type ChargePointModel, modelOf } from '../../../records/conformance.js'
import { learnedOf, learnedTraitsTable, modelIdOf, traitsAtSitesTable } from '../../../records/model-traits.js'
import type { ModelTraits } from '../../../records/traits.js'
import { encodeKey } from '../../../runtime/store/storage/key-bytes.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Key } from '../../../runtime/store/table.js'
import { type BeginRead, longOncePaused } from '../../pipeline/long-reads.js'
import type { Page, PageQuery } from '../../pipeline/paging.js'
import { limits } from './limits.js'

export interface ListedModel extends ChargePointModel {
  readonly model_id: string
  /** Wall ms; absent where nothing was learned. */
  readonly learned_at?: number
  readonly traits: ModelTraits
}

const keyOf = ({ vendor, model, firmware_version }: ChargePointModel): Key => [vendor, model, firmware_version]

/** Behind every row of the model, and before the next one's. */
const behind = ({ vendor, model, firmware_version }: ChargePointModel): Key => [vendor, model, `${firmware_version}\0`]

function nextLearned(view: ReadView, from: Key): ChargePointModel | undefined {
  const [commissioned] = view.listBy(learnedTraitsTable, 'byModel', [], { from, limit: 1 })
  const [atSite] = view.listBy(traitsAtSitesTable, 'byModel', [], { from, limit: 1 })
  return earlier(commissioned, atSite)
}

function nextOwn(view: ReadView, organizationId: string, from: Key): ChargePointModel | undefined {
  const [state] = view.listBy(chargePointStatesTable, 'byModel', [organizationId], { from, limit: 1 })
  return state && modelOf(state.boot)
}

function earlier(one: ChargePointModel | undefined, other: ChargePointModel | undefined): ChargePointModel | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Buffer.compare(encodeKey(keyOf(one)), encodeKey(keyOf(other))) <= 0 ? one : other
}

function listed(view: ReadView, { vendor, model, firmware_version }: ChargePointModel): ListedModel {
  const model_id = modelIdOf({ vendor, model, firmware_version })
  return learnedOf(view, model_id) ?? { vendor, model, firmware_version, model_id, traits: {} }
}

/** By passing from one model to the next. */
export async function readModels(
  view: ReadView,
  organizationId: string,
  { offset, limit }: PageQuery,
  begin: BeginRead,
): Promise<Page<ListedModel>> {
  const models: ChargePointModel[] = []
  let total = 0
  let from: Key = []
  const read = longOncePaused(begin)
  try {
    for (;;) {
      const next = earlier(nextLearned(view, from), nextOwn(view, organizationId, from))
      if (next === undefined) break
      if (total >= offset && models.length < limit) models.push(next)
      from = behind(next)
      total++
      if (total % limits.learnedModelsPerStep === 0 && read.isOver()) await read.pause()
    }
  } finally {
    read.end()
  }
  return { rows: models.map((model) => listed(view, model)), total }
}

export function findModel(view: ReadView, organizationId: string, modelId: string): ListedModel | undefined {
  const learned = learnedOf(view, modelId)
  if (learned !== undefined) return learned
  let from: Key = []
  for (let passed = 0; passed < limits.ownModels; passed++) {
    const own = nextOwn(view, organizationId, from)
    if (own === undefined) return undefined
    if (modelIdOf(own) === modelId) return listed(view, own)
    from = behind(own)
  }
  return undefined
}
