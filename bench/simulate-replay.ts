// `ampshard simulate --replay FILE`: one charge point, as a capture has recorded it, against another service.

import { simulationApi } from './client/api.js'
import { registerChargePoints } from './client/register.js'
import { type Replayed, replay } from './replay/replay.js'
import { readScript } from './replay/script.js'

export interface SimulateReplayOptions {
  /** The content of the file. */
  readonly text: string
  readonly url: string
  readonly endpoint: string
  readonly key: string
  /** In place of the id of the script. */
  readonly chargePointId?: string | undefined
  readonly longestPauseSeconds: number
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

export async function simulateReplay(options: SimulateReplayOptions): Promise<Replayed> {
  const { text, url, endpoint, key, longestPauseSeconds, signal, say } = options
  const script = readScript(text)
  const chargePointId = options.chargePointId ?? script.chargePointId
  const connectors = script.frames.map(({ elements }) => connectorIn(elements))
  await registerChargePoints({
    url,
    key,
    chargePoints: [{ chargePointId, connectorCount: Math.max(1, ...connectors) }],
    signal,
    waiting: (reason) => say(`waiting for ${url}: ${reason}`),
  })
  const api = simulationApi({ url, key, signal })
  return replay({
    script,
    endpoint,
    chargePointId,
    longestPauseMs: longestPauseSeconds * 1_000,
    say,
    command: async (command, payload) => {
      await api('POST', '/ocpp16/send_command', { charge_point_id: chargePointId, command, payload })
    },
  })
}

function connectorIn(elements: readonly unknown[] | undefined): number {
  const payload = elements?.[0] === 2 ? elements[3] : undefined
  const named = (payload as { connectorId?: unknown } | undefined)?.connectorId
  return typeof named === 'number' && named <= 100 ? named : 0
}
