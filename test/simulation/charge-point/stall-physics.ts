// What happens at the outlets of a charge point of a site, as physics has it: the limits that it holds, and what its cars draw by them.

import type { Payload } from '../../../bench/charge-point/call-channel.js'
import {
  type ChargingProfile,
  chargingProfile,
  createChargingProfiles,
} from '../../../bench/charge-point/charging-profiles.js'
import type { Clock } from '../../../bench/charge-point/clock.js'
import type { Random } from '../../../bench/client/random.js'
import { type Stall, volts } from '../stalls.js'
import { type Able, consentTo, refusal } from './odd-answers.js'

/** One connector at this instant; amperes per phase. */
export interface Outlet {
  readonly connectorId: number
  /** What its car may draw. */
  readonly ownAmperes: number
  /** What the next car may draw, or this one once the limit of its transaction is over. */
  readonly standingAmperes: number
  /** On how many phases its car draws; all, without a car. */
  readonly carPhases: number
  readonly drawnAmperes: number
}

export interface StallPhysics {
  readonly stall: Stall
  runsOn(clock: Clock): void
  plugIn(connectorId: number, transactionId: () => number | undefined): void
  unplug(connectorId: number): void
  powerDown(): void
  powerUp(): void
  wattsOf(connectorId: number): number
  /** What its meter shows beside the register. */
  samples(connectorId: number): readonly object[]
  /** Undefined where it is as with any charge point. */
  answer(action: string, payload: Payload): Able | undefined
  outlets(): readonly Outlet[]
  /** When it lost its limits last, monotonic ms, and the lowest of them, amperes per phase. */
  lastLoss(): { readonly at: number; readonly leastAmperes: number } | undefined
}

interface Car {
  readonly phases: number
  readonly since: number
  /** Amperes per phase that it takes, by how long it has charged. */
  readonly curve: readonly (readonly [fromMs: number, amperes: number])[]
  readonly transactionId: () => number | undefined
}

/** Below it, no car charges. */
const leastAmperes = 6

