// What charge points of one vendor, model and firmware version are like: what commissioning and the sites have seen of each, and what an organization says
// instead, for its own charge points alone. What was seen counts for others only once an organization has claimed the charge point: anybody can sign up as an
// installer and have a box say what it likes under the name of a common model. Each organization has one vote, however many charge points it has.

import { createHash } from 'node:crypto'
import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import { type ChargePoint, isUnclaimed } from './charge-point.js'
import type { ChargePointModel } from './conformance.js'
import { isInstallerId } from './installer.js'
import { installationTable } from './organization.js'
import { believedTraits, corrected, type ModelTraits, type TraitsCorrections } from './traits.js'

/** What commissioning has seen of one charge point. Written by its commissioning actor alone. */
export interface LearnedTraits extends ChargePointModel {
  readonly charge_point_id: string
  /** Whose vote it is: of a charge point that no organization has claimed, the id of its installer. */
  readonly organization_id: string
  /** Of the registration that was commissioned. */
  readonly installer_id: string
  readonly registered_at: string
  readonly model_id: string
  /** Wall ms. */
  readonly learned_at: number
  readonly traits: ModelTraits
}

const keptMs = 2 * 365 * 24 * 3_600_000

export const learnedTraitsTable = defineTable<LearnedTraits>({
  name: 'learned_traits',
  key: (row) => [row.charge_point_id],
  importance: 'operation',
  indexes: {
    /** Rows of one model stand together, so that a list of models passes from one to the next; those of unclaimed charge points are not listed. */
    byModel: (row) =>
      isInstallerId(row.organization_id) ? [] : [{ group: [], order: [row.vendor, row.model, row.firmware_version] }],
    /** Rows of one organization stand together. */
    organizationsOfModel: (row) =>
      isInstallerId(row.organization_id) ? [] : [{ group: [row.model_id], order: [row.organization_id] }],
    ofModel: (row) => [{ group: [row.model_id, row.organization_id], order: [row.learned_at] }],
    byTime: (row) => [{ group: [], order: [row.learned_at] }],
  },
  uncounted: ['byModel', 'organizationsOfModel', 'ofModel', 'byTime'],
  retention: { timeOf: (row) => row.learned_at, index: 'byTime', milliseconds: keptMs },
})

/** What a managed site has seen of one of its charge points, which organizations alone have. Written by the site's actor alone. */
export interface TraitsAtSite extends ChargePointModel {
  readonly charge_point_id: string
  readonly organization_id: string
  readonly model_id: string
  /** Wall ms. */
  readonly learned_at: number
  readonly traits: ModelTraits
}

export const traitsAtSitesTable = defineTable<TraitsAtSite>({
  name: 'traits_at_sites',
  key: (row) => [row.charge_point_id],
  importance: 'operation',
  indexes: {
    byModel: (row) => [{ group: [], order: [row.vendor, row.model, row.firmware_version] }],
    organizationsOfModel: (row) => [{ group: [row.model_id], order: [row.organization_id] }],
    ofModel: (row) => [{ group: [row.model_id, row.organization_id], order: [row.learned_at] }],
    byTime: (row) => [{ group: [], order: [row.learned_at] }],
  },
  uncounted: ['byModel', 'organizationsOfModel', 'ofModel', 'byTime'],
  retention: { timeOf: (row) => row.learned_at, index: 'byTime', milliseconds: keptMs },
})

/** What an organization says of a model instead. */
export interface TraitsCorrection {
  readonly organization_id: string
  readonly model_id: string
  readonly version: number
  readonly traits: TraitsCorrections
  readonly updated_at: string
}

export const traitsCorrectionsTable = defineTable<TraitsCorrection>({
  name: 'traits_corrections',
  key: (row) => [row.organization_id, row.model_id],
  indexes: { byOrganization: (row) => [{ group: [row.organization_id] }] },
})

const digestCharacters = 26

