// The sandbox keeps what the interface of payment providers promises of keys: each means one thing, once, and over restarts.

import { test } from 'tap'
import { createSandbox, sandboxMethods } from '../../../src/jobs/payments/sandbox.js'

const wanted = { method: sandboxMethods.ok, amountMinor: 5_000, currency: 'EUR' }
const released = { type: 'refused', reason: 'the authorisation was released' }

test('sandbox - nothing can be set aside any more under a key that was released, authorised or not', async (t) => {
  const folder = t.testdir({})
  const provider = createSandbox(folder)
  const first = await provider.authorize({ key: 'gst_1', ...wanted })
  t.match(first, { type: 'done' })
  for (const key of ['gst_1', 'gst_never']) {
    const done = await provider.release({ key })
    t.match(done, { type: 'done' })
    t.same(await provider.release({ key }), done, 'again')
    for (const one of [provider, createSandbox(folder)]) t.same(await one.authorize({ key, ...wanted }), released, key)
  }
  t.match(await provider.authorize({ key: 'gst_2', ...wanted }), { type: 'done' })
})

test('sandbox - nothing can be captured or refunded of what was released before it was authorised', async (t) => {
  const provider = createSandbox(t.testdir({}))
  const { reference: authorization = '' } = (await provider.release({ key: 'gst_1' })) as { reference?: string }
  const payment = { key: 'p_1', authorization, amountMinor: 1, currency: 'EUR' }
  t.match(await provider.capture(payment), { type: 'refused' })
  t.match(await provider.refund(payment), { type: 'refused' })
})
