// Tests of what the service still knows after it was killed. Those of a process share one kill: a start costs three quarters of a second of the processor.

import { type Test, test } from 'tap'
import { type Tenant, tenantOf } from './organization.js'
import { type Service, startService } from './service.js'
import { wholeProcess } from './whole-process.js'

/** Looks at the service that has been started again, with two fronts. */
export type After = (t: Test, service: Tenant) => Promise<void>
/** What happens before the kill; what it gives to `atLast`, when all others are ready, right before it. */
export type Before = (t: Test, service: Tenant, atLast: (act: () => Promise<void>) => void) => Promise<After>

interface Life {
  readonly name: string
  readonly before: Before
}

interface Interrupted {
  readonly tenant: Tenant
  readonly after: After
}

const lives: Life[] = []
let killed: Promise<{ service: Service; interrupted: ReadonlyMap<Life, Interrupted> }> | undefined

async function liveAndDie(of: Test) {
  const first = await startService(wholeProcess)
  const interrupted = new Map<Life, Interrupted>()
  const last: (() => Promise<void>)[] = []
  for (const life of lives)
    await of.test(`before the kill: ${life.name}`, async (t) => {
      const tenant = await tenantOf(first)
      interrupted.set(life, { tenant, after: await life.before(t, tenant, (act) => last.push(act)) })
    })
  await Promise.all(last.map((act) => act()))
  await first.stop('SIGKILL')
  const service = await startService(wholeProcess, { data: first.data, key: first.key, flags: ['--fronts', '2'] })
  return { service, interrupted }
}

/** In an organization of its own, and with charge points that no other test has. */
export function testOverKill(name: string, before: Before): void {
  const life = { name, before }
  lives.push(life)
  void test(name, async (t) => {
    killed ??= liveAndDie(t)
    const { service, interrupted } = await killed
    const own = interrupted.get(life)
    if (own === undefined) throw new Error('what comes before the kill has failed')
    await own.after(t, await tenantOf(service, own.tenant))
  })
}
