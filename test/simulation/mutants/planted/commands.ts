// Bugs of operators' commands.

import type { Mutant } from '../mutant.js'

export const commands: readonly Mutant[] = [
  {
    name: 'late-answer-overwrites-timeout',
    bug: 'an answer after the deadline changes the status of the command',
    file: 'src/actors/command-router/command-router.ts',
    find: '{ ...record, late_response: recorded(payload, known?.secrets ?? []) }',
    replace: "{ ...record, status: 'Accepted', late_response: recorded(payload, known?.secrets ?? []) }",
    caughtBy: 'one-end',
    seed: 10,
  },
  {
    name: 'two-calls-outstanding',
    bug: 'the next call goes out before the last one is answered',
    file: 'src/actors/charge-point/call-queue.ts',
    find: 'while (calls.outstanding === undefined && connection !== undefined) {',
    replace: 'while (connection !== undefined) {',
    caughtBy: 'one-outstanding',
    seed: 1,
  },
  {
    name: 'deadline-on-the-wall-clock',
    bug: 'the deadline of a command is kept on the clock that the operator may set',
    file: 'src/actors/command-router/command-router.ts',
    find: 'const deadline = context.monotonic() + timeoutMs',
    replace: 'const deadline = context.monotonic() + timeoutMs - (context.now() - 1767225600000 - context.monotonic())',
    caughtBy: 'command-deadline',
    seed: 5,
  },
]
