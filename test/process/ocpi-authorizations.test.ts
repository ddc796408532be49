// Whether a partner that is asked about drivers counts as one that does not answer.

import { test } from 'tap'
import type { OcpiCall } from '../../src/ocpi/call.js'
import { createOcpiAuthorizations } from '../../src/process/ocpi-authorizations.js'
import type { JobOutcome } from '../../src/runtime/actor/actor.js'
import { createFakeClock } from '../support/fake-clock.js'

const call = { owner: 'ptn_1' } as OcpiCall
const question = { calls: [call], withinMs: 2_000 }
const noRoom: JobOutcome = { ok: false, message: 'too many jobs wait', isRefused: true }
const noAnswer: JobOutcome = { ok: true, value: { type: 'failed', reason: 'timeout', message: 'no answer' } }

function asked(outcomes: readonly JobOutcome[]) {
  let calls = 0
  const authorizations = createOcpiAuthorizations(
    () => Promise.resolve(outcomes[calls++] as JobOutcome),
    createFakeClock(),
  )
  return {
    ask: () => authorizations.ask(question),
    calls: () => calls,
  }
}

test('authorizations - a partner for which there is no room is not taken for one that does not answer', async (t) => {
  const { ask, calls } = asked(Array.from({ length: 10 }, () => noRoom))
  for (let question = 0; question < 10; question++) t.same(await ask(), { outcomes: [undefined] })
  t.equal(calls(), 10, 'it is asked each time')
})

test('authorizations - a partner that does not answer is not asked for a while', async (t) => {
  const { ask, calls } = asked(Array.from({ length: 10 }, () => noAnswer))
  for (let question = 0; question < 10; question++) await ask()
  t.equal(calls(), 3)
})
