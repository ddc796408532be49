import { defineAttack } from '../attack.js'
import { sendFromAll } from '../calls.js'

const data = 'x'.repeat(60_000)

export const longFrames = defineAttack({
  name: 'long-frames',
  finding: 'M1',
  does: 'Six charge points send DataTransfer with 60 kB each at the allowed rate.',
  chargePoints: 6,
  run: (attacker) => sendFromAll(attacker, () => ['DataTransfer', { vendorId: 'hostile', data }]),
})
