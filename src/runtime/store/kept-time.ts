// Keeps the time of the service in its store: goes on from the stored pair at a start, compares the clocks once a minute, and stores them.

import type { Logger } from 'pino'
import type { Clock } from '../clock.js'
import { keepTime, lookEveryMs, type ServiceClock, serviceClock, type TimeCells } from '../steady-time.js'
import type { StoreWriter } from './storage/store-writer.js'

export interface KeptTime {
  readonly shared: TimeCells
  readonly clock: ServiceClock
  /** An operator says that the clock is right; resolves with whether the disk took it. */
  confirm(): Promise<boolean>
  /** Stores the last pair, by which a jump stays known over an orderly stop, and looks no more. */
  end(): Promise<void>
}

/** `newest`: when the newest event was stored, ms. Resolves once the pair of this start is stored. */
export async function keepTimeIn(
  store: Pick<StoreWriter, 'time' | 'storeTime'>,
  newest: number | undefined,
  clock: Clock,
  log: Pick<Logger, 'warn'>,
): Promise<KeptTime> {
  const keeper = keepTime(clock, store.time(), newest)
  const kept = serviceClock(clock, keeper.shared)
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  async function look(): Promise<void> {
    const before = kept.unconfirmed()
    const pair = keeper.look()
    const jumped = kept.unconfirmed()
    if (before === 0 && jumped > 0) log.warn({ ms: jumped }, 'the clock has jumped ahead; nothing is closed or removed')
    if (before > 0 && jumped === 0) log.warn('the time of the clock is confirmed')
    // If the disk does not take it, the next one follows.
    await store.storeTime(pair)
    if (isOver) return
    timer = setTimeout(look, lookEveryMs)
    timer.unref()
  }

  await look()
  return {
    shared: keeper.shared,
    clock: kept,
    async confirm() {
      const jumped = kept.unconfirmed()
      if (!(await store.storeTime(keeper.confirm()))) return false
      if (jumped > 0) log.warn({ ms: jumped }, 'the time of the clock is confirmed by an operator')
      return true
    },
    async end() {
      isOver = true
      clearTimeout(timer)
      await store.storeTime(keeper.look())
    },
  }
}
