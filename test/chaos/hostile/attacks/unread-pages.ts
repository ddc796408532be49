import { defineAttack } from '../attack.js'
import { hoard } from '../hoard.js'

export const unreadPages = defineAttack({
  name: 'unread-pages',
  finding: 'H4',
  does: 'A tenant asks for its largest page of commands over 200 connections and never reads.',
  chargePoints: 100,
  async prepare({ tenant, chargePointIds }) {
    for (let at = 0; at < 4; at++)
      await tenant.request('POST', '/api/v1/cpo/commands/bulk', {
        charge_point_ids: chargePointIds,
        command: 'data_transfer',
        parameters: { vendor_id: 'hostile', data: 'x'.repeat(8_000) },
      })
  },
  run: (attacker) =>
    hoard(
      attacker,
      200,
      `GET /api/v1/cpo/commands/history?per_page=200 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attacker.key}\r\n\r\n`,
      (socket) => void socket.pause(),
    ),
})
