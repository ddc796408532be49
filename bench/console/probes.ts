// A few charge points in the process of the bench itself, beside those of a generator: they note when the service has answered each change of their status, so that it
// can be compared with when somebody has seen it.

import { bootPayload, statusNotificationPayload } from '../generator/payloads.js'
import { createStation, type Station, stationUrl } from '../generator/station.js'

export interface Said {
  readonly id: string
  readonly state: 'Available' | 'Preparing'
  /** When it was answered, wall ms. */
  readonly at: number
}

export interface Probes {
  /** Each of them changes its status once in so many ms, one after the other. */
  begin(everyMs: number): void
  /** What was said and answered. */
  end(): readonly Said[]
  close(): void
}

/** Resolves when it has booted. */
export function connectStation(ocppUrl: string, id: string): Promise<Station> {
  return new Promise((resolve, reject) => {
    createStation({
      id,
      number: 0,
      connection: { url: stationUrl(ocppUrl, id), subprotocols: ['ocpp1.6'] },
      opened: (station) => void callStation(station, 'BootNotification', bootPayload(station)).then(resolve, reject),
      closed: (reason) => reject(new Error(`${id} was closed: ${reason}`)),
      command: () => '{"status":"Accepted"}',
    }).connect()
  })
}

/** Rejects where there is no good answer. */
export function callStation(station: Station, action: string, payload: string): Promise<Station> {
  return new Promise((resolve, reject) => {
    station.call(action, payload, (_microseconds, failure) => {
      if (failure === undefined) resolve(station)
      else reject(new Error(`${station.id}: ${action}: ${failure.kind} ${failure.detail}`))
    })
  })
}

/** They have two connectors, both of them available. */
export async function connectProbes(ocppUrl: string, ids: readonly string[]): Promise<Probes> {
  const stations = await Promise.all(ids.map((id) => connectStation(ocppUrl, id)))
  // Whatever their connectors were before: a charge point shows the state of the one that needs eyes first.
  for (const connectorId of [1, 2])
    await Promise.all(
      stations.map((station) =>
        callStation(station, 'StatusNotification', statusNotificationPayload(connectorId, 'Available')),
      ),
    )
  const said: Said[] = []
  let turn = 0
  let timer: NodeJS.Timeout | undefined

  function changeNext(): void {
    const station = stations[turn % stations.length] as Station
    const state = Math.floor(turn / stations.length) % 2 === 0 ? 'Preparing' : 'Available'
    turn++
    if (station.busy()) return
    station.call('StatusNotification', statusNotificationPayload(1, state), (_microseconds, failure) => {
      if (failure === undefined) said.push({ id: station.id, state, at: performance.timeOrigin + performance.now() })
    })
  }

  return {
    begin(everyMs) {
      timer = setInterval(changeNext, everyMs / stations.length)
    },
    end() {
      clearInterval(timer)
      return said
    },
    close() {
      clearInterval(timer)
      for (const station of stations) station.drop()
    },
  }
}
