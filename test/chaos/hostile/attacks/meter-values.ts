import { limits } from '../../../../src/actors/charge-point/limits.js'
import { defineAttack } from '../attack.js'
import { sendFromAll, timestampAt } from '../calls.js'

const elements = 600

export const meterValues = defineAttack({
  name: 'meter-values',
  finding: 'M2',
  does: 'One charge point sends MeterValues with 600 elements of new instants at the allowed rate.',
  chargePoints: 1,
  // What a charge point with two declared connectors may have stored at once, and what the neighbours write meanwhile.
  keptBytes: 2 * limits.storedBytesAtOnce + 16 * 2 ** 20,
  run: (attacker) =>
    sendFromAll(attacker, (number) => [
      'MeterValues',
      {
        connectorId: 1,
        meterValue: Array.from({ length: elements }, (_, at) => ({
          timestamp: timestampAt(Date.UTC(2026, 0, 1) + (number * elements + at) * 1_000),
          sampledValue: [{ value: String(number * elements + at) }],
        })),
      },
    ]),
})
