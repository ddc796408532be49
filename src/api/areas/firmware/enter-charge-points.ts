// The charge points of a new rollout: each must be the organization's, and in no other rollout. Thousands of rows in one commit would keep everybody
// else's waiting, so they are entered in parts. Until the last part, which completes the rollout in the commit of the request, nobody is told of it.

import { abandonWakeUp, firmwareRolloutAddress } from '../../../actors/firmware-rollout/messages.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import {
  type FirmwareRollout,
  firmwareRolloutsTable,
  type RolloutChargePoint,
  rolloutChargePointsTable,
  stageOfPlace,
} from '../../../records/firmware-rollout.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import { type AmpshardError, type ErrorDetail, notFound, overloaded } from '../../../runtime/errors.js'
import { none, putRow } from '../../pipeline/changes.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import type { Draft } from '../../pipeline/draft.js'
import { longOncePaused } from '../../pipeline/long-reads.js'
import type { Precondition } from '../../pipeline/route.js'
import type { Services } from '../../pipeline/services.js'
import { chargePointInRollout } from './errors.js'
import { limits } from './limits.js'

/** Throws `not_found` and `charge_point_in_rollout`, with the place in the request of each charge point that is meant. */
export async function foundChargePoints(
  rollout: FirmwareRollout,
  ids: readonly string[],
  places: ReadonlyMap<string, number>,
  services: Services,
): Promise<readonly RolloutChargePoint[]> {
  const { organization_id, rollout_id, created_at } = rollout
  const view = services.view()
  const unknown: ErrorDetail[] = []
  const taken: ErrorDetail[] = []
  const rows: RolloutChargePoint[] = []
  const read = longOncePaused(services.longReads.of(organization_id))
  try {
    for (const [place, charge_point_id] of ids.entries()) {
      if (place > 0 && place % limits.rolloutChargePointsPerStep === 0 && read.isOver()) await read.pause()
      const path = `/charge_point_ids/${places.get(charge_point_id)}`
      const chargePoint = view.get(chargePointsTable, [charge_point_id])
      const [other] = view.listBy(rolloutChargePointsTable, 'open', [organization_id, charge_point_id], { limit: 1 })
      if (chargePoint?.organization_id !== organization_id)
        unknown.push({ path, message: `there is no charge point ${charge_point_id}` })
      else if (other !== undefined)
        taken.push({ path, message: `${charge_point_id} is in the rollout ${other.rollout_id}` })
      else
        rows.push({
          rollout_id,
          place,
          stage: stageOfPlace(rollout, place),
          charge_point_id,
          organization_id,
          registered_at: chargePoint.created_at,
          standing: 'waiting',
          updated_at: created_at,
        })
    }
  } finally {
    read.end()
  }
  if (unknown.length > 0)
    throw notFound('some of the charge points do not exist', { details: unknown.slice(0, limits.namedConflicts) })
  if (taken.length > 0)
    throw chargePointInRollout('some of the charge points are in another rollout that has not ended', {
      details: taken.slice(0, limits.namedConflicts),
    })
  return rows
}

const named = () => chargePointInRollout('another rollout has just been made with some of the charge points; try again')

/** Enters rows that no other rollout has; `otherwise` where another has been quicker. */
function enterRows(draft: Draft, rows: readonly RolloutChargePoint[], otherwise: AmpshardError | undefined): void {
  const changes = rows.map((row) => putRow(rolloutChargePointsTable, row))
  const conditions = rows.map(({ organization_id, charge_point_id }): Precondition => {
    const condition = none(rolloutChargePointsTable, 'open', [organization_id, charge_point_id])
    return otherwise === undefined ? { condition } : { condition, otherwise }
  })
  draft.add({ changes, conditions })
}

/** Enters the rollout with its charge points: the last of them, and that it is complete, through the draft of the request. */
export async function enter(
  draft: Draft,
  rollout: FirmwareRollout,
  rows: readonly RolloutChargePoint[],
  services: Services,
): Promise<void> {
  const atOnce = limits.enteredAtOnce
  const before = Math.floor((rows.length - 1) / atOnce) * atOnce
  if (before === 0) {
    enterRows(draft, rows, undefined)
    draft.putPlain(firmwareRolloutsTable, rollout)
    return
  }
  const { rollout_id } = rollout
  const until = services.clock.now() + limits.enteredWithinMs
  const isThere: Precondition = {
    condition: { table: firmwareRolloutsTable.name, key: [rollout_id], is: 'present' },
    otherwise: overloaded('entering the charge points has taken too long; try again'),
  }
  try {
    for (let from = 0; from < before; from += atOnce)
      await commitDraft(
        {
          attempts: 1,
          decide(part) {
            if (from > 0) part.add({ conditions: [isThere] })
            else {
              part.putPlain(firmwareRolloutsTable, { ...rollout, entered_until: until })
              part.add({
                changes: [putRow(wakeUpsTable, abandonWakeUp(rollout_id, limits.enteredWithinMs, services.clock))],
              })
            }
            enterRows(part, rows.slice(from, from + atOnce), named())
          },
          otherwise: named,
        },
        services,
      )
  } catch (error) {
    services.tell(firmwareRolloutAddress(rollout_id), { type: 'abandon' })
    throw error
  }
  enterRows(draft, rows.slice(before), named())
  draft.add({ changes: [putRow(firmwareRolloutsTable, rollout)], conditions: [isThere] })
}
