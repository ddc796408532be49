// A simulated charge point: boots, charges, keeps its transaction messages until they are answered and tells them again as
// real ones do, under a new message id. What is odd about it (its clock, its ids, what it leaves out) comes with its seed.

import type { Faults } from './faults.js'
import type { Line, Network } from './network.js'
import { answerTo } from './odd-answers.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

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

export interface ChargeObserver {
  /** A charge has begun, whoever will hear of it. */
  charged(charge: Charge): void
  /** An error that no well-formed message should get. */
  refused(chargePointId: string, action: string, code: string): void
  /** It is gone for good. */
  died(chargePointId: string): void
}

export interface SimulatedChargePoint {
  readonly id: string
  readonly connected: boolean
  /** Nothing is left to tell, and the last socket is up and accepted. */
  readonly settled: boolean
  readonly charging: boolean
  start(): void
  /** No new charges; the ones that run end soon. */
  windDown(): void
  losePower(): void
  /** Gone for good, sometimes just when a car has left. */
  die(): void
  connectTwice(): void
}

interface Quirks {
  /** Message ids that begin at 1 with each connection. */
  readonly countsMessages: boolean
  readonly clock: 'right' | 'local' | 'unset'
  readonly metersWithoutTransaction: boolean
  readonly availableBeforeStop: boolean
  readonly givesUpStarts: boolean
  readonly forgetsOnPowerLoss: boolean
  /** Is Available long before it tells what was charged. */
  readonly stopsLate: boolean
}

interface Message {
  readonly action: string
  readonly payload: () => Record<string, unknown>
  readonly charge?: Charge
  attempts: number
}

export interface ChargePointOptions {
  readonly id: string
  readonly organizationNumber: number
  readonly connectors: number
  /** Share of the outlets that charge; the others stay free for the whole run. */
  readonly busyShare: number
  readonly time: SimulatedTime
  readonly thread: SimulatedThread
  readonly faults: Faults
  readonly network: Network
  readonly observer: ChargeObserver
}

const answerWithinMs = 20_000
const meterEveryMs = 90_000
const isRemote = (action: string): boolean => action.startsWith('Remote')
const startAttempts = 3

