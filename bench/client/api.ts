// The REST API as a simulated operator uses it: patient where the server asks for patience, and loud where it refuses.

import { setTimeout as delay } from 'node:timers/promises'

export interface SimulationAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of what it has asked for
  readonly body: any
}

/** `path` is below /api/v1. Rejects when the server refuses with another status than the `expected` ones. */
export type SimulationApi = (
  method: string,
  path: string,
  body?: object,
  expected?: readonly number[],
) => Promise<SimulationAnswer>

export interface ApiOptions {
  /** http://host:port */
  readonly url: string
  readonly key: string
  readonly signal: AbortSignal
}

const againAfterMs = 1_000

export function simulationApi({ url, key, signal }: ApiOptions): SimulationApi {
  return async (method, path, body, expected = []) => {
    for (;;) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal,
      })
      const text = await response.text()
      if (response.ok || expected.includes(response.status))
        return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
      if (response.status !== 429 && response.status !== 503)
        throw new Error(`the server answered ${response.status} to ${method} ${path}: ${text.slice(0, 300)}`)
      await delay(againAfterMs, undefined, { signal })
    }
  }
}
