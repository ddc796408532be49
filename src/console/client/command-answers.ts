// What charge points have answered to a bulk command while others are still waited for. Its call is answered when the slowest has; those that have ended are in
// the history before that. Its id is not known by then: it is the one bulk command of this name that this person has begun since, and where there are several,
// nothing is taken.

import { api, ask, type Schema } from './api.js'
import { delay } from './delay.js'
import { me } from './session.js'

export type Ended = Pick<
  Schema<'BulkCommandResult'>['results'][number],
  'command_id' | 'status' | 'response_time_ms' | 'error'
>

/** Longer and longer, ms: a call is answered within seconds, or waits for its slowest. */
const waitsMs = [1_000, 1_500, 2_000, 3_000]

async function historyOf(command: string, count: number): Promise<readonly Schema<'Command'>[] | undefined> {
  const query = { command, per_page: count }
  const found = await ask(api.GET('/api/v1/cpo/commands/history', { params: { query } })).catch(() => undefined)
  return found?.commands
}

/** Called as the call is sent, which does not wait for it. Takes those that have ended, by charge point, again and again until it is over. */
export async function followAnswers(
  command: string,
  ids: readonly string[],
  isOver: () => boolean,
  take: (ended: ReadonlyMap<string, Ended>) => void,
): Promise<void> {
  const owner = me.peek()?.name
  const before = await historyOf(command, 1)
  if (before === undefined) return
  // Empty where there was none.
  const after = before[0]?.command_id ?? ''
  const asked = new Set(ids)
  for (let attempt = 0; ; attempt++) {
    await delay(waitsMs[Math.min(attempt, waitsMs.length - 1)] as number)
    if (isOver()) return
    if (document.visibilityState === 'hidden') continue
    const found = await historyOf(command, ids.length)
    if (found === undefined || isOver()) continue
    const own = found.filter((one) => one.command_id > after && one.executed_by === owner)
    const isOne = new Set(own.map(({ bulk_command_id }) => bulk_command_id)).size === 1
    if (!isOne || own[0]?.bulk_command_id === null) continue
    take(new Map(own.filter((one) => asked.has(one.charge_point_id)).map((one) => [one.charge_point_id, one])))
  }
}
