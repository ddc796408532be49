// The charge points of a simulated city over their sockets, and what happens to them: drivers come and go, a model has a fault, a network
// fails, and some do not get in.

import type { ChargePoint } from '../charge-point/charge-point.js'
import { createRegister } from '../charge-point/register.js'
import type { Timetable, TimetableEntry } from '../charge-point/timetable.js'
import type { Fleet } from '../client/fleet.js'
import type { Random } from '../client/random.js'
import { createSocketChargePoint } from '../client/socket-charge-point.js'
import { type Car, newCar } from './cars.js'
import { deviating } from './deviations.js'
import { hourOf, type PastSession, pastSessions, reportPast } from './history.js'
import type { PlannedChargePoint } from './plan.js'

export interface CityFleetOptions {
  readonly planned: readonly PlannedChargePoint[]
  readonly created: ReadonlySet<string>
  readonly cards: readonly string[]
  readonly timeZone: string
  /** ws://host:port/ocpp16 */
  readonly url: string
  readonly meterIntervalSeconds: number
  /** Share of the connectors that charge at any time. */
  readonly share: number
  /** Of how many hours the new charge points report what they have done; 0 for none. */
  readonly hoursOfHistory: number
  readonly timetable: Timetable
  readonly random: Random
  readonly seed: number
}

interface Standing {
  readonly plan: PlannedChargePoint
  readonly chargePoint: ChargePoint
  /** What it still has to report of the past; drivers wait for that. */
  past: readonly PastSession[]
  isReporting: boolean
  hasTrouble: boolean
}

const connectSpacingMs = 5
const checkMs = 1_000
/** Drivers of a city that has just been switched on come within seconds, and later one after the other. */
const arrivalsAtOnce = 12
const networkFailsAfterMs = 25_000
const networkIsAwayMs = 8 * 60_000
const networkHoldsMs = 30 * 60_000
const faultsAfterMs = 12_000
const lastCommandsShown = 3
/** Presented by charge points whose password was changed without them. */
const forgottenPassword = '0123456789abcdef0123456789abcdef01234567'

