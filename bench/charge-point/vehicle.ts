// What a vehicle takes of the power that its charge point leaves to it. It knows nothing of charging profiles or of time: what it
// takes depends on the limit and on what it has taken so far.

export const nominalVolts = 230

/** Below this, amperes per phase, no vehicle charges (IEC 61851-1, mode 3). */
const leastAmperes = 6

export interface Vehicle {
  /** On how many phases it charges. */
  readonly phases: number
  /** `takenWh`: since it was plugged in. */
  drawWatts(limitWatts: number, takenWh: number): number
}

/** One that always takes the same, on three phases. */
export function steadyVehicle(watts: number): Vehicle {
  return { phases: 3, drawWatts: (limitWatts) => Math.max(0, Math.min(watts, limitWatts)) }
}

export interface Battery {
  readonly phases: number
  /** What it takes at most, per phase. */
  readonly maximumAmperes: number
  readonly capacityWh: number
  /** What is in it when the vehicle is plugged in. */
  readonly storedWh: number
}

export interface BatteryVehicle extends Vehicle {
  readonly battery: Battery
  /** From 0 to 1. */
  stateOfCharge(takenWh: number): number
}

/** Until so full, a battery takes all that its vehicle can take; then less and less. */
const taperFrom = 0.8

export function batteryVehicle(battery: Battery): BatteryVehicle {
  const { phases, maximumAmperes, capacityWh, storedWh } = battery
  const stateOfCharge = (takenWh: number): number => Math.min(1, (storedWh + takenWh) / capacityWh)

  function takesAmperes(takenWh: number): number {
    const state = stateOfCharge(takenWh)
    if (state >= 1) return 0
    const part = Math.min(1, (1 - state) / (1 - taperFrom))
    return leastAmperes + (maximumAmperes - leastAmperes) * part
  }

  return {
    battery,
    phases,
    stateOfCharge,
    drawWatts(limitWatts, takenWh) {
      const amperes = Math.min(limitWatts / nominalVolts / phases, takesAmperes(takenWh))
      // A limit of 6 A may have become watts and amperes again.
      return amperes < leastAmperes - 1e-9 ? 0 : amperes * nominalVolts * phases
    },
  }
}
