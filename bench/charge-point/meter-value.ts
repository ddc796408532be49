// One MeterValue as a charge point reports it (OCPP 1.6, 7.33): register, voltage, and power and current of each phase.

import { nominalVolts } from './vehicle.js'

export type SampleContext = 'Sample.Periodic' | 'Sample.Clock' | 'Trigger' | 'Transaction.Begin' | 'Transaction.End'

const lines = ['L1', 'L2', 'L3'] as const

/** A vehicle on fewer phases than three draws from the first ones. */
export function meterValue(
  registerWh: number,
  powerWatts: number,
  phases: number,
  timestamp: string,
  context: SampleContext,
): object {
  const perPhase = lines.map((phase, index) => ({ phase, watts: index < phases ? powerWatts / phases : 0 }))
  return {
    timestamp,
    sampledValue: [
      { value: String(registerWh), context, measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
      { value: powerWatts.toFixed(0), context, measurand: 'Power.Active.Import', unit: 'W' },
      ...perPhase.map(({ phase, watts }) => ({
        value: watts.toFixed(0),
        context,
        measurand: 'Power.Active.Import',
        unit: 'W',
        phase,
      })),
      ...perPhase.map(({ phase, watts }) => ({
        value: (watts / nominalVolts).toFixed(1),
        context,
        measurand: 'Current.Import',
        unit: 'A',
        phase,
      })),
      { value: String(nominalVolts), context, measurand: 'Voltage', unit: 'V', phase: 'L1-N' },
    ],
  }
}
