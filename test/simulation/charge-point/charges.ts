// What happens at the outlets of a charge point: cars come, take energy and leave, as somebody with a tag or a caller of the
// service wants it. What is told of it goes into the outbox; what has really happened is in each charge.

import type { Clock } from '../../../bench/charge-point/clock.js'
import type { Outbox } from '../../../bench/charge-point/outbox.js'
import { createRegister, type Register } from '../../../bench/charge-point/register.js'
import {
  meterValuesMessage,
  type StopReason,
  startMessage,
  stopMessage,
} from '../../../bench/charge-point/transaction-messages.js'
import type { Faults } from '../faults.js'
import type { SimulatedTime } from '../time.js'
import type { Quirks } from './quirks.js'
import type { StallPhysics } from './stall-physics.js'

/** One charge as it physically happened. What the service makes of it is another matter. */
export interface Charge {
  readonly chargePointId: string
  readonly connectorId: number
  readonly idTag: string
  /** In the words of the charge point's own clock. */
  readonly timestamp: string
  /** What its register shows, Wh. */
  readonly meterStart: number
  meterStop: number | undefined
  /** What has really flowed so far, Wh. */
  taken(): number
  /** What had flowed at each reading that was taken for the service. */
  readonly metered: number[]
  /** What its register did. */
  rolledOver: boolean
  reset: boolean
  readonly transactionId: number | undefined
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
  /** What flows at a connector is read and told now. */
  meter(connectorId: number): void
  /** Nothing flows any more. */
  powerDown(): void
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
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly quirks: Quirks
  /** Nobody comes with a tag of their own, and nobody leaves before they are asked to. */
  readonly onlyWhenAsked?: boolean
  /** What cars draw, where limits decide. */
  readonly physics?: StallPhysics | undefined
  readonly clock: Clock
  readonly outbox: Outbox
  /** Another status than before: to be told. */
  readonly statusChanged: (connectorId: number) => void
  readonly later: (milliseconds: number, run: () => void) => void
  /** A charge has begun, whoever will hear of it. */
  readonly charged: (charge: Charge) => void
}

interface Running {
  readonly charge: Charge
  readonly transaction: { id: number | undefined }
  readonly meter: Register
  watts: number
  /** Up to when its flow has gone through the meter; undefined while there is no power. */
  flowedUntil: number | undefined
  /** The meter's total at its end. */
  last: number | undefined
}

const meterEveryMs = 90_000
/** Where limits decide what is drawn. */
const stallMetersEveryMs = 25_000
const hourMs = 3_600_000
/** Most vehicles are slow; the others take half of what the connector gives, up to all of it. */
const slowWatts = 4_000
const fastWatts = 24_000
/** Where a register is when it is reset: nobody could tell a reset at the end from a roll-over, or one of little from a glitch. */
const resetsFromWh = 200_000
const resetsToWh = 800_000
const beforeEndWh = 1_000

