// The clock of the service: whether its time is confirmed, and its confirmation.

import { Type } from 'typebox'
import { storageUnavailable } from '../../../runtime/errors.js'
import type { ServiceClock } from '../../../runtime/steady-time.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area } from './area.js'

const serviceClock = named('ServiceClock', {
  time: timestamp('The time of the machine.'),
  confirmed_time: timestamp('The time by which months are closed, and rows pruned or removed.'),
  ahead_seconds: Type.Number({
    minimum: 0,
    description: 'How far the clock has jumped ahead; 0 when it is confirmed.',
  }),
  is_confirmed: Type.Boolean(),
})

function shownClock(clock: ServiceClock) {
  const aheadMs = clock.unconfirmed()
  return {
    time: formatTimestamp(clock.now()),
    confirmed_time: formatTimestamp(clock.confirmed()),
    ahead_seconds: Math.round(aheadMs / 1_000),
    is_confirmed: aheadMs === 0,
  }
}

const getClock = area.get('/installation/clock', {
  operationId: 'getServiceClock',
  summary: 'Get whether the clock of the service is confirmed',
  description:
    'After a jump ahead of more than ten minutes, or a stop of more than a day, the time of the machine waits for confirmation. Meanwhile the alert `clock_jumped_ahead` is open.',
  answer: serviceClock,
  async read(_, { clock }) {
    return shownClock(clock)
  },
})

const confirmClock = area.route({
  method: 'POST',
  path: '/installation/clock/confirm',
  operationId: 'confirmServiceClock',
  summary: 'Confirm that the clock of the service is right',
  description:
    'From now on, months are closed, and rows are pruned and removed, by the time of the machine. Check the time first: this cannot be undone.',
  responses: { 200: serviceClock },
  errors: [storageUnavailable],
  async handle(_, { clock, installation }) {
    if (!(await installation.confirmClock())) throw storageUnavailable('the disk refuses writes')
    return { status: 200, body: shownClock(clock) }
  },
})

export const clockRoutes = [getClock, confirmClock]
