import { defineAttack } from '../attack.js'
import { sendFromAll, timestampAt } from '../calls.js'

export const logFlood = defineAttack({
  name: 'log-flood',
  finding: 'L11',
  does: 'Six charge points end unknown transactions at the allowed rate: each is worth a line of the log.',
  chargePoints: 6,
  run: (attacker) =>
    sendFromAll(attacker, (number) => [
      'StopTransaction',
      { transactionId: 1_000_000 + number, meterStop: number, timestamp: timestampAt(Date.now()) },
    ]),
})
