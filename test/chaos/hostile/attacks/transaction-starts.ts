import { defineAttack } from '../attack.js'
import { sendFromAll, timestampAt } from '../calls.js'

export const transactionStarts = defineAttack({
  name: 'transaction-starts',
  finding: 'H5',
  does: 'One charge point starts transactions at the allowed rate and ends none.',
  chargePoints: 1,
  run: (attacker) =>
    sendFromAll(attacker, (number) => [
      'StartTransaction',
      { connectorId: 1, idTag: 'TAG', meterStart: number, timestamp: timestampAt(Date.now() + number) },
    ]),
})
