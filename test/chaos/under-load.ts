// What most scenarios break: a service with charge points that charge without end and operators at work, everything that it
// acknowledges in a ledger, and the ledger held against the API.

import type { Service } from '../support/service.js'
import type { ChargePointObserver } from './charge-point.js'
import { chargePointIds, createFleet, type Fleet, registerAll } from './fleet.js'
import { openLedger } from './ledger.js'
import { createOperators, type Operators } from './operators.js'
import type { ChaosContext, ServicePlace } from './scenario.js'
import { type Verified, verifyLedger } from './verify.js'

export interface UnderLoadOptions {
  readonly chargePoints: number
  readonly operators: number
  /** For each start anew. */
  readonly flags: () => readonly string[]
  readonly place?: ServicePlace
  readonly answerWithinMs?: number
  readonly pauseMs: number
  readonly now?: () => number
  /** What is no violation here, or is one beside those that always are: a CALLERROR, and a command that is sent twice. */
  readonly observer?: ChargePointObserver
  /** The service as operators reach it. */
  readonly operatorsUse?: (service: Service) => Service
}

export interface UnderLoad {
  /** The service of the moment. */
  readonly service: Service
  readonly fleet: Fleet
  readonly operators: Operators
  begin(): void
  /** After the service has ended. */
  startAgain(flags?: readonly string[]): Promise<Service>
  /**
   * Kills the service, starts it again after `meanwhile`, and verifies what it had acknowledged since the last time; returns
   * how long the start took.
   */
  kill(meanwhile?: () => void): Promise<number>
  /** Charge points and operators end what they are saying, and leave. */
  end(): Promise<void>
  /** Everything that was ever acknowledged. */
  verify(): Promise<Verified>
}

/** Reconnecting is what these charge points do all the time: they are not made to wait for it. */
export const withoutFlapping = ['--flap-connects-per-minute', '1000000']

export async function startUnderLoad(context: ChaosContext, options: UnderLoadOptions): Promise<UnderLoad> {
  const { random, violation } = context
  const ledger = openLedger(context.ledgerFile)
  context.teardown(() => ledger.close())
  const start = (flags: readonly string[]): Promise<Service> => context.service(flags, options.place)
  let service = await start(options.flags())
  const ids = chargePointIds(options.chargePoints)
  await registerAll(service, ids)
  let verified = 0

  async function startAgain(flags = options.flags()): Promise<Service> {
    service = await start(flags)
    return service
  }
  const fleet = createFleet({
    chargePointIds: ids,
    service: () => service,
    random,
    ledger,
    answerWithinMs: options.answerWithinMs ?? 20_000,
    pauseMs: options.pauseMs,
    ...(options.now !== undefined && { now: options.now }),
    observer: {
      failed: (id, action, how) => violation(`${id}: ${action} was answered by ${how}`),
      commandRepeated: (id, commandId) => violation(`${id} was sent the command ${commandId} twice`),
      ...options.observer,
    },
  })
  const { operatorsUse = (same: Service) => same } = options
  const operators = createOperators({
    count: options.operators,
    chargePointIds: ids,
    service: () => operatorsUse(service),
    random,
    ledger,
    unexpected: violation,
  })

  return {
    get service() {
      return service
    },
    fleet,
    operators,
    begin() {
      fleet.start()
      operators.start()
    },
    startAgain,
    async kill(meanwhile) {
      const read = ledger.read(verified)
      await service.stop('SIGKILL')
      meanwhile?.()
      const startedAt = performance.now()
      await startAgain()
      const tookMs = performance.now() - startedAt
      // What was answered between the reading and the kill is verified the next time.
      verified = read.position
      await verifyLedger({ service, entries: read.entries, whole: false, violation })
      return tookMs
    },
    async end() {
      await Promise.all([fleet.stop(), operators.stop()])
    },
    verify: () => verifyLedger({ service, entries: ledger.read(0).entries, whole: true, violation }),
  }
}
