// What is believed of a model, whoever has commissioned charge points of it since.

import { test } from 'tap'
import { tables } from '../../src/records/index.js'
import { learnedOf, learnedTraitsTable, modelIdOf } from '../../src/records/model-traits.js'
import type { ModelTraits } from '../../src/records/traits.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'

const model = { vendor: 'Example', model: 'Wall Box', firmware_version: '1.8' }
const model_id = modelIdOf(model)

function stage() {
  const store = openMemoryStore(tables)
  let learned_at = 0
  /** Of so many charge points, the newest of all. */
  async function shown(organization_id: string, traits: ModelTraits, count = 1) {
    for (let at = 0; at < count; at++) {
      const charge_point_id = `CP-${++learned_at}`
      const registered = { installer_id: 'ins_example', registered_at: '2026-01-01T00:00:00.000Z' }
      const row = { charge_point_id, organization_id, ...registered, ...model, model_id, learned_at, traits }
      const put = { table: learnedTraitsTable.name, key: learnedTraitsTable.key(row), row: encodeRow(row) }
      await store.commit(unowned([{ type: 'put', ...put }]))
    }
  }
  const learned = (installerId?: string) => learnedOf(store.view(), model_id, installerId)
  const believed = (installerId?: string) => learned(installerId)?.traits
  return { shown, learned, believed }
}

test('model traits - most organizations are believed, and each has one vote, however many charge points it has claimed since', async (t) => {
  const { shown, learned, believed } = stage()
  t.equal(learned(), undefined)
  await shown('org_1', { answers_pings: false })
  t.same(believed(), { answers_pings: false })
  await shown('org_2', { answers_pings: true, actions: { Reset: false } }, 20)
  t.same(believed(), { actions: { Reset: false } }, 'they are divided: it is not known')
  await shown('org_3', { answers_pings: false, actions: { Reset: true } })
  t.same(believed(), { answers_pings: false })
  t.equal(learned()?.learned_at, 22)
})

test('model traits - of one organization, what most of its charge points have shown counts, not the newest alone', async (t) => {
  const { shown, believed } = stage()
  await shown('org_1', { triggers: { Heartbeat: true } }, 3)
  await shown('org_1', { triggers: { Heartbeat: false, MeterValues: true } })
  t.same(believed(), { triggers: { Heartbeat: true, MeterValues: true } })
  await shown('org_1', { triggers: { Heartbeat: false } }, 4)
  t.same(believed(), { triggers: { Heartbeat: false, MeterValues: true } }, 'of the seven newest')
})

test('model traits - charge points that nobody has claimed count for their installer, as one vote, and change nothing for others', async (t) => {
  const { shown, learned, believed } = stage()
  await shown('ins_1', { answers_pings: true }, 300)
  t.equal(learned(), undefined)
  t.equal(learned('ins_2'), undefined)
  t.same(believed('ins_1'), { answers_pings: true })
  await shown('org_1', { answers_pings: false })
  t.same(believed(), { answers_pings: false })
  t.same(believed('ins_1'), {}, 'divided')
  await shown('org_2', { answers_pings: false })
  t.same(believed('ins_1'), { answers_pings: false })
})

test('model traits - of a list, each member is voted on', async (t) => {
  const { shown, believed } = stage()
  await shown('org_1', { refused_keys: ['A', 'B'], charging_rate_units: ['A'] })
  await shown('org_2', { refused_keys: ['A'], charging_rate_units: ['W'] })
  t.same(believed(), { refused_keys: ['A'] }, 'of the units nothing is known')
  await shown('org_3', { refused_keys: [], charging_rate_units: ['A', 'W'] })
  t.same(believed(), { refused_keys: ['A'], charging_rate_units: ['A', 'W'] })
  await shown('org_4', { refused_keys: [] })
  await shown('org_5', { refused_keys: [] })
  t.same(believed(), { refused_keys: [], charging_rate_units: ['A', 'W'] })
})
