import { defineAttack } from '../attack.js'
import { sendFromAll } from '../calls.js'

export const statusFlapping = defineAttack({
  name: 'status-flapping',
  finding: 'M2',
  does: 'Six charge points change the status of a connector at the allowed rate.',
  chargePoints: 6,
  run: (attacker) =>
    sendFromAll(attacker, (number) => [
      'StatusNotification',
      { connectorId: 1, errorCode: 'NoError', status: number % 2 === 0 ? 'Faulted' : 'Available' },
    ]),
})
