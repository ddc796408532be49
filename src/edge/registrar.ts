// The two registrations that a connection itself may cause: adopting an unknown charge point where the settings say so,
// and forgetting the previous key of one that has logged in with its new one.

import type { Logger } from 'pino'
import { type ChargePoint, chargePointsTable, nameIsFree, withoutReplacedKeys } from '../actors/records/charge-point.js'
import { installationTable } from '../actors/records/organization.js'
import type { Clock } from '../runtime/clock.js'
import { encodeRow } from '../runtime/codec.js'
import { type Condition, unowned } from '../runtime/store.js'
import type { StoreClient } from '../runtime/store-client.js'

export interface Registrar {
  /** Registers the id into the default organization; resolves when that is on disk, or has failed. */
  adopt(chargePointId: string): Promise<void>
  retirePreviousKey(chargePoint: ChargePoint): void
}

export function createRegistrar(store: StoreClient, clock: Clock, log: Logger): Registrar {
  async function save(row: ChargePoint, ...conditions: readonly Condition[]): Promise<void> {
    const key = chargePointsTable.key(row)
    const changes = [{ type: 'put' as const, table: chargePointsTable.name, key, row: encodeRow(row) }]
    const saved = store.commit(unowned(changes, conditions))
    store.flush()
    const result = await saved
    if (!result.ok)
      log.warn({ chargePoint: row.charge_point_id, reason: result.reason }, 'a registration could not be saved')
  }

  return {
    async adopt(chargePointId) {
      const owner = store.view().get(installationTable, ['installation'])?.default_organization_id
      if (owner === undefined) return
      const now = new Date(clock.now()).toISOString()
      // How many connectors it has, and of what power, is not known.
      const row: ChargePoint = {
        charge_point_id: chargePointId,
        organization_id: owner,
        version: 1,
        name: chargePointId,
        latitude: 0,
        longitude: 0,
        address: '',
        created_at: now,
        updated_at: now,
      }
      // Ids that differ in case alone are one. Nor is it the serial number of another, whose certificates it could ask for.
      const group = [chargePointId.toLowerCase()]
      const absent = { table: chargePointsTable.name, index: 'byFoldedId', group, is: 'below', total: 1 } as const
      await save(row, absent, nameIsFree(chargePointId))
    },
    retirePreviousKey(chargePoint) {
      const row: ChargePoint = { ...withoutReplacedKeys(chargePoint), version: chargePoint.version + 1 }
      save(row, {
        table: chargePointsTable.name,
        key: [row.charge_point_id],
        is: 'version',
        version: chargePoint.version,
      })
    },
  }
}
