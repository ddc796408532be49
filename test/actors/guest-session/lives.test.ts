// Random lives of guests over the sandbox provider: whatever fails, repeats, is lost or is corrected, the money adds up in the end.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { balanceOf } from '../../../src/actors/guest-session/balance.js'
import type { PaymentRequest, PaymentResult } from '../../../src/actors/guest-session/payment.js'
import type { PaymentProvider } from '../../../src/jobs/payments/provider.js'
import { createSandbox, type SandboxAccount, sandboxMethods } from '../../../src/jobs/payments/sandbox.js'
import { minute, stageGuest, unknown, wish } from '../../support/guest-stage.js'

const lives = 60
const cents = fc.integer({ min: 0, max: 8_000 })
const told = fc.boolean()
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('provider'), how: fc.constantFrom('does', 'loses', 'fails') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('estimate', 'complete', 'correct', 'meter'), cents, told }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('pass'), ms: fc.constantFrom(1_000, minute, 16 * minute, 60 * minute) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('restart', 'stop', 'accept', 'reject') }),
  },
)
type Step = {
  readonly type: string
  readonly how?: string
  readonly cents?: number
  readonly told?: boolean
  readonly ms?: number
}

function ask(provider: PaymentProvider, request: PaymentRequest): Promise<PaymentResult> {
  switch (request.operation) {
    case 'authorize':
      return provider.authorize(request)
    case 'capture':
      return provider.capture(request)
    case 'release':
      return provider.release(request)
    case 'refund':
      return provider.refund(request)
  }
}

async function live(method: string, steps: readonly Step[], folder: string) {
  const stage = stageGuest()
  const provider = createSandbox(folder)
  const answered = new Set<unknown>()
  let changes = 0
  let status = 'none' as 'none' | 'active' | 'estimated' | 'completed'
  let cost = 0

  async function answer(how: string): Promise<boolean> {
    const job = stage.jobs().find((one) => !answered.has(one))
    if (job === undefined) return false
    answered.add(job)
    const outcome =
      how === 'fails'
        ? unknown
        : await ask(provider, job.request).then(
            (value) => (how === 'does' ? { ok: true as const, value } : unknown),
            () => unknown,
          )
    job.answer(outcome)
    await stage.settle()
    return true
  }
  async function session(next: typeof status, wanted: number, isTold: boolean): Promise<void> {
    status = next
    cost = wanted / 100
    const ended_at = new Date(stage.clock.now()).toISOString()
    await stage.session(
      status === 'active' ? { cost_so_far: cost } : { status: status as 'completed', ended_at, energy_wh: 1_000, cost },
    )
    await stage.wake(`session/${++changes}`)
    if (isTold) await stage.tell({ type: 'session-changed' })
  }
  async function take({ type, how, cents: wanted = 0, told: isTold = false, ms = 0 }: Step): Promise<void> {
    const runs = status === 'active'
    if (type === 'provider') await answer(how ?? 'does')
    else if (type === 'pass') await stage.pass(ms, Math.max(1_000, ms / 8))
    else if (type === 'restart') stage.restart()
    else if (type === 'stop') await stage.tell({ type: 'stop' }, true)
    else if ((type === 'accept' || type === 'reject') && stage.commands.length > 0)
      await stage.chargePoint(type === 'accept' ? 'Accepted' : 'Rejected')
    else if (type === 'meter' && runs) await session('active', wanted, isTold)
    else if (type === 'estimate' && runs) await session('estimated', wanted, isTold)
    else if (type === 'complete' && (runs || status === 'estimated')) await session('completed', wanted, isTold)
    else if (type === 'correct' && (status === 'completed' || status === 'estimated'))
      await session(status, wanted, isTold)
  }

  await stage.tell({ ...wish, paymentMethod: method }, true)
  await answer('does')
  if (stage.commands.length > 0) await stage.chargePoint('Accepted')
  if (stage.row().offered) await session('active', 0, true)
  for (const one of steps) await take(one)

  if (status === 'active') await session('completed', 700, false)
  for (let rounds = 0; rounds < 200 && stage.wakeUps().length > 0; rounds++) {
    while (await answer('does'));
    await stage.pass(10 * minute, minute)
  }
  const [file] = readdirSync(folder)
  const account =
    file === undefined ? undefined : (JSON.parse(readFileSync(join(folder, file), 'utf8')) as SandboxAccount)
  return { row: stage.row(), wakeUps: stage.wakeUps(), account, cost: Math.round(cost * 100) }
}

const sumOf = (payments: readonly { readonly amount_minor: number }[] = []): number =>
  payments.reduce((sum, { amount_minor }) => sum + amount_minor, 0)

test('guest lives - captured, refunded and written off agree with the cost; nothing is taken or given back twice', async (t) => {
  const life = fc.record({
    // The thread that asks gives up one that hangs, which is tested there.
    method: fc.constantFrom(...Object.values(sandboxMethods).filter((method) => method !== sandboxMethods.hangs)),
    steps: fc.array(step as fc.Arbitrary<Step>, { minLength: 3, maxLength: 24 }),
  })
  const property = fc.asyncProperty(life, async ({ method, steps }) => {
    const folder = mkdtempSync(join(tmpdir(), 'ampshard-guest-'))
    try {
      const { row, wakeUps, account, cost } = await live(method, steps, folder)
      const { captured, refunded, refundPending, owed, writtenOff } = balanceOf(row)
      const found = JSON.stringify({ row, account, cost })
      const check = (holds: boolean, what: string): void => {
        if (!holds) throw new Error(`${what}: ${found}`)
      }
      check(row.status === 'stopped' && wakeUps.length === 0, 'it comes to an end')
      check(refundPending === 0, 'every refund is decided')
      check(cost === Math.round((row.final_cost ?? 0) * 100) || row.end !== 'charged', 'the bill is the cost')
      const billed = row.end === 'charged' ? cost : 0
      check(billed === captured - refunded - owed + (writtenOff ?? Number.NaN), 'the money adds up')
      check(captured === sumOf(account?.captures), 'what was captured is what the provider took')
      check(refunded === sumOf(account?.refunds), 'what was refunded is what the provider gave back')
      check(captured <= (account?.amount_minor ?? 0), 'no more is captured than was set aside')
      check(owed === 0 || method === sandboxMethods.refundRefused, 'what was paid too much is given back')
      check(refunded <= captured, 'no more is refunded than was captured')
      check((account?.captures.length ?? 0) <= 1, 'it is captured once')
      check(
        account === undefined || captured > 0 || account.released || row.payment.status === 'failed',
        'nothing stays set aside',
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
  await fc.assert(property, { numRuns: lives, seed: Number(process.env.GUEST_LIVES_SEED ?? 1) })
  t.pass(`${lives} lives`)
})
