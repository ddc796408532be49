// Which sockets the edge has of each charge point, and that the service never gives up a newer one for an older.

import type { Line } from '../network.js'
import type { Verdict } from './verdict.js'

export interface SocketOracle {
  opened(line: Line): void
  closed(line: Line, by: 'service' | 'network'): void
  /** The process is gone, and every socket with it. */
  gone(): void
}

export function createSocketOracle({ check }: Verdict): SocketOracle {
  /** In the order in which they were opened. */
  const open = new Map<string, Line[]>()
  return {
    opened(line) {
      const lines = open.get(line.chargePointId) ?? []
      open.set(line.chargePointId, [...lines, line])
    },
    closed(line, by) {
      const lines = open.get(line.chargePointId) ?? []
      const others = lines.filter((one) => one !== line)
      open.set(line.chargePointId, others)
      if (by === 'network' || others.length === 0 || !lines.includes(line)) return
      check(
        'newest-socket',
        lines.at(-1) !== line,
        () => `${line.chargePointId} lost its newest socket to an older one`,
      )
    },
    gone: () => open.clear(),
  }
}