export function createStallPhysics(
  stall: Stall,
  random: Random,
  time: { monotonic(): number },
  /** What it holds is another from now on. */
  changed: () => void,
): StallPhysics {
  const { manner, connectors, phases, maxAmperes } = stall
  const cars = new Map<number, Car>()
  let ofTransactions = createChargingProfiles()
  let standing = createChargingProfiles()
  let clock: Clock | undefined
  let powered = false
  let loss: ReturnType<StallPhysics['lastLoss']>

  function refuses({ chargingProfilePurpose: purpose, chargingSchedule }: ChargingProfile): boolean {
    const { chargingRateUnit: unit, chargingSchedulePeriod } = chargingSchedule
    switch (manner) {
      case 'refuses-all':
        return true
      case 'refuses-tx':
        return purpose === 'TxProfile'
      case 'refuses-amperes':
        return unit === 'A'
      case 'refuses-watts':
        return unit === 'W'
      case 'refuses-zero':
        return chargingSchedulePeriod.some(({ limit }) => limit === 0)
      default:
        return false
    }
  }

  /** As one of amperes on a single phase: what a connector holds is compared by phase. */
  function perPhase(profile: ChargingProfile): ChargingProfile {
    const { chargingSchedule } = profile
    const { chargingRateUnit: unit, chargingSchedulePeriod } = chargingSchedule
    const periods = chargingSchedulePeriod.map(({ startPeriod, limit, numberPhases = 3 }) => ({
      startPeriod,
      limit: unit === 'A' ? limit : limit / volts / Math.min(numberPhases, phases),
      numberPhases: 1,
    }))
    return {
      ...profile,
      chargingSchedule: { ...chargingSchedule, chargingRateUnit: 'A', chargingSchedulePeriod: periods },
    }
  }

  function set(payload: Payload): Able {
    const connectorId = Number(payload.connectorId)
    const profile = chargingProfile(payload.csChargingProfiles)
    const isOfTransaction = profile.chargingProfilePurpose === 'TxProfile'
    const isOver = isOfTransaction && cars.get(connectorId)?.transactionId() !== profile.transactionId
    if (refuses(profile) || isOver) return refusal
    return consentTo('SetChargingProfile', () => {
      const [profiles, others] = isOfTransaction ? [ofTransactions, standing] : [standing, ofTransactions]
      // One with the same id is replaced, whatever its purpose (OCPP 1.6, 5.16.2).
      others.clear({ id: profile.chargingProfileId })
      profiles.set(connectorId, perPhase(profile))
      changed()
    })
  }

  function shown(connectorId: number): object {
    const chargingSchedulePeriod = [{ startPeriod: 0, limit: Math.floor(ownAmperes(connectorId) * 10) / 10 }]
    const chargingSchedule = { duration: 60, chargingRateUnit: 'A', chargingSchedulePeriod }
    return { status: 'Accepted', connectorId, chargingSchedule }
  }

  function limitBy(profiles: typeof standing, connectorId: number): number {
    const car = cars.get(connectorId)
    const now = clock?.now() ?? 0
    // How long a transaction has lasted does not depend on a clock that was set.
    const startedAt = car === undefined ? undefined : now - (time.monotonic() - car.since)
    return profiles.limitWatts(connectorId, now, startedAt, 1) / volts
  }

  function standingAmperes(connectorId: number): number {
    return manner === 'ignores' ? maxAmperes : Math.min(maxAmperes, limitBy(standing, connectorId))
  }

  function ownAmperes(connectorId: number): number {
    const own = limitBy(ofTransactions, connectorId)
    return own === Number.POSITIVE_INFINITY || manner === 'ignores'
      ? standingAmperes(connectorId)
      : Math.min(maxAmperes, own)
  }

  function drawnAmperes(connectorId: number): number {
    const car = cars.get(connectorId)
    if (car === undefined || !powered) return 0
    const charged = time.monotonic() - car.since
    const wanted = car.curve.findLast(([from]) => from <= charged)?.[1] ?? 0
    const amperes = Math.min(wanted, ownAmperes(connectorId))
    return amperes < leastAmperes ? 0 : amperes
  }

  const phasesAt = (connectorId: number): number => cars.get(connectorId)?.phases ?? phases

  function outlets(): readonly Outlet[] {
    return Array.from({ length: connectors }, (_, index) => ({
      connectorId: index + 1,
      ownAmperes: ownAmperes(index + 1),
      standingAmperes: standingAmperes(index + 1),
      carPhases: phasesAt(index + 1),
      drawnAmperes: drawnAmperes(index + 1),
    }))
  }

  return {
    stall,
    runsOn(given) {
      clock = given
    },
    plugIn(connectorId, transactionId) {
      const most = random() < 0.7 ? 32 : 16
      const slowsMs = 60_000 + random() * 180_000
      cars.set(connectorId, {
        phases: random() < 0.6 ? phases : 1,
        since: time.monotonic(),
        curve: [
          [0, most],
          [slowsMs, most / 2],
          [slowsMs * 1.5, 0],
        ],
        transactionId,
      })
      changed()
    },
    unplug(connectorId) {
      cars.delete(connectorId)
      ofTransactions.transactionEnded(connectorId)
      changed()
    },
    powerDown() {
      powered = false
      if (manner === 'forgets') {
        const held = outlets().map(({ ownAmperes, standingAmperes }) => Math.max(ownAmperes, standingAmperes))
        loss = { at: time.monotonic(), leastAmperes: Math.min(...held) }
      }
      // A transaction does not outlive it.
      ofTransactions = createChargingProfiles()
      if (manner === 'forgets') standing = createChargingProfiles()
    },
    powerUp() {
      powered = true
    },
    wattsOf: (connectorId) => drawnAmperes(connectorId) * volts * phasesAt(connectorId),
    samples(connectorId) {
      if (manner === 'unmetered') return []
      const amperes = drawnAmperes(connectorId)
      const watts = amperes * volts * phasesAt(connectorId)
      return [
        { value: watts.toFixed(0), measurand: 'Power.Active.Import', unit: 'W' },
        ...['L1', 'L2', 'L3'].slice(0, phases).map((phase, index) => ({
          value: (index < phasesAt(connectorId) ? amperes : 0).toFixed(1),
          measurand: 'Current.Import',
          unit: 'A',
          phase,
        })),
      ]
    },
    answer(action, payload) {
      if (action === 'SetChargingProfile') return set(payload)
      if (action === 'GetCompositeSchedule') return { payload: shown(Number(payload.connectorId)), act: undefined }
      if (action !== 'ClearChargingProfile') return undefined
      return consentTo(action, () => {
        ofTransactions.clear(payload)
        standing.clear(payload)
      })
    },
    outlets,
    lastLoss: () => loss,
  }
}