/** The same for everybody. */
export function modelIdOf({ vendor, model, firmware_version }: ChargePointModel): string {
  const digest = createHash('sha256').update(JSON.stringify([vendor, model, firmware_version]))
  return `mdl_${digest.digest('hex').slice(0, digestCharacters)}`
}

/** Organizations that have a vote about a model, those that have been there for longest: nobody loses theirs to others that come later. */
const organizationsAsked = 25
/** Of each, the charge points that have shown something last, in commissioning and at sites: its vote is what most of them have shown. */
const chargePointsOfOne = 7

/** What is believed of a model, and since when. */
export interface BelievedModel extends ChargePointModel {
  readonly model_id: string
  /** Wall ms. */
  readonly learned_at: number
  readonly traits: ModelTraits
}

/** What is believed of a model; undefined where nobody who is trusted has seen any. `installerId`: who has a vote of their own about it. */
export function learnedOf(view: ReadView, modelId: string, installerId?: string): BelievedModel | undefined {
  const voters = [...organizationsWith(view, modelId), ...(installerId === undefined ? [] : [installerId])]
  const votes = voters.flatMap((voter) => voteOf(view, modelId, voter) ?? [])
  const [first] = votes
  if (first === undefined) return undefined
  const learned_at = Math.max(...votes.map((vote) => vote.learned_at))
  return { ...first, learned_at, traits: believedTraits(votes.map(({ traits }) => traits)) }
}

function organizationsWith(view: ReadView, modelId: string): readonly string[] {
  const found: string[] = []
  while (found.length < organizationsAsked) {
    const from = found.length === 0 ? [] : [`${found.at(-1)}\0`]
    const next = [
      ...view.listBy(learnedTraitsTable, 'organizationsOfModel', [modelId], { from, limit: 1 }),
      ...view.listBy(traitsAtSitesTable, 'organizationsOfModel', [modelId], { from, limit: 1 }),
    ].map(({ organization_id }) => organization_id)
    const [first] = next.sort()
    if (first === undefined) break
    found.push(first)
  }
  return found
}

function voteOf(view: ReadView, modelId: string, voter: string): BelievedModel | undefined {
  const query = { reverse: true, limit: chargePointsOfOne }
  const commissioned = view.listBy(learnedTraitsTable, 'ofModel', [modelId, voter], query)
  const atSites = view.listBy(traitsAtSitesTable, 'ofModel', [modelId, voter], query)
  const newest = [...commissioned, ...atSites].sort((one, other) => other.learned_at - one.learned_at)[0]
  if (newest === undefined) return undefined
  const { vendor, model, firmware_version, model_id, learned_at } = newest
  // What they show is not the same.
  const traits = { ...believedOf(commissioned), ...believedOf(atSites) }
  return { vendor, model, firmware_version, model_id, learned_at, traits }
}

function believedOf(rows: readonly { readonly traits: ModelTraits }[]): ModelTraits {
  return believedTraits(rows.map(({ traits }) => traits))
}

/**
 * What an organization says of a model, and what its own charge points have shown. What takes power from a site follows it alone: nobody else's
 * charge points may.
 */
export function ownTraits(view: ReadView, modelId: string, organizationId: string): ModelTraits {
  const shown = voteOf(view, modelId, organizationId)?.traits ?? {}
  return corrected(shown, view.get(traitsCorrectionsTable, [organizationId, modelId])?.traits ?? {})
}

/** What is known of the model as concerns the charge point. Before it is claimed, the operator of the installation says what it is like. */
export function traitsFor(view: ReadView, model: ChargePointModel, chargePoint: ChargePoint): ModelTraits {
  const modelId = modelIdOf(model)
  const { organization_id, installed } = chargePoint
  const operatorId = view.get(installationTable, ['installation'])?.default_organization_id ?? ''
  const owner = isUnclaimed(chargePoint) ? operatorId : organization_id
  const learned = learnedOf(view, modelId, installed?.installer_id)?.traits ?? {}
  return corrected(learned, view.get(traitsCorrectionsTable, [owner, modelId])?.traits ?? {})
}