export function createCityFleet(options: CityFleetOptions): Fleet {
  const { planned, cards, timetable, random } = options
  const cars = new Map<string, Car & { readonly leavesAt: number }>()
  const lastCommands: string[] = []
  let messages = 0
  let commands = 0
  let lastRefusal: string | undefined
  /** What happens later, and no more once the fleet has stopped. */
  const later = new Set<TimetableEntry>()
  const hour = hourOf(options.timeZone)
  const placeOf = (id: string, connectorId: number): string => `${id}/${connectorId}`
  function after(delayMs: number, task: () => void): void {
    const entry = timetable.after(delayMs, () => {
      later.delete(entry)
      task()
    })
    later.add(entry)
  }
  const newCard = (): string => cards[Math.floor(random() * (cards.length - 1))] as string

  /** Its sessions of the past by time, and where its registers stand after them. */
  function pastOf(plan: PlannedChargePoint): { sessions: PastSession[]; registers: readonly number[] } {
    const isNew = options.created.has(plan.id) && options.hoursOfHistory > 0
    const registers: number[] = []
    const sessions: PastSession[] = []
    for (let connectorId = 1; connectorId <= plan.model.connectors; connectorId++) {
      const firstWh = Math.floor(random() * 5_000_000)
      const own = isNew
        ? pastSessions({
            model: plan.model,
            connectorId,
            now: Date.now(),
            hours: options.hoursOfHistory,
            hour,
            random,
            newIdTag: newCard,
            firstWh,
          })
        : []
      registers.push(own.at(-1)?.endWh ?? firstWh)
      sessions.push(...own)
    }
    return { sessions: sessions.sort((one, other) => one.startedAt - other.startedAt), registers }
  }

  const standing = planned.map((plan, index): Standing => {
    const { id, model, trouble } = plan
    const { sessions, registers } = pastOf(plan)
    const chargePoint = createSocketChargePoint(
      {
        id,
        url: options.url,
        vendor: model.vendor,
        model: model.model,
        firmwareVersion: plan.firmware,
        connectors: model.connectors,
        maximumWatts: model.kilowatts * 1000,
        configuration: { MeterValueSampleInterval: String(options.meterIntervalSeconds) },
        seed: options.seed * 1_000_003 + index,
        timetable,
        registerOf: (connectorId) => createRegister(registers[connectorId - 1] as number),
        vehicleAt: (connectorId) => cars.get(placeOf(id, connectorId))?.vehicle,
        ...(trouble?.type === 'refused' && { password: Buffer.from(forgottenPassword, 'hex') }),
        ...(trouble?.type === 'clock' && { clock: 'local' }),
        ...(trouble?.type === 'deviates' && { rewrite: deviating(trouble.deviation) }),
      },
      {
        received: () => {
          messages++
        },
        command(action) {
          commands++
          lastCommands.push(`${id} ${action}`)
          if (lastCommands.length > lastCommandsShown) lastCommands.shift()
        },
        disconnected(_code, reason, refusal) {
          // A restart that it was asked for is no refusal.
          if (trouble === undefined && reason !== 'reboot')
            lastRefusal = refusal ? `HTTP ${refusal.statusCode}` : reason
        },
        transactionStopped: (connectorId) => cars.delete(placeOf(id, connectorId)),
      },
    )
    return { plan, chargePoint, past: sessions, isReporting: false, hasTrouble: false }
  })

  async function report(one: Standing): Promise<void> {
    one.isReporting = true
    const { past } = one
    one.past = []
    await reportPast(one.chargePoint, past)
    one.isReporting = false
  }

  /** What is wrong with it begins once it is there. */
  function beginTrouble(one: Standing): void {
    one.hasTrouble = true
    const { connectors } = one.chargePoint
    const { trouble } = one.plan
    if (trouble?.type === 'unavailable') connectors.changeAvailability(0, false)
    if (trouble?.type === 'faulted')
      after(faultsAfterMs * (0.5 + random()), () => connectors.fault(1, trouble.errorCode))
  }

  function leave(): void {
    for (const { chargePoint } of standing)
      for (const { id, transaction } of chargePoint.connectors.all) {
        const car = cars.get(placeOf(chargePoint.id, id))
        if (car === undefined || car.leavesAt > timetable.now()) continue
        cars.delete(placeOf(chargePoint.id, id))
        if (transaction !== undefined) chargePoint.connectors.stop(id, 'EVDisconnected')
      }
  }

  function arrive({ plan, chargePoint }: Standing, connectorId: number): void {
    const car = newCar(plan.model, random)
    const place = placeOf(chargePoint.id, connectorId)
    cars.set(place, { ...car, leavesAt: timetable.now() + car.staysMs })
    // Now and then, somebody presents the card that is blocked.
    const card = random() < 0.01 ? (cards.at(-1) as string) : newCard()
    if (!chargePoint.connectors.start(connectorId, card, false)) cars.delete(place)
  }

  function look(): void {
    for (const one of standing) {
      if (!one.chargePoint.accepted || one.isReporting) continue
      if (one.past.length > 0) void report(one)
      else if (!one.hasTrouble) beginTrouble(one)
      // The draw follows the battery, and limits end with time.
      one.chargePoint.connectors.applyLimits()
    }
    leave()
    const ready = standing.filter((one) => one.chargePoint.accepted && !one.isReporting && one.past.length === 0)
    const places = ready.flatMap((one) => one.chargePoint.connectors.all.map(({ id, status }) => ({ one, id, status })))
    const wanted = Math.ceil(places.length * options.share)
    const taken = places.filter(({ status }) => status === 'Charging' || status === 'Preparing').length
    const free = places.filter(({ status }) => status === 'Available')
    for (let missing = Math.min(arrivalsAtOnce, wanted - taken); missing > 0 && free.length > 0; missing--) {
      const [{ one, id }] = free.splice(Math.floor(random() * free.length), 1) as [(typeof free)[number]]
      arrive(one, id)
    }
    after(checkMs, look)
  }

  function failNetwork(): void {
    for (const { plan, chargePoint } of standing)
      if (plan.trouble?.type === 'network') chargePoint.loseConnection(networkIsAwayMs * (0.95 + 0.1 * random()))
    after(networkIsAwayMs + networkHoldsMs, failNetwork)
  }

  return {
    chargePoints: standing.map(({ chargePoint }) => chargePoint),
    start() {
      standing.forEach(({ chargePoint }, index) => {
        after(index * connectSpacingMs, () => chargePoint.start())
      })
      after(checkMs, look)
      after(networkFailsAfterMs, failNetwork)
    },
    stop() {
      for (const entry of later) timetable.cancel(entry)
      for (const { chargePoint } of standing) chargePoint.stop()
    },
    summary: () => ({
      connected: standing.filter(({ chargePoint }) => chargePoint.connected).length,
      charging: standing
        .flatMap(({ chargePoint }) => chargePoint.connectors.all)
        .filter(({ transaction }) => transaction !== undefined).length,
      messages,
      commands,
      lastCommands: [...lastCommands],
      lastRefusal,
    }),
  }
}
