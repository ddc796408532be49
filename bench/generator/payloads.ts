// What the charge points of the generators say, as JSON: every reading, id tag and timestamp is their own.

import type { Station } from './station.js'

export function bootPayload(station: Station): string {
  return `{"chargePointVendor":"bench","chargePointModel":"B-1","chargePointSerialNumber":${JSON.stringify(station.id.slice(0, 25))},"firmwareVersion":"1.0.0"}`
}

/** Four samples of a running transaction. */
export function meterValuesPayload(station: Station, connectorId: number): string {
  station.registerWh += 31
  const watts = 7_000 + (station.registerWh % 4_000)
  const sample = (measurand: string, unit: string, value: string): string =>
    `{"value":"${value}","context":"Sample.Periodic","measurand":"${measurand}","unit":"${unit}"}`
  const samples = [
    sample('Energy.Active.Import.Register', 'Wh', String(station.registerWh)),
    sample('Power.Active.Import', 'W', String(watts)),
    sample('Current.Import', 'A', (watts / 690).toFixed(1)),
    sample('Voltage', 'V', '230'),
  ]
  const transactionId = station.transactions[connectorId] ?? 1
  const timestamp = new Date().toISOString()
  return `{"connectorId":${connectorId},"transactionId":${transactionId},"meterValue":[{"timestamp":"${timestamp}","sampledValue":[${samples.join(',')}]}]}`
}

/** So many readings of a running transaction in one message, a millisecond apart. */
export function meterSeriesPayload(station: Station, connectorId: number, samples: number): string {
  const transactionId = station.transactions[connectorId] ?? 1
  const now = Date.now()
  const values = Array.from({ length: samples }, (_, number) => {
    station.registerWh += 31
    return `{"timestamp":"${new Date(now + number).toISOString()}","sampledValue":[{"value":"${station.registerWh}"}]}`
  })
  return `{"connectorId":${connectorId},"transactionId":${transactionId},"meterValue":[${values.join(',')}]}`
}

/** An id tag of this charge point alone, new each time. */
export function nextIdTag(station: Station, connectorId: number): string {
  return `T${station.number.toString(36)}C${connectorId}R${station.registerWh.toString(36)}`.slice(0, 20)
}

export function startTransactionPayload(station: Station, connectorId: number, idTag?: string): string {
  station.registerWh += 977
  const tag = JSON.stringify(idTag ?? nextIdTag(station, connectorId))
  return `{"connectorId":${connectorId},"idTag":${tag},"meterStart":${station.registerWh},"timestamp":"${new Date().toISOString()}"}`
}

export type StopReason = 'Local' | 'Remote' | 'SoftReset' | 'HardReset'

export function stopTransactionPayload(station: Station, connectorId: number, reason: StopReason = 'Local'): string {
  const transactionId = station.transactions[connectorId] ?? 1
  station.registerWh += 977
  return `{"transactionId":${transactionId},"meterStop":${station.registerWh},"timestamp":"${new Date().toISOString()}","reason":"${reason}"}`
}

export function statusNotificationPayload(connectorId: number, status: string): string {
  return `{"connectorId":${connectorId},"errorCode":"NoError","status":"${status}","timestamp":"${new Date().toISOString()}"}`
}

/** Of a driver of a roaming partner. */
export function roamingTag(partner: number): string {
  return `ROAM${partner}`
}
