// The ends of sessions that their charge point does not tell: none runs for ever once its connector is free, its charge point is gone
// for good, or was removed.

import type { DiskWatch, Row, RowChange } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface EndingOracle {
  /** After a group of commits: how its sessions and the states of its charge points have changed. */
  written(sessions: readonly RowChange[], states: readonly RowChange[]): void
  /** A charge point is gone for good. */
  died(chargePointId: string): void
  isGone(chargePointId: unknown): boolean
  /** Once nothing goes wrong any more; `clockSet` when deadlines of the wall clock may have moved. */
  calm(clockSet: boolean): void
  /** `waited`: the wall clock has gone on by more than a silent charge point is waited for. */
  settled(waited: boolean): void
}

export const endingTables = ['charge_points']

/** What the service waits for a StopTransaction on a connector that is free (90 s in a world), and what troubles add. */
const stopWithinMs = 90_000 + 60_000

export function createEndingOracle({ check }: Verdict, disk: DiskWatch, now: () => number): EndingOracle {
  /** With the time at which each began for the disk. */
  const known = new Map<unknown, { readonly session: Row; readonly at: number }>()
  const removed = new Set<unknown>()
  const dead = new Set<unknown>()
  /** Since when, by charge point and connector. */
  const free = new Map<string, number>()

  return {
    written(sessions, states) {
      for (const { before, after } of disk.changes('charge_points')) {
        if (after === undefined) removed.add(before?.charge_point_id)
      }
      for (const { after } of sessions) {
        if (after === undefined) continue
        const { session_id: id } = after
        known.set(id, { session: after, at: known.get(id)?.at ?? now() })
      }
      for (const { after } of states) {
        for (const { connector_id, status } of (after?.connectors ?? []) as Row[]) {
          const key = `${after?.charge_point_id}/${connector_id}`
          if (status !== 'Available') free.delete(key)
          else if (!free.has(key)) free.set(key, now())
        }
      }
    },
    died: (chargePointId) => void dead.add(chargePointId),
    isGone: (chargePointId) => dead.has(chargePointId) || removed.has(chargePointId),
    calm(clockSet) {
      for (const [id, { session, at }] of known) {
        const { charge_point_id: chargePointId, connector_id } = session
        const runs = session.status === 'active'
        const gone = runs && removed.has(chargePointId)
        check('removed-idle', !gone, () => `${id} runs at ${chargePointId}, which was removed`)
        const since = free.get(`${chargePointId}/${connector_id}`)
        // A charge point that never said Charging is not free because it says nothing.
        const late = runs && !clockSet && since !== undefined && since > at && now() - since > stopWithinMs
        check(
          'session-ends',
          !late,
          () => `${id} runs, its connector of ${chargePointId} is free for ${now() - Number(since)} ms`,
        )
      }
    },
    settled(waited) {
      for (const [id, { session }] of known) {
        const { charge_point_id: chargePointId } = session
        const silent = session.status === 'active' && dead.has(chargePointId) && waited
        check('session-ends', !silent, () => `${id} runs at ${chargePointId}, which is gone for good`)
      }
    },
  }
}
