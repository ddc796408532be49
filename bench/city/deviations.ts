// What charge points of a simulated city do against OCPP 1.6 in the frames that they send; the service gets along with all of it.

import type { Payload } from '../charge-point/call-channel.js'

type Change = (action: string, payload: Payload) => Payload

/** A value at any depth, by the name of its field. */
function changed(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => changed(part, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, changed(change(name, part), change)] as const),
  )
}

const inFields =
  (change: (name: string, value: unknown) => unknown): Change =>
  (_action, payload) =>
    changed(payload, change) as Payload

/** A small city has the first of them alone, which shows as soon as a charge point boots. */
const deviations = {
  /** A field that the standard does not have. */
  'own-fields': (action, payload) =>
    action === 'StatusNotification' || action === 'BootNotification' ? { ...payload, cabinetTemperature: 31 } : payload,
  /** Measured values as numbers. */
  'numbers-for-texts': inFields((name, value) => (name === 'value' ? Number(value) : value)),
  /** Enumerations in another case. */
  'lower-case': inFields((name, value) => (name === 'status' ? String(value).toLowerCase() : value)),
  /** Times without the T that ISO 8601 wants. */
  'times-with-a-blank': inFields((name, value) => (name === 'timestamp' ? String(value).replace('T', ' ') : value)),
  /** Fields that have no value are sent as null. */
  nulls: (action, payload) => (action === 'StatusNotification' ? { ...payload, info: null, vendorId: null } : payload),
} as const satisfies Readonly<Record<string, Change>>

export type DeviationName = keyof typeof deviations

export const deviationNames = Object.keys(deviations) as readonly DeviationName[]

/** A frame as the charge point sends it. */
export function deviating(name: DeviationName): (frame: string) => string {
  const change: Change = deviations[name]
  return (frame) => {
    const [type, id, action, payload] = JSON.parse(frame) as [number, string, string, Payload]
    return type === 2 ? JSON.stringify([type, id, action, change(action, payload)]) : frame
  }
}
