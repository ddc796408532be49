// Bugs of webhooks.

import type { Bug } from './bug.js'

export const webhooks: readonly Bug[] = [
  {
    name: 'first-delay-skipped',
    breaks: 'A failed delivery waits too long for its first retry, and has one retry less.',
    file: 'src/actors/webhook-endpoint/schedule.ts',
    find: 'retryDelaysMs[attempt - 1]',
    replace: 'retryDelaysMs[attempt]',
    tests: ['actors/webhook-endpoint/schedule'],
  },
  {
    name: 'retry-after-in-ms',
    breaks: 'The service does not wait as long as a receiver asks for.',
    file: 'src/actors/webhook-endpoint/schedule.ts',
    find: 'Number(header) * second',
    replace: 'Number(header)',
    tests: ['actors/webhook-endpoint/schedule'],
  },
  {
    name: 'signed-with-old-secret',
    breaks: 'Receivers with the new secret cannot verify the signature.',
    file: 'src/actors/webhook-endpoint/request.ts',
    find: 'hmac(valid.at(-1) as string',
    replace: 'hmac(valid.at(0) as string',
    tests: ['actors/webhook-endpoint/request'],
  },
  {
    name: 'subjects-overtake',
    breaks: 'Events of one charge point arrive in the wrong order.',
    file: 'src/actors/webhook-endpoint/attempts.ts',
    find: ' || state.busySubjects.has(item.event.subject)) continue',
    replace: ') continue',
    tests: ['actors/webhook-endpoint/order'],
  },
]
