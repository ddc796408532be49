// What a connector is likely to be where nobody has said it: from the power and the phases of its charge point, and from what is usual in its
// country.

import type { ConnectorFormat, ConnectorStandard, PowerType } from '../schemas/common.js'

export interface Electrical {
  readonly standard: ConnectorStandard
  readonly format: ConnectorFormat
  readonly power_type: PowerType
  /** Volts. */
  readonly max_voltage: number
  /** Amperes. */
  readonly max_amperage: number
  /** Watts; absent where nobody has said the power. */
  readonly max_electric_power?: number
}

export interface KnownOfConnector {
  readonly maxPowerKw: number | undefined
  readonly phases: 1 | 3 | undefined
  /** ISO 3166-1 alpha-2. */
  readonly country: string | undefined
}

/** No AC charge point gives more than this: 63 A on three phases. */
const highestAcKw = 43.5
/** AC beyond 32 A has its cable at the charge point. */
const highestSocketKw = 22.5
const usualAmperes = 32

/** Where cars charge on one phase and by their own connectors (SAE J1772), with the voltage between two lines. */
const typeOneCountries: Readonly<Record<string, number>> = { US: 240, CA: 240, MX: 220, JP: 200, KR: 220, TW: 220 }

export function connectorDefaults(known: KnownOfConnector): Electrical {
  const { maxPowerKw } = known
  const power = maxPowerKw === undefined ? {} : { max_electric_power: Math.round(maxPowerKw * 1_000) }
  const isDc = (maxPowerKw ?? 0) > highestAcKw
  return { ...(isDc ? directCurrent(known) : alternatingCurrent(known)), ...power }
}

function directCurrent({ maxPowerKw = 50, country = '' }: KnownOfConnector): Electrical {
  const isFirstGeneration = maxPowerKw <= 60
  return {
    standard: directStandard(country),
    format: 'CABLE',
    power_type: 'DC',
    max_voltage: isFirstGeneration ? 500 : 920,
    // At the 400 V of most cars, and not beyond what a liquid-cooled cable carries.
    max_amperage: Math.min(500, Math.ceil((maxPowerKw * 1_000) / 400)),
  }
}

function directStandard(country: string): ConnectorStandard {
  if (country === 'CN') return 'GBT_DC'
  if (country === 'JP') return 'CHADEMO'
  return country in typeOneCountries ? 'IEC_62196_T1_COMBO' : 'IEC_62196_T2_COMBO'
}

function alternatingCurrent({ maxPowerKw, phases, country = '' }: KnownOfConnector): Electrical {
  const typeOneVolts = typeOneCountries[country]
  if (typeOneVolts !== undefined)
    return {
      standard: 'IEC_62196_T1',
      format: 'CABLE',
      power_type: 'AC_1_PHASE',
      max_voltage: typeOneVolts,
      max_amperage: amperes(maxPowerKw, typeOneVolts, 1),
    }
  const volts = country === 'CN' ? 220 : 230
  const isThreePhase = (phases ?? likelyPhases(maxPowerKw)) === 3
  return {
    standard: country === 'CN' ? 'GBT_AC' : 'IEC_62196_T2',
    format: (maxPowerKw ?? 0) > highestSocketKw ? 'CABLE' : 'SOCKET',
    power_type: isThreePhase ? 'AC_3_PHASE' : 'AC_1_PHASE',
    max_voltage: volts,
    max_amperage: amperes(maxPowerKw, volts, isThreePhase ? 3 : 1),
  }
}

/** 3.7 and 7.4 kW are 16 A and 32 A on one phase. */
function likelyPhases(maxPowerKw: number | undefined): 1 | 3 {
  return maxPowerKw !== undefined && maxPowerKw < 8 ? 1 : 3
}

/** 22 kW is 31.9 A on three phases: what was meant is the next whole ampere. */
function amperes(maxPowerKw: number | undefined, volts: number, phases: number): number {
  if (maxPowerKw === undefined) return usualAmperes
  return Math.max(1, Math.round((maxPowerKw * 1_000) / (volts * phases)))
}
