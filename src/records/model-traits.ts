// What charge points of one vendor, model and firmware version are like: what commissioning has seen of each, and what an organization says instead,
// for its own charge points alone. What was seen counts for others only once an organization has claimed the charge point: anybody can sign up as an
// installer and have a box say what it likes under the name of a common model.

import { createHash } from 'node:crypto'
import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import { type ChargePoint, chargePointsTable, isUnclaimed } from './charge-point.js'
import type { ChargePointModel } from './conformance.js'
import { installationTable } from './organization.js'

export const chargingRateUnits = ['A', 'W'] as const
export type ChargingRateUnit = (typeof chargingRateUnits)[number]

/** What is absent is not known. */
export interface ModelTraits {
  readonly answers_pings?: boolean
  /** By OCPP action: whether it is implemented. */
  readonly actions?: Readonly<Record<string, boolean>>
  /** By the message that TriggerMessage asks for: whether it is sent on request. */
  readonly triggers?: Readonly<Record<string, boolean>>
  /** Configuration keys that were refused. */
  readonly refused_keys?: readonly string[]
  /** The units of limits. */
  readonly charging_rate_units?: readonly ChargingRateUnit[]
  /** The purposes of charging profiles that are taken. */
  readonly profile_purposes?: readonly string[]
}

type Corrected<Value> =
  Value extends Readonly<Record<string, boolean>> ? Readonly<Record<string, boolean | null>> : Value | null

/** null: not known, whatever was learned. What is absent stays as it was learned. */
export type TraitsCorrections = { readonly [Trait in keyof ModelTraits]?: Corrected<NonNullable<ModelTraits[Trait]>> }

/** What commissioning has seen of one charge point. Written by its commissioning actor alone. */
export interface LearnedTraits extends ChargePointModel {
  readonly charge_point_id: string
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
    /** Rows of one model stand together, so that a list of models passes from one to the next. */
    byModel: (row) => [{ group: [], order: [row.vendor, row.model, row.firmware_version] }],
    ofModel: (row) => [{ group: [row.model_id], order: [row.learned_at] }],
    byTime: (row) => [{ group: [], order: [row.learned_at] }],
  },
  uncounted: ['byModel', 'ofModel', 'byTime'],
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

/** Charge points of a model that are believed, the newest first: what none of them has shown is found out again. */
const believed = 8
/** Beyond so many that were commissioned later, and that nobody has claimed yet, none is looked for. */
const lookedAt = 200

/** What commissionings have seen of a model; undefined where nobody who is trusted has seen any. `installerId`: who trusts their own charge points. */
export function learnedOf(view: ReadView, modelId: string, installerId?: string): LearnedTraits | undefined {
  const trusted: LearnedTraits[] = []
  for (let offset = 0; offset < lookedAt && trusted.length < believed; offset += believed) {
    const query = { reverse: true, offset, limit: believed }
    const rows = view.listBy(learnedTraitsTable, 'ofModel', [modelId], query)
    trusted.push(
      ...rows.filter((row) => isTrusted(view.get(chargePointsTable, [row.charge_point_id]), row, installerId)),
    )
    if (rows.length < believed) break
  }
  const [newest] = trusted
  return (
    newest && {
      ...newest,
      traits: trusted
        .slice(0, believed)
        .map(({ traits }) => traits)
        .reduce(known),
    }
  )
}

function isTrusted(
  chargePoint: ChargePoint | undefined,
  { installer_id, registered_at }: LearnedTraits,
  installerId: string | undefined,
): boolean {
  const installed = chargePoint?.installed
  if (chargePoint === undefined || installed === undefined) return false
  if (installed.installer_id !== installer_id || installed.registered_at !== registered_at) return false
  return !isUnclaimed(chargePoint) || installer_id === installerId
}

/** What the newer says, and what the older says beside that. */
export function known(newer: ModelTraits, older: ModelTraits): ModelTraits {
  return {
    ...older,
    ...newer,
    ...(older.actions !== undefined && { actions: { ...older.actions, ...newer.actions } }),
    ...(older.triggers !== undefined && { triggers: { ...older.triggers, ...newer.triggers } }),
  }
}

const withoutNulls = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

export function corrected(learned: ModelTraits, { actions, triggers, ...plain }: TraitsCorrections): ModelTraits {
  return withoutNulls({
    ...learned,
    ...plain,
    ...(actions !== undefined && { actions: withoutNulls({ ...learned.actions, ...actions }) }),
    ...(triggers !== undefined && { triggers: withoutNulls({ ...learned.triggers, ...triggers }) }),
  })
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
