// Many chaos charge points, registered and started together, and what they have seen as a whole.

import { createRandom, type Random } from '../../bench/client/random.js'
import { createTimetable } from '../../bench/client/timetable.js'
import type { Service } from '../support/service.js'
import { type ChargePointObserver, createChaosChargePoint } from './charge-point.js'
import type { Ledger } from './ledger.js'

export interface FleetOptions {
  readonly chargePointIds: readonly string[]
  /** The service of the moment: a restarted one may have another address. */
  readonly service: () => Service
  readonly random: Random
  readonly ledger: Ledger
  readonly answerWithinMs: number
  readonly pauseMs: number
  readonly now?: () => number
  readonly observer?: ChargePointObserver
}

export interface FleetCounts {
  answered: number
  opened: number
  closed: number
  failed: number
  repeated: number
}

export interface Fleet {
  readonly counts: Readonly<FleetCounts>
  start(): void
  stop(): Promise<void>
}

export function chargePointIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `CP-${String(index).padStart(4, '0')}`)
}

export async function registerAll(service: Service, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 50) {
    const answers = await Promise.all(ids.slice(at, at + 50).map((id) => service.register(id)))
    for (const { status, body } of answers)
      if (status !== 201) throw new Error(`a charge point was not registered: ${status} ${JSON.stringify(body)}`)
  }
}

export function createFleet(options: FleetOptions): Fleet {
  const { observer = {} } = options
  const timetable = createTimetable()
  const counts: FleetCounts = { answered: 0, opened: 0, closed: 0, failed: 0, repeated: 0 }
  const counting: ChargePointObserver = {
    ...observer,
    opened(id) {
      counts.opened++
      observer.opened?.(id)
    },
    closed(id, code, reason) {
      counts.closed++
      observer.closed?.(id, code, reason)
    },
    answered(id, action, milliseconds) {
      counts.answered++
      observer.answered?.(id, action, milliseconds)
    },
    failed(id, action, how) {
      counts.failed++
      observer.failed?.(id, action, how)
    },
    repeated(id) {
      counts.repeated++
      observer.repeated?.(id)
    },
  }
  const chargePoints = options.chargePointIds.map((chargePointId) =>
    createChaosChargePoint({
      ...options,
      chargePointId,
      url: () => options.service().ocppUrl,
      random: createRandom(Math.floor(options.random() * 2 ** 32)),
      timetable,
      observer: counting,
    }),
  )
  return {
    counts,
    start() {
      for (const chargePoint of chargePoints) chargePoint.start()
    },
    async stop() {
      await Promise.all(chargePoints.map((chargePoint) => chargePoint.stop()))
    },
  }
}