export function createChargePoint(options: ChargePointOptions): SimulatedChargePoint {
  const { id, time, thread, faults, network, observer } = options
  const { random } = faults
  const quirks: Quirks = {
    countsMessages: random() < 0.3,
    clock: random() < 0.8 ? 'right' : random() < 0.5 ? 'local' : 'unset',
    metersWithoutTransaction: random() < 0.2,
    availableBeforeStop: random() < 0.2,
    givesUpStarts: random() < 0.1,
    forgetsOnPowerLoss: random() < 0.1,
    stopsLate: random() < 0.1,
  }
  const connectors = options.connectors
  const charges = new Map<number, Charge>()
  /** Transaction messages outlive power losses; statuses and heartbeats do not. */
  const toldStatuses = new Map<number, string>()
  let queue: Message[] = []
  let urgent: Message[] = []
  let line: Line | undefined
  let open = false
  let accepted = false
  let outstanding: { readonly id: string; readonly message: Message } | undefined
  let messageNumber = 0
  let meter = Math.floor(random() * 1_000_000)
  let clockSet = quirks.clock !== 'unset'
  let poweredAt = time.monotonic()
  let winding = false
  let tag = 0
  /** Raised when power goes: whatever was planned before is not done. */
  let life = 0
  let heartbeatEveryMs = 400_000
  let powered = false
  /** Of charges that are over; told when their time has come. */
  const heldBack = new Set<() => void>()
  const begun: Charge[] = []
  let dying = false
  let dead = false

  function later(milliseconds: number, run: () => void): void {
    const planned = life
    time.after(milliseconds, thread, () => {
      if (planned === life) run()
    })
  }

  function timestamp(): string {
    if (!clockSet) return new Date(time.monotonic() - poweredAt).toISOString()
    return new Date(time.now() + (quirks.clock === 'local' ? 2 * 3_600_000 : 0)).toISOString()
  }

  function connect(): void {
    const mine = network.connect(id, {
      opened() {
        if (line !== mine) return
        open = true
        messageNumber = 0
        // A charge point that only lost its link does not boot again.
        if (!accepted || random() < 0.2) {
          accepted = false
          tell('BootNotification', () => ({ chargePointVendor: 'Sim', chargePointModel: 'S1' }))
          toldStatuses.clear()
        }
        for (let connector = 1; connector <= connectors; connector++) tellStatus(connector)
        pump()
      },
      received(text) {
        if (line === mine) receive(text)
      },
      closed() {
        if (line !== mine) return
        line = undefined
        open = false
        outstanding = undefined
        urgent = []
        later(500 + random() * 8_000, connect)
      },
    })
    line = mine
  }

  function tell(action: string, payload: () => Record<string, unknown>): void {
    urgent.push({ action, payload, attempts: 0 })
  }

  function tellStatus(connectorId: number, status = charges.has(connectorId) ? 'Charging' : 'Available'): void {
    if (!open || toldStatuses.get(connectorId) === status) return
    const at = timestamp()
    tell('StatusNotification', () => ({ connectorId, status, errorCode: 'NoError', timestamp: at }))
    pump()
  }

  /** One call at a time (OCPP-J 1.6, 4.1.1); nothing but BootNotification before it was accepted (4.2). */
  function pump(): void {
    if (!open || line === undefined || outstanding !== undefined) return
    const boot = urgent.find((message) => message.action === 'BootNotification')
    const message = boot ?? (accepted ? (urgent[0] ?? queue[0]) : undefined)
    if (message === undefined) return
    message.attempts++
    const messageId = quirks.countsMessages ? String(++messageNumber) : `${id}-${time.steps}-${++messageNumber}`
    const sent = { id: messageId, message }
    outstanding = sent
    line.send(JSON.stringify([2, messageId, message.action, message.payload()]))
    later(answerWithinMs, () => {
      if (outstanding !== sent) return
      outstanding = undefined
      again(message)
    })
  }

  function done(message: Message): void {
    urgent = urgent.filter((one) => one !== message)
    queue = queue.filter((one) => one !== message)
  }

  /** What was not answered is told again after a while, if it is of a transaction; a boot at once. */
  function again(message: Message): void {
    const { charge, action } = message
    if (charge === undefined && action !== 'BootNotification') done(message)
    if (charge !== undefined && action === 'StartTransaction' && message.attempts >= startAttempts) {
      if (quirks.givesUpStarts) {
        charge.startGivenUp = true
        done(message)
      }
    }
    later(1_000 + random() * 5_000, pump)
  }

  function receive(text: string): void {
    const frame = JSON.parse(text) as [number, string, ...unknown[]]
    if (frame[0] === 2) {
      answer(frame[1], frame[2] as string, frame[3] as Record<string, unknown>)
      return
    }
    if (outstanding?.id !== frame[1]) return
    const { message } = outstanding
    outstanding = undefined
    if (frame[0] === 4) {
      refused(message, frame[2] as string)
      return
    }
    done(message)
    take(message, frame[2] as Record<string, unknown>)
    pump()
  }

  function refused(message: Message, code: string): void {
    if (code === 'SecurityError') {
      accepted = false
      if (!urgent.some((one) => one.action === 'BootNotification'))
        tell('BootNotification', () => ({ chargePointVendor: 'Sim', chargePointModel: 'S1' }))
    } else if (code !== 'InternalError') observer.refused(id, message.action, code)
    again(message)
  }

  function take({ action, charge, payload: said }: Message, payload: Record<string, unknown>): void {
    const sent = said()
    if (action === 'StatusNotification') toldStatuses.set(sent.connectorId as number, sent.status as string)
    else if (action === 'BootNotification') {
      accepted = payload.status === 'Accepted'
      heartbeatEveryMs = (payload.interval as number) * 1_000
      clockSet = true
    } else if (action === 'StartTransaction' && charge !== undefined) {
      charge.transactionId = payload.transactionId as number
    }
  }

  /** What it has been asked to do with a charge; undefined where it cannot. */
  function remoteCharge(action: string, payload: Record<string, unknown>): (() => void) | undefined {
    if (action === 'RemoteStartTransaction') {
      const { connectorId, idTag } = payload as { connectorId: number; idTag: string }
      if (winding || charges.has(connectorId)) return undefined
      // Some do not plug in after all.
      return () => random() < 0.9 && later(500 + random() * 10_000, () => beginCharge(connectorId, idTag))
    }
    if (action !== 'RemoteStopTransaction') return undefined
    const charge = [...charges.values()].find(({ transactionId }) => transactionId === payload.transactionId)
    return charge && (() => later(100 + random() * 3_000, () => endCharge(charge, 'Remote')))
  }

  function answer(messageId: string, action: string, payload: Record<string, unknown>): void {
    const asked = remoteCharge(action, payload)
    const { frames, lateMs, consents } = answerTo(messageId, action, faults, asked !== undefined || !isRemote(action))
    const speaking = line
    if (consents) asked?.()
    for (const frame of frames) {
      later(lateMs + random() * 300, () => {
        if (line === speaking) line?.send(frame)
      })
    }
    if (action === 'TriggerMessage') {
      tell('BootNotification', () => ({ chargePointVendor: 'Sim', chargePointModel: 'S1' }))
      later(100, pump)
    }
  }

  function enqueue(action: string, charge: Charge, payload: () => Record<string, unknown>): void {
    queue.push({ action, charge, payload, attempts: 0 })
    pump()
  }

  function beginCharge(
    connectorId: number,
    idTag = `TAG${options.organizationNumber}-${id}-${tag++ % 3}`.slice(-20),
  ): void {
    if (winding || charges.has(connectorId)) return
    const charge: Charge = {
      chargePointId: id,
      connectorId,
      idTag,
      timestamp: timestamp(),
      // The meter has always moved on a little, so no two charges of a charge point begin with one reading.
      meterStart: ++meter,
      meterStop: undefined,
      transactionId: undefined,
      startGivenUp: false,
      abandoned: false,
    }
    charges.set(connectorId, charge)
    begun.push(charge)
    observer.charged(charge)
    const { meterStart } = charge
    enqueue('StartTransaction', charge, () => ({ connectorId, idTag, timestamp: charge.timestamp, meterStart }))
    tellStatus(connectorId)
    later(meterEveryMs, () => takeMeter(charge))
    later(60_000 + random() * 240_000, () => endCharge(charge))
  }

  function takeMeter(charge: Charge): void {
    if (charge.meterStop !== undefined) return
    meter += 1 + Math.floor(random() * 100)
    const value = String(meter)
    const at = timestamp()
    enqueue('MeterValues', charge, () => ({
      connectorId: charge.connectorId,
      ...(charge.transactionId !== undefined &&
        !quirks.metersWithoutTransaction && { transactionId: charge.transactionId }),
      meterValue: [
        { timestamp: at, sampledValue: [{ value, measurand: 'Energy.Active.Import.Register', unit: 'Wh' }] },
      ],
    }))
    later(meterEveryMs, () => takeMeter(charge))
  }

  function endCharge(charge: Charge, reason = 'Local'): void {
    if (charge.meterStop !== undefined) return
    meter += 1 + Math.floor(random() * 100)
    charge.meterStop = meter
    const meterStop = meter
    charges.delete(charge.connectorId)
    if (quirks.availableBeforeStop) tellStatus(charge.connectorId)
    const at = timestamp()
    const stop = (): void => {
      if (!heldBack.delete(stop)) return
      // Nobody knows the id of a start that was given up: such charge points say -1.
      enqueue('StopTransaction', charge, () => ({
        transactionId: charge.transactionId ?? -1,
        meterStop,
        timestamp: at,
        reason,
        idTag: charge.idTag,
      }))
    }
    heldBack.add(stop)
    if ((quirks.stopsLate || dying) && !winding) later(100_000 + random() * 160_000, stop)
    else stop()
    if (!quirks.availableBeforeStop) tellStatus(charge.connectorId)
    later(30_000 + random() * 240_000, () => beginCharge(charge.connectorId))
  }

  function heartbeat(): void {
    if (open && accepted) {
      tell('Heartbeat', () => ({}))
      pump()
    }
    later(heartbeatEveryMs, heartbeat)
  }

  function powerUp(): void {
    powered = true
    poweredAt = time.monotonic()
    clockSet = quirks.clock !== 'unset'
    connect()
    for (const stop of heldBack) stop()
    later(heartbeatEveryMs * random(), heartbeat)
    // What was charging when the power went is ended when it is back, or never spoken of again.
    for (const charge of [...charges.values()]) {
      if (quirks.forgetsOnPowerLoss) charges.delete(charge.connectorId)
      else endCharge(charge, 'PowerLoss')
    }
    for (let connector = 1; connector <= connectors; connector++)
      if (!charges.has(connector) && random() < options.busyShare)
        later(5_000 + random() * 240_000, () => beginCharge(connector))
  }

  function powerDown(): void {
    powered = false
    life++
    line?.close()
    line = undefined
    open = false
    accepted = false
    outstanding = undefined
    urgent = []
  }

  return {
    id,
    get connected() {
      return open
    },
    get settled() {
      return open && accepted && queue.length === 0 && urgent.length === 0 && outstanding === undefined
    },
    get charging() {
      return charges.size > 0
    },
    start() {
      if (!dead) powerUp()
    },
    windDown() {
      winding = true
      for (const stop of heldBack) stop()
      for (const charge of [...charges.values()]) later(random() * 20_000, () => endCharge(charge))
    },
    losePower() {
      if (!powered) return
      powerDown()
      later(1_000 + random() * 20_000, powerUp)
    },
    die() {
      const [charge] = charges.values()
      if (charge === undefined || random() < 0.5) return end()
      dying = true
      endCharge(charge)
      later(3_000, end)

      function end(): void {
        powerDown()
        dead = true
        queue = []
        for (const one of begun) one.abandoned = true
        observer.died(id)
      }
    },
    connectTwice() {
      // The old socket is left alone: to the edge it lives on, to the charge point it is forgotten.
      if (!open) return
      outstanding = undefined
      urgent = []
      open = false
      connect()
    },
  }
}