export function createCharges(options: ChargesOptions): Charges {
  const { id, connectors, time, faults, quirks, onlyWhenAsked, physics, clock, outbox, statusChanged, later, charged } =
    options
  const { random } = faults
  const { registersEnd } = quirks
  const metersEveryMs = physics === undefined ? meterEveryMs : stallMetersEveryMs
  const charges = new Map<number, Running>()
  const begun: Charge[] = []
  /** The last charge of a connector, where the charge point knows of it no longer: the next one there ends it. */
  const forgotten = new Map<number, Running>()
  /** Of charges that are over; told when their time has come. */
  const heldBack = new Set<() => void>()
  const meters = Array.from({ length: connectors }, () => {
    if (registersEnd !== undefined)
      return createRegister(Math.floor(registersEnd - 1 - random() * beforeEndWh), registersEnd)
    const [from, to] = quirks.resetsRegisters ? [resetsFromWh, resetsToWh] : [0, 1_000_000]
    return createRegister(Math.floor(from + random() * (to - from)))
  })
  let winding = false
  let dying = false
  let tag = 0

  const statusOf = (connectorId: number): string => (charges.has(connectorId) ? 'Charging' : 'Available')
  const nextTag = (): string => `TAG${options.organizationNumber}-${id}-${tag++ % 3}`.slice(-20)

  function begin(connectorId: number, idTag = nextTag()): void {
    const meter = meters[connectorId - 1]
    if (meter === undefined || winding || charges.has(connectorId)) return
    // The meter has always moved on a little, so no two charges begin with one reading.
    meter.flow(1)
    const first = meter.total()
    physics?.plugIn(connectorId, () => transaction.id)
    const watts = random() < 0.3 ? (1 + random()) * fastWatts : random() * slowWatts
    const transaction: Running['transaction'] = { id: undefined }
    const charge: Charge = {
      chargePointId: id,
      connectorId,
      idTag,
      timestamp: clock.timestamp(),
      meterStart: meter.read(),
      meterStop: undefined,
      taken() {
        flow(running)
        return (running.last ?? meter.total()) - first
      },
      metered: [],
      rolledOver: false,
      reset: false,
      get transactionId() {
        return transaction.id
      },
      startGivenUp: false,
      abandoned: false,
    }
    const running: Running = { charge, transaction, meter, watts, flowedUntil: time.monotonic(), last: undefined }
    charges.set(connectorId, running)
    forgotten.delete(connectorId)
    begun.push(charge)
    charged(charge)
    outbox.transaction(
      startMessage(transaction, charge, (_status, { type }) => {
        charge.startGivenUp = type !== 'result'
      }),
    )
    statusChanged(connectorId)
    if (!quirks.metersNothing) later(metersEveryMs, () => takeMeters(running))
    if (!onlyWhenAsked) later(60_000 + random() * 240_000, () => end(running))
  }

  /** What has flowed until now goes through the meter. */
  function flow(running: Running): void {
    const { charge, meter, watts, flowedUntil } = running
    if (flowedUntil === undefined) return
    const shown = meter.read()
    running.flowedUntil = time.monotonic()
    meter.flow((watts * (running.flowedUntil - flowedUntil)) / hourMs)
    // What flows is by the last look: no more is needed of the register.
    running.watts = physics?.wattsOf(charge.connectorId) ?? watts
    if (meter.read() < shown) charge.rolledOver = true
  }

  function takeMeters(running: Running): void {
    if (running.charge.meterStop !== undefined) return
    takeMeter(running)
    later(metersEveryMs, () => takeMeters(running))
  }

  function takeMeter({ charge, transaction, meter }: Running): void {
    charge.metered.push(charge.taken())
    const value = String(meter.read())
    const sampledValue = [
      { value, measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
      ...(physics?.samples(charge.connectorId) ?? []),
    ]
    const said = quirks.metersWithoutTransaction ? undefined : transaction
    outbox.transaction(meterValuesMessage(charge.connectorId, said, { timestamp: clock.timestamp(), sampledValue }))
    const isKnown = charge.taken() > 0 && meter.read() >= resetsFromWh
    if (quirks.resetsRegisters && isKnown && random() < 0.5) {
      meter.reset()
      charge.reset = true
    }
  }

  function end(running: Running, reason: StopReason = 'Local'): void {
    const { charge, transaction, meter } = running
    if (charge.meterStop !== undefined) return
    flow(running)
    running.flowedUntil = undefined
    running.last = meter.total()
    charge.meterStop = meter.read()
    const { connectorId, idTag, meterStop } = charge
    charges.delete(connectorId)
    physics?.unplug(connectorId)
    if (quirks.availableBeforeStop) statusChanged(connectorId)
    const timestamp = clock.timestamp()
    const stop = (): void => {
      if (!heldBack.delete(stop)) return
      outbox.transaction(stopMessage(transaction, { idTag, meterStop, timestamp, reason }))
    }
    heldBack.add(stop)
    if ((quirks.stopsLate || dying) && !winding) later(100_000 + random() * 160_000, stop)
    else stop()
    if (!quirks.availableBeforeStop) statusChanged(connectorId)
    if (!onlyWhenAsked) later(30_000 + random() * 240_000, () => begin(connectorId))
  }

  function forget(running: Running): void {
    running.last = running.meter.total()
    charges.delete(running.charge.connectorId)
    forgotten.set(running.charge.connectorId, running)
    physics?.unplug(running.charge.connectorId)
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
      const running = [...charges.values()].find(({ charge }) => charge.transactionId === payload.transactionId)
      return running && (() => later(100 + random() * 3_000, () => end(running, 'Remote')))
    },
    meter(connectorId) {
      const running = charges.get(connectorId)
      if (running !== undefined) takeMeter(running)
    },
    powerDown() {
      for (const running of charges.values()) {
        flow(running)
        running.flowedUntil = undefined
      }
    },
    powerUp() {
      for (const running of [...charges.values()]) {
        if (quirks.forgetsOnPowerLoss) forget(running)
        else end(running, 'PowerLoss')
      }
      for (let connector = 1; connector <= connectors; connector++)
        if (!charges.has(connector) && random() < options.busyShare)
          later(5_000 + random() * 240_000, () => begin(connector))
    },
    windDown() {
      winding = true
      tellHeldBack()
      // Nobody comes any more whose charge would end it: its charge point tells of it after all.
      for (const running of forgotten.values()) end(running, 'PowerLoss')
      if (onlyWhenAsked) return
      for (const running of [...charges.values()]) later(random() * 20_000, () => end(running))
    },
    leaveUntold() {
      const [running] = charges.values()
      if (running === undefined) return
      dying = true
      end(running)
    },
    tellHeldBack,
    abandon() {
      for (const one of begun) one.abandoned = true
    },
  }
}
