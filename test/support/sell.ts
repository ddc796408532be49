// A service whose charge point sells energy: the tariff is put into the store before the service that a test uses starts.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schemaVersion, tables } from '../../src/actors/records/index.js'
import { installationTable } from '../../src/actors/records/organization.js'
import {
  type Tariff,
  type TariffAssignment,
  tariffAssignmentsTable,
  tariffsTable,
} from '../../src/actors/records/tariff.js'
import { putRow } from '../../src/api/changes.js'
import { openWriter } from '../../src/runtime/lmdb-store.js'
import { unowned } from '../../src/runtime/store.js'
import { type Service, startService, type Teardowns } from './service.js'

/** EUR per kWh, without tax. */
export async function sellEnergyAt(
  t: Teardowns,
  chargePointId: string,
  price: number,
  flags: readonly string[] = [],
): Promise<Service> {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(async () => rmSync(data, { recursive: true, force: true }))
  const first = await startService(t, { data })
  await first.register(chargePointId)
  await first.stop()
  const store = openWriter(data, tables, { schemaVersion })
  const organizationId = store.view().get(installationTable, ['installation'])?.default_organization_id ?? ''
  const at = '2026-11-01T00:00:00.000Z'
  const tariff: Tariff = {
    tariff_id: 'trf_1',
    organization_id: organizationId,
    version: 1,
    name: 'Energy',
    currency: 'EUR',
    components: [{ type: 'energy', price, step_size: 1 }],
    tax_percentage: 0,
    created_at: at,
    updated_at: at,
  }
  const assignment: TariffAssignment = {
    charge_point_id: chargePointId,
    organization_id: organizationId,
    version: 1,
    tariff_id: tariff.tariff_id,
    assigned_at: at,
  }
  await store.commit(unowned([putRow(tariffsTable, tariff), putRow(tariffAssignmentsTable, assignment)]))
  await store.close()
  return startService(t, { data, key: first.key, flags })
}
