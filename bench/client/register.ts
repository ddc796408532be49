// Registers charge points through the REST API, as an operator or an installer would, a few at a time.

import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { defaultVendor, serialNumberOf } from '../charge-point/charge-point.js'
import { simulatedModel } from './fleet.js'

export interface RegistrationOptions {
  /** http://host:port */
  readonly url: string
  readonly key: string
  /** The key is the access token of an installer: the charge points belong to no organization until one claims them. */
  readonly asInstaller?: boolean
  readonly chargePoints: readonly {
    readonly chargePointId: string
    readonly connectorCount: number
    /** What its record says beside, or instead of, the usual. */
    readonly fields?: Readonly<Record<string, unknown>>
  }[]
  /** What the records of an operator's charge points say beside, or instead of, the usual. */
  readonly fields?: Readonly<Record<string, unknown>>
  readonly concurrency?: number
  readonly signal?: AbortSignal
  /** Told why, once, while the server cannot be reached or asks for patience. */
  readonly waiting?: (reason: string) => void
}

export interface Registration {
  /** The ids of those that were not there before. */
  readonly created: readonly string[]
  /** Registered before: 409 charge_point_exists. */
  readonly known: number
}

type Registered = RegistrationOptions['chargePoints'][number]

function ownedBody({ chargePointId, connectorCount }: Registered, index: number): object {
  return {
    charge_point_id: chargePointId,
    name: chargePointId,
    // Spread over a city, so that a search by distance has something to order.
    latitude: 52.3 + ((index * 7919) % 1000) / 5000,
    longitude: 4.8 + ((index * 104_729) % 1000) / 5000,
    address: `Simulated street ${index + 1}`,
    connector_count: connectorCount,
    max_power_kw: 11,
  }
}

function installedBody({ chargePointId }: Registered): object {
  return {
    charge_point_id: chargePointId,
    vendor: defaultVendor,
    model: simulatedModel,
    serial_number: serialNumberOf(chargePointId),
    project_id: 'simulated',
  }
}

/** Rejects when the server refuses for good: a wrong key, or a body that it does not take. */
export async function registerChargePoints(options: RegistrationOptions): Promise<Registration> {
  let next = 0
  const created: string[] = []
  let known = 0
  let told = false
  // fetch listens to the signal until its request is garbage: many at a time, and no leak.
  if (options.signal) setMaxListeners(0, options.signal)

  async function register(index: number): Promise<void> {
    const chargePoint = options.chargePoints[index]
    if (chargePoint === undefined) return
    const body =
      options.asInstaller === true
        ? installedBody(chargePoint)
        : { ...ownedBody(chargePoint, index), ...options.fields, ...chargePoint.fields }
    for (;;) {
      options.signal?.throwIfAborted()
      const reason = await attempt(chargePoint.chargePointId, JSON.stringify(body))
      if (reason === undefined) return
      if (!told) options.waiting?.(reason)
      told = true
      await delay(1_000, undefined, options.signal ? { signal: options.signal } : {})
    }
  }

  /** Undefined when done, else why it has to be tried again. */
  async function attempt(id: string, body: string): Promise<string | undefined> {
    let response: Response
    try {
      response = await fetch(
        `${options.url}/api/v1/${options.asInstaller === true ? 'installer/charge-points' : 'chargepoints'}`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' },
          body,
          ...(options.signal ? { signal: options.signal } : {}),
        },
      )
    } catch (error) {
      const cause = (error as Error).cause
      return cause instanceof Error ? cause.message : (error as Error).message
    }
    const text = await response.text()
    if (response.status === 201) created.push(id)
    else if (response.status === 409 && text.includes('charge_point_exists')) known++
    else if (response.status === 429 || response.status === 503) return `HTTP ${response.status}`
    else throw new Error(`the server answered ${response.status} to a registration: ${text.slice(0, 300)}`)
    return undefined
  }

  async function worker(): Promise<void> {
    while (next < options.chargePoints.length) await register(next++)
  }
  await Promise.all(Array.from({ length: options.concurrency ?? 8 }, worker))
  return { created, known }
}
