// What happens at the outlets of a charge point: cars come, take energy and leave, as somebody with a tag or a caller of the
// service wants it. What is told of it goes into the calls; what has really happened is in each charge.

import type { Faults } from '../faults.js'
import type { Calls } from './calls.js'
import type { ChargePointClock } from './clock.js'
import type { Quirks } from './quirks.js'

/** One charge as it physically happened. What the service makes of it is another matter. */
export interface Charge {
  readonly chargePointId: string
  readonly connectorId: number
  readonly idTag: string
  /** In the words of the charge point's own clock. */
  readonly timestamp: string
  readonly meterStart: number
  meterStop: number | undefined
  transactionId: number | undefined
  /** The start was told so often in vain that the charge point has given up on it. */
  startGivenUp: boolean
  /** Its charge point is gone for good, and tells no more of it. */
  abandoned: boolean
}

export interface Charges {
  readonly running: boolean
  /** As it is told of a connector. */
  statusOf(connectorId: number): string
  /** What is asked for with a charge; undefined where it cannot be done. */
  remote(action: string, payload: Record<string, unknown>): (() => void) | undefined
  /** What was charging when the power went is ended now, or never spoken of again; new ones will begin. */
  powerUp(): void
  /** No new charges; the ones that run end soon. */
  windDown(): void
  /** A car leaves, and the charge point will not come to tell what it took. */
  leaveUntold(): void
  /** What was held back is told now. */
  tellHeldBack(): void
  abandon(): void
}

export interface ChargesOptions {
  readonly id: string
  readonly organizationNumber: number
  readonly connectors: number
  /** Share of the outlets that charge; the others stay free for the whole run. */
  readonly busyShare: number
  readonly faults: Faults
  readonly quirks: Quirks
  readonly clock: ChargePointClock
  readonly calls: Calls
  readonly later: (milliseconds: number, run: () => void) => void
  /** A charge has begun, whoever will hear of it. */
  readonly charged: (charge: Charge) => void
}

const meterEveryMs = 90_000
const startAttempts = 3

export function createCharges(options: ChargesOptions): Charges {
  const { id, connectors, faults, quirks, clock, calls, later, charged } = options
  const { random } = faults
  const charges = new Map<number, Charge>()
  const begun: Charge[] = []
  /** Of charges that are over; told when their time has come. */
  const heldBack = new Set<() => void>()
  let meter = Math.floor(random() * 1_000_000)
  let winding = false
  let dying = false
  let tag = 0

  const statusOf = (connectorId: number): string => (charges.has(connectorId) ? 'Charging' : 'Available')
  const tellStatus = (connectorId: number): void => calls.tellStatus(connectorId, statusOf(connectorId))
  const nextTag = (): string => `TAG${options.organizationNumber}-${id}-${tag++ % 3}`.slice(-20)

  function begin(connectorId: number, idTag = nextTag()): void {
    if (winding || charges.has(connectorId)) return
    const charge: Charge = {
      chargePointId: id,
      connectorId,
      idTag,
      timestamp: clock.timestamp(),
      // The meter has always moved on a little, so no two charges of a charge point begin with one reading.
      meterStart: ++meter,
      meterStop: undefined,
      transactionId: undefined,
      startGivenUp: false,
      abandoned: false,
    }
    charges.set(connectorId, charge)
    begun.push(charge)
    charged(charge)
    tellStart(charge)
    tellStatus(connectorId)
    later(meterEveryMs, () => takeMeter(charge))
    later(60_000 + random() * 240_000, () => end(charge))
  }

  function tellStart(charge: Charge): void {
    const { connectorId, idTag, timestamp, meterStart } = charge
    calls.keep({
      action: 'StartTransaction',
      payload: () => ({ connectorId, idTag, timestamp, meterStart }),
      answered(payload) {
        charge.transactionId = payload.transactionId as number
      },
      isGivenUp(attempts) {
        if (attempts < startAttempts || !quirks.givesUpStarts) return false
        charge.startGivenUp = true
        return true
      },
    })
  }

  function takeMeter(charge: Charge): void {
    if (charge.meterStop !== undefined) return
    meter += 1 + Math.floor(random() * 100)
    const value = String(meter)
    const timestamp = clock.timestamp()
    const { connectorId } = charge
    calls.keep({
      action: 'MeterValues',
      payload: () => ({
        connectorId,
        ...(charge.transactionId !== undefined &&
          !quirks.metersWithoutTransaction && { transactionId: charge.transactionId }),
        meterValue: [{ timestamp, sampledValue: [{ value, measurand: 'Energy.Active.Import.Register', unit: 'Wh' }] }],
      }),
    })
    later(meterEveryMs, () => takeMeter(charge))
  }

  function end(charge: Charge, reason = 'Local'): void {
    if (charge.meterStop !== undefined) return
    meter += 1 + Math.floor(random() * 100)
    charge.meterStop = meter
    const { connectorId, idTag, meterStop } = charge
    charges.delete(connectorId)
    if (quirks.availableBeforeStop) tellStatus(connectorId)
    const timestamp = clock.timestamp()
    const stop = (): void => {
      if (!heldBack.delete(stop)) return
      // Nobody knows the id of a start that was given up: such charge points say -1.
      calls.keep({
        action: 'StopTransaction',
        payload: () => ({ transactionId: charge.transactionId ?? -1, meterStop, timestamp, reason, idTag }),
      })
    }
    heldBack.add(stop)
    if ((quirks.stopsLate || dying) && !winding) later(100_000 + random() * 160_000, stop)
    else stop()
    if (!quirks.availableBeforeStop) tellStatus(connectorId)
    later(30_000 + random() * 240_000, () => begin(connectorId))
  }

  function tellHeldBack(): void {
    for (const stop of heldBack) stop()
  }

  return {
    get running() {
      return charges.size > 0
    },
    statusOf,
    remote(action, payload) {
      if (action === 'RemoteStartTransaction') {
        const { connectorId, idTag } = payload as { connectorId: number; idTag: string }
        if (winding || charges.has(connectorId)) return undefined
        // Some do not plug in after all.
        return () => random() < 0.9 && later(500 + random() * 10_000, () => begin(connectorId, idTag))
      }
      if (action !== 'RemoteStopTransaction') return undefined
      const charge = [...charges.values()].find(({ transactionId }) => transactionId === payload.transactionId)
      return charge && (() => later(100 + random() * 3_000, () => end(charge, 'Remote')))
    },
    powerUp() {
      for (const charge of [...charges.values()]) {
        if (quirks.forgetsOnPowerLoss) charges.delete(charge.connectorId)
        else end(charge, 'PowerLoss')
      }
      for (let connector = 1; connector <= connectors; connector++)
        if (!charges.has(connector) && random() < options.busyShare)
          later(5_000 + random() * 240_000, () => begin(connector))
    },
    windDown() {
      winding = true
      tellHeldBack()
      for (const charge of [...charges.values()]) later(random() * 20_000, () => end(charge))
    },
    leaveUntold() {
      const [charge] = charges.values()
      if (charge === undefined) return
      dying = true
      end(charge)
    },
    tellHeldBack,
    abandon() {
      for (const one of begun) one.abandoned = true
    },
  }
}
