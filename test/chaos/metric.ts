// Single figures of the running service: its metrics, and its memory as the system counts it.

import { readFileSync } from 'node:fs'
import type { Service } from '../support/service.js'

/** The sum of a metric over its labels. */
export async function metric(service: Service, name: string): Promise<number> {
  const { body } = await service.request('GET', '/metrics')
  const lines = String(body).matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.e+-]+)$`, 'gm'))
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0)
}

/** MiB of the service's process; undefined where the system does not tell. */
export function residentMegabytes(service: Service): number | undefined {
  try {
    const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
  } catch {
    return undefined
  }
}

/** Processor time of the service's process so far, of all its threads; 0 where the system does not tell. */
export function processorSeconds(service: Service): number {
  try {
    const stat = readFileSync(`/proc/${service.process.pid}/stat`, 'utf8')
    const [userTicks, systemTicks] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(userTicks) + Number(systemTicks)) / ticksPerSecond
  } catch {
    return 0
  }
}

const ticksPerSecond = 100
