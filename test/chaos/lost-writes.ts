// The machine loses power under load: every write that no sync has completed is gone, or a random part of them. The store
// opens, and what was acknowledged is there. Killing the process alone would not show it: the kernel keeps its writes.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { between, defineScenario, percentile } from './scenario.js'
import { preload } from './shims.js'
import { startUnderLoad, withoutFlapping } from './under-load.js'
import { losePower } from './unsynced-writes.js'

/** As long as a slow disk takes; most cuts then come while a commit is under way. */
const syncMs = 5

export const lostWrites = defineScenario({
  name: 'lost-writes',
  promise:
    'a disk that loses every write since its last completed sync loses nothing acknowledged, and the store opens',
  sizes: {
    small: { rounds: 10, chargePoints: 20, operators: 4, longestRunMs: 400 },
    full: { rounds: 200, chargePoints: 100, operators: 8, longestRunMs: 2_000 },
  },
  async run(context, size) {
    const { random, violation } = context
    const journal = join(context.directory, 'journal')
    const data = join(context.directory, 'data')
    const environment = {
      ...preload('disk', context.directory),
      CHAOS_DISK: data,
      CHAOS_JOURNAL: journal,
      CHAOS_SYNC_MS: String(syncMs),
    }
    const load = await startUnderLoad(context, {
      ...size,
      flags: () => ['--shards', '1', ...withoutFlapping],
      place: { environment },
      pauseMs: 10,
    })
    const { counts } = load.fleet
    load.begin()
    const lost: number[] = []
    for (let round = 1; round <= size.rounds; round++) {
      await delay(between(random, 50, size.longestRunMs))
      const keeps = round % 2 === 0 ? 'nothing' : 'some sectors'
      await load.kill(() => lost.push(losePower(data, journal, random, keeps)))
      context.progress(`lost power ${round} times, ${counts.answered} messages acknowledged`)
    }
    await delay(300)
    await load.end()
    const verified = await load.verify()
    const undone = lost.filter((writes) => writes > 0).length
    if (undone === 0) violation('no write was under way at any cut: nothing has been shown')
    return {
      'power cuts': size.rounds,
      'with writes undone': undone,
      'writes undone p50/most': `${percentile(lost, 0.5)} / ${percentile(lost, 1)}`,
      'messages acknowledged': counts.answered,
      'transactions acknowledged': verified.transactions,
      'commands acknowledged': verified.commands,
      'API writes acknowledged': verified.writes,
    }
  },
})
