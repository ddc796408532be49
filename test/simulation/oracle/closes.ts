// Sessions that operators close: what they are told of one is on disk.

import type { Row, RowChange } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface CloseOracle {
  /** After a group of commits: how its sessions have changed. */
  written(sessions: readonly RowChange[]): void
  /** An operator who saw the session running has asked for its close. */
  closed(sessionId: string, status: number): void
}

export function createCloseOracle({ check }: Verdict): CloseOracle {
  const sessions = new Map<unknown, Row>()
  return {
    written(changes) {
      for (const { after } of changes) if (after !== undefined) sessions.set(after.session_id, after)
    },
    closed(sessionId, status) {
      const row = sessions.get(sessionId)
      const flags = (row?.flags ?? []) as readonly string[]
      const ended = row !== undefined && row.status !== 'active'
      if (status === 200)
        check(
          'close-kept',
          ended && flags.includes('closed_by_operator'),
          () => `${sessionId} was closed, and on disk it is ${row?.status}, with the flags ${flags.join()}`,
        )
      else if (status === 409)
        check('close-kept', ended, () => `${sessionId} has ended, says the API; it is ${row?.status}`)
      else check('close-kept', status >= 500, () => `the close of ${sessionId} was answered ${status}`)
    },
  }
}
