// What charge points have answered to a bulk command while others are still waited for. Its call is answered when the slowest has; those that have ended are in
// the history before that.

import { api, ask, type Schema } from './api.js'
import { delay } from './delay.js'

export type Ended = Pick<
  Schema<'BulkCommandResult'>['results'][number],
  'command_id' | 'status' | 'response_time_ms' | 'error'
>

const everyMs = 1_000
/** A call has at most half as many. */
const perPage = 200

async function historyOf(command: string, count: number): Promise<readonly Schema<'Command'>[] | undefined> {
  const query = { command, per_page: count }
  const found = await ask(api.GET('/api/v1/cpo/commands/history', { params: { query } })).catch(() => undefined)
  return found?.commands
}

/** The id of the newest command of this name, empty where there is none; undefined where the service does not say. */
export async function newestCommand(command: string): Promise<string | undefined> {
  const found = await historyOf(command, 1)
  return found === undefined ? undefined : (found[0]?.command_id ?? '')
}

/** Takes those that have ended of the bulk commands behind `after`, by charge point, again and again until it is over. */
export async function followAnswers(
  command: string,
  after: string,
  isOver: () => boolean,
  take: (ended: ReadonlyMap<string, Ended>) => void,
): Promise<void> {
  for (;;) {
    await delay(everyMs)
    if (isOver()) return
    if (document.visibilityState === 'hidden') continue
    const found = await historyOf(command, perPage)
    if (found === undefined || isOver()) continue
    const own = found.filter((one) => one.bulk_command_id !== null && one.command_id > after)
    take(new Map(own.map((one) => [one.charge_point_id, one])))
  }
}
