// What the charge points of a site have shown of their models: whether they keep their limits over a boot, and draw no more than they allow. It is
// stored when it is new, and counts for what is believed of the model.

import { traitsAtSitesTable } from '../../records/model-traits.js'
import type { ModelTraits } from '../../records/traits.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import type { ChargerState } from './state.js'

/** One that has failed once is not taken for reliable again, until it has another firmware. */
export function noteShown(charger: ChargerState, trait: 'keeps_profiles' | 'obeys_limits', value: boolean): void {
  if (charger.facts.model === undefined || charger.shown[trait] === false || charger.shown[trait] === value) return
  charger.shown = { ...charger.shown, [trait]: value } satisfies ModelTraits
}

export function storeShown(charger: ChargerState, context: Context): readonly Effect[] {
  const { facts, row, shown } = charger
  const { model, modelId } = facts
  if (shown === charger.shownStored || model === undefined || modelId === undefined) return []
  charger.shownStored = shown
  const { charge_point_id, organization_id } = row
  const learned = { charge_point_id, organization_id, ...model, model_id: modelId, learned_at: context.now() }
  return [effect.put(traitsAtSitesTable, { ...learned, traits: shown })]
}
