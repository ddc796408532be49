// Amperes and watts of a site: OCPP says limits in either, per phase or in all (OCPP 1.6, 7.13), and a site's fuses know amperes alone.

/** What is nominal between a line and neutral in Europe; limits are converted with it, whatever the meter shows. */
export const nominalVolts = 230

/** The lines of the site's grid connection. */
export const lines = ['L1', 'L2', 'L3'] as const
export type Line = (typeof lines)[number]

/** To which lines of the site the conductors of a connector lead, its first conductor first (key ConnectorPhaseRotation, OCPP 1.6, 9.1.7). */
export type PhaseRotation = 'RST' | 'RTS' | 'SRT' | 'STR' | 'TRS' | 'TSR' | 'R' | 'S' | 'T'

export const phaseRotations = ['RST', 'RTS', 'SRT', 'STR', 'TRS', 'TSR', 'R', 'S', 'T'] as const

const lineOf: Readonly<Record<string, Line>> = { R: 'L1', S: 'L2', T: 'L3' }

/** The lines that a car draws from: one on a single phase takes the first conductor. */
export function linesOf(rotation: PhaseRotation, phases: number): readonly Line[] {
  return [...rotation].slice(0, phases).map((letter) => lineOf[letter] as Line)
}

/** Limits have at most one decimal (OCPP 1.6, 7.13). */
const ampereStep = 0.1

/** By how much a limit can change: a tenth of an ampere on each of its phases, watts. It is good for either unit. */
export function limitStepWatts(phases: number): number {
  return Math.round(ampereStep * nominalVolts * phases)
}

/** Below this no car charges (IEC 61851-1, mode 3). */
export const leastAmperes = 6

/** What a car needs at least on so many phases, watts. */
export function leastWatts(phases: number): number {
  return leastAmperes * nominalVolts * phases
}

/** The least with which a car is charged on so many phases, amperes per phase. */
export function floorAmperes(minPowerKw: number, phases: number): number {
  return Math.max(leastAmperes, (minPowerKw * 1000) / nominalVolts / phases)
}
