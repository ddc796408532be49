// The changes of registrations that a connection itself may cause: adopting an unknown charge point where the settings say so, forgetting the
// previous key of one that has logged in with its new one, and letting one in with its password alone once it has shown that.

import type { Logger } from 'pino'
import {
  type ChargePoint,
  chargePointsTable,
  nameIsFree,
  withoutReplacedKeys,
  withPasswordAlone,
} from '../records/charge-point.js'
import { installationTable } from '../records/organization.js'
import type { Clock } from '../runtime/clock.js'
import { encodeRow } from '../runtime/codec.js'
import type { StoreClient } from '../runtime/link/store-client.js'
import { type Change, type Condition, unowned } from '../runtime/store/store.js'
import { createNewcomerRoom, type NewcomerRoomOptions } from './newcomer-room.js'
import type { Refused } from './refusal.js'

/** `taken`: the id has come to be another charge point's, or another's serial number, or there is no room for it any more. */
export type Adoption = 'saved' | 'taken' | 'not-stored'

export interface Registrar {
  /** What would be registered in the default organization for an unknown id; absent where it is another's serial number. */
  newcomer(chargePointId: string): ChargePoint | undefined
  /** Takes room for it; why there is none otherwise. Asked when nothing else speaks against it. */
  takeRoom(newcomer: ChargePoint, remoteAddress: string): Refused | undefined
  /** Registers a newcomer; resolves when that is on disk, or has failed. */
  adopt(newcomer: ChargePoint): Promise<Adoption>
  /**
   * Its actor is told nothing: what an actor does depends on no key that was replaced. A socket that comes with one at this very moment may not
   * stay if it is announced once this is on disk; announced before, it is like one that came before.
   */
  retirePreviousKey(chargePoint: ChargePoint): void
  /** It has come with a password, and is not let in without one any more. */
  requirePassword(chargePoint: ChargePoint): void
}

/** `published`: the event that its organization has a new charge point. */
export function createRegistrar(
  store: StoreClient,
  clock: Clock,
  log: Logger,
  settings: NewcomerRoomOptions['settings'],
  published: (newcomer: ChargePoint) => Change,
): Registrar {
  const room = createNewcomerRoom({ view: store.view, clock, log, settings })
  let underWay = 0

  async function save(
    row: ChargePoint,
    conditions: readonly Condition[],
    along: readonly Change[] = [],
  ): Promise<Adoption> {
    const key = chargePointsTable.key(row)
    const changes = [{ type: 'put' as const, table: chargePointsTable.name, key, row: encodeRow(row) }, ...along]
    const saved = store.commit(unowned(changes, conditions))
    store.flush()
    const result = await saved
    if (result.ok) return 'saved'
    log.warn({ chargePoint: row.charge_point_id, reason: result.reason }, 'a registration could not be saved')
    return result.reason === 'condition_failed' ? 'taken' : 'not-stored'
  }

  /** Not where others change it at this moment: the next connection asks for it again. */
  function change({ charge_point_id, version }: ChargePoint, changed: ChargePoint): void {
    const unchanged = { table: chargePointsTable.name, key: [charge_point_id], is: 'version' as const, version }
    void save({ ...changed, version: version + 1 }, [unchanged])
  }

  return {
    newcomer(chargePointId) {
      const view = store.view()
      const owner = view.get(installationTable, ['installation'])?.default_organization_id
      const namesakes = view.listBy(chargePointsTable, 'byName', [chargePointId.toLowerCase()], { limit: 1 })
      if (owner === undefined || namesakes.length > 0) return undefined
      const now = new Date(clock.now()).toISOString()
      // How many connectors it has, and of what power, is not known.
      return {
        charge_point_id: chargePointId,
        organization_id: owner,
        // Not that of one that was removed: who has read that one must not take this for it.
        version: clock.now(),
        name: chargePointId,
        latitude: 0,
        longitude: 0,
        address: '',
        created_at: now,
        updated_at: now,
      }
    },
    takeRoom: (newcomer, remoteAddress) => room.take(newcomer.organization_id, remoteAddress, underWay),
    async adopt(newcomer) {
      const { charge_point_id: id, organization_id } = newcomer
      // Ids that differ in case alone are one. Nor is it the serial number of another, whose certificates it could ask for.
      const group = [id.toLowerCase()]
      const absent = { table: chargePointsTable.name, index: 'byFoldedId', group, is: 'below', total: 1 } as const
      underWay++
      const adoption = await save(
        newcomer,
        [absent, nameIsFree(id), room.condition(organization_id)],
        [published(newcomer)],
      )
      underWay--
      return adoption
    },
    retirePreviousKey: (chargePoint) => change(chargePoint, withoutReplacedKeys(chargePoint)),
    requirePassword: (chargePoint) => change(chargePoint, withPasswordAlone(chargePoint)),
  }
}
