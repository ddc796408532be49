// Services that the tests of all files of a process share: a start costs three quarters of a second of the processor.

import { type Service, startService } from './service.js'
import { wholeProcess } from './whole-process.js'

/** Fronts and shards; charge points may come and go as often as a test has them. */
export const twoOfEach = ['--fronts', '2', '--shards', '2', '--flap-connects-per-minute', '100']

const started = new Map<string, Promise<Service>>()

/**
 * One for each set of flags, which ends with the process. Whoever asks for it looks at nothing but an organization of its own
 * (`tenantOf`) and at charge points that no other test has, and does not end it.
 */
export function sharedService(flags: readonly string[] = []): Promise<Service> {
  const name = flags.join(' ')
  const service = started.get(name) ?? startService(wholeProcess, { flags })
  started.set(name, service)
  return service
}
