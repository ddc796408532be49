// One MeterValue as a charge point reports it (OCPP 1.6, 7.33): register, power, current and voltage.

const nominalVolts = 230

export type SampleContext = 'Sample.Periodic' | 'Sample.Clock' | 'Trigger' | 'Transaction.Begin' | 'Transaction.End'

export function meterValue(registerWh: number, powerWatts: number, timestamp: string, context: SampleContext): object {
  const amperes = powerWatts / (nominalVolts * 3)
  return {
    timestamp,
    sampledValue: [
      { value: String(registerWh), context, measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
      { value: powerWatts.toFixed(0), context, measurand: 'Power.Active.Import', unit: 'W' },
      { value: amperes.toFixed(1), context, measurand: 'Current.Import', unit: 'A', phase: 'L1' },
      { value: String(nominalVolts), context, measurand: 'Voltage', unit: 'V', phase: 'L1-N' },
    ],
  }
}
