// Services that the tests of all files of a process share: a start costs three quarters of a second of the processor.

import { t } from 'tap'
import { roamingFlags } from './roaming-stage.js'
import { type Service, startService } from './service.js'
import { wholeProcess } from './whole-process.js'

/** Fronts and shards; charge points may come and go as often as a test has them. */
export const twoOfEach = ['--fronts', '2', '--shards', '2', '--flap-connects-per-minute', '100']

const started = new Map<string, Promise<Service>>()

/** With other flags than these, it ends with the file that has asked for it: no other one is likely to. */
const lasting: readonly string[] = [[], twoOfEach, roamingFlags].map((flags) => flags.join(' '))

/**
 * One for each set of flags. Whoever asks for it looks at nothing but an organization of its own (`tenantOf`) and at charge points that no
 * other test has, and does not end it.
 */
export function sharedService(flags: readonly string[] = []): Promise<Service> {
  const name = flags.join(' ')
  const found = started.get(name)
  if (found !== undefined) return found
  const isLasting = lasting.includes(name)
  const service = startService(isLasting ? wholeProcess : t, { flags })
  started.set(name, service)
  if (!isLasting) t.teardown(() => started.delete(name))
  return service
}
