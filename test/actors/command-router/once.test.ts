// Rules of commands and calls that nothing in the service breaks: where they are broken all the same, nothing ends or is sent twice.

import { test } from 'tap'
import { emptyCallQueue, enqueueCall, takeAnswer, timeOut } from '../../../src/actors/charge-point/call-queue.js'
import type { CallMessage } from '../../../src/actors/charge-point/messages.js'
import { noteResult } from '../../../src/actors/command-router/bulk.js'
import type { Context } from '../../../src/runtime/actor/actor.js'

test('bulk command - a target of a bulk command that has ended cannot end again', (t) => {
  const bulk = { id: 'bulk_1', results: [undefined], next: 1, remaining: 1 } as never
  const record = { charge_point_id: 'CP-1', command_id: 'cmd_1', status: 'Accepted', response_time_ms: 5 } as never
  noteResult(bulk, 0, record)
  t.throws(() => noteResult(bulk, 0, record), { message: /each target of a bulk command ends once/ })
  t.match(bulk, { remaining: 0 })
  t.end()
})

test('call queue - the time that remains of a call runs from when it comes, also where the clocks of its sender are others', (t) => {
  const clock = { time: 5 }
  const context = { monotonic: () => clock.time } as Context
  const calls = emptyCallQueue()
  const call = { type: 'call', commandId: 'cmd_1', action: 'Reset', payload: {}, remainingMs: 1_000 } as CallMessage
  t.match(enqueueCall(calls, call, 16, context), [{ type: 'frame' }, { type: 'schedule', at: 1_005 }])
  enqueueCall(calls, { ...call, commandId: 'cmd_2' }, 16, context)
  clock.time = 1_005
  t.match(timeOut(calls, 'cmd_1', 16, context), [], 'what waited in line for as long is not sent any more')
  t.same([calls.outstanding, calls.waiting], [undefined, []])
  t.end()
})

test('call queue - a call is made once, and times out at its deadline, not before', (t) => {
  const clock = { time: 1_000 }
  const context = { monotonic: () => clock.time } as Context
  const calls = emptyCallQueue()
  const call = { type: 'call', commandId: 'cmd_1', action: 'Reset', payload: {}, remainingMs: 1_000 } as CallMessage
  t.equal(enqueueCall(calls, call, 16, context).length, 2)
  t.throws(() => enqueueCall(calls, call, 16, context), { message: /a call is made once/ })
  t.throws(() => timeOut(calls, 'cmd_1', 16, context), { message: /a call times out at its deadline/ })
  t.equal(calls.outstanding?.call.commandId, 'cmd_1', 'it goes on')
  takeAnswer(calls, 'cmd_1', { type: 'answered', payload: {} }, 16, context)
  t.equal(calls.outstanding, undefined)
  t.end()
})
