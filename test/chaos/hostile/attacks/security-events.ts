import { defineAttack } from '../attack.js'
import { sendFromAll, timestampAt } from '../calls.js'

export const securityEvents = defineAttack({
  name: 'security-events',
  finding: 'M2',
  does: 'One charge point reports security events at the allowed rate.',
  chargePoints: 1,
  run: (attacker) =>
    sendFromAll(attacker, (number) => [
      'SecurityEventNotification',
      {
        type: 'InvalidFirmwareSignature',
        timestamp: timestampAt(Date.now()),
        techInfo: `${number} ${'x'.repeat(200)}`,
      },
    ]),
})
