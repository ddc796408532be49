// Events of the way to a higher security profile.

import { Type } from 'typebox'
import { chargePointId, defineEvent, orNull, time } from './define-event.js'

const upgrade = Type.Object({
  charge_point_id: chargePointId(),
  upgrade_id: Type.String({ examples: ['sup_01M7YW4E6G2T1X0Z8V7S5D6C4R'] }),
  from_security_profile: Type.Integer({
    description: 'The profile with which the charge point was connected.',
    examples: [1],
  }),
  security_profile: Type.Integer({ description: 'The profile that it is taken to.', examples: [3] }),
  status: Type.String({ description: 'running, completed or failed.', examples: ['completed'] }),
  step: orNull(Type.String({ description: 'The step that has failed.', examples: ['client_certificate'] })),
  reason: orNull(
    Type.String({
      description:
        'refused, no_answer, no_certificate, certificates_revoked, too_many_keys or deadline; null unless it has failed.',
      examples: ['refused'],
    }),
  ),
  started_at: time(),
  completed_at: orNull(time()),
})

export const upgradeStarted = defineEvent({
  name: 'security_profile.upgrade_started',
  description: 'The service has begun to take a charge point to a higher security profile.',
  data: upgrade,
})

export const upgradeCompleted = defineEvent({
  name: 'security_profile.upgrade_completed',
  description: 'A charge point has connected with the higher security profile; the former one is refused from then on.',
  data: upgrade,
})

export const upgradeFailed = defineEvent({
  name: 'security_profile.upgrade_failed',
  description: 'A charge point has not come to a higher security profile; it can still connect as before.',
  data: upgrade,
})
