import { defineAttack } from '../attack.js'
import { hoard } from '../hoard.js'

export const assetHoard = defineAttack({
  name: 'asset-hoard',
  finding: 'H2',
  does: 'A stranger asks for a large file of the reference over 1,500 connections and never reads.',
  run: (attacker) =>
    hoard(
      attacker,
      1_500,
      'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n',
      (socket) => void socket.pause(),
    ),
})
