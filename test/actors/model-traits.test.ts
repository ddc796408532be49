// What is believed of a model, whoever has commissioned charge points of it since.

import { test } from 'tap'
import { type ChargePoint, chargePointsTable } from '../../src/records/charge-point.js'
import { tables } from '../../src/records/index.js'
import { learnedOf, learnedTraitsTable, type ModelTraits, modelIdOf } from '../../src/records/model-traits.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import type { Table } from '../../src/runtime/store/table.js'
import { installedRow } from '../support/registration.js'

const registered_at = '2026-01-01T00:00:00.000Z'
const model = { vendor: 'Example', model: 'Wall Box', firmware_version: '1.8' }

test('model traits - what claimed charge points have shown stays known, however many were commissioned since and not claimed', async (t) => {
  const store = openMemoryStore(tables)
  const put = <Row>(table: Table<Row>, row: Row) =>
    store.commit(unowned([{ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }]))
  async function shown(charge_point_id: string, organization_id: string, learned_at: number, traits: ModelTraits) {
    const row = installedRow(charge_point_id)
    const installer_id = 'ins_example'
    const installed = { ...row.installed, installer_id, registered_at }
    await put(chargePointsTable, { ...row, organization_id, installed } as ChargePoint)
    const learned = { charge_point_id, installer_id, registered_at, ...model, model_id: modelIdOf(model), learned_at }
    await put(learnedTraitsTable, { ...learned, traits })
  }
  const traits = () => learnedOf(store.view(), modelIdOf(model))?.traits
  await shown('CLAIMED-1', 'org_1', 1_000, { answers_pings: false })
  for (let at = 0; at < 100; at++) await shown(`UNCLAIMED-${at}`, 'ins_example', 2_000 + at, { answers_pings: true })
  t.same(traits(), { answers_pings: false })
  for (let at = 0; at < 7; at++) await shown(`CLAIMED-2-${at}`, 'org_2', 3_000 + at, { actions: { Reset: true } })
  t.same(traits(), { answers_pings: false, actions: { Reset: true } }, 'of eight, each says what the others have not')
  await shown('CLAIMED-3', 'org_2', 4_000, { actions: { Reset: false } })
  t.same(traits(), { actions: { Reset: false } }, 'the newer goes before the older, and the ninth is not asked')
})
