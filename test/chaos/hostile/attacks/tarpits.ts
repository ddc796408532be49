import { createServer } from 'node:http'
import { defineAttack } from '../attack.js'
import { sendFromAll } from '../calls.js'

const endpoints = 100
const port = 18_466

export const tarpits = defineAttack({
  name: 'tarpits',
  does: 'A tenant has 100 webhook endpoints that drip their answers, and a charge point that makes events for them.',
  flags: ['--allow-insecure-webhooks'],
  chargePoints: 1,
  async run(attacker) {
    if (attacker.index > 0) return
    const receiver = createServer((_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 500)
      response.once('close', () => clearInterval(timer))
    })
    await new Promise<void>((resolve) => receiver.listen(port, '127.66.9.9', resolve))
    for (let at = 0; at < endpoints && attacker.attacking; at++) {
      const url = `http://127.66.9.9:${port}/${at}`
      await attacker.request('POST', '/api/v1/webhooks/endpoints', { url, events: ['*'] })
    }
    const status = (number: number) => (number % 2 === 0 ? 'Faulted' : 'Available')
    await sendFromAll(attacker, (number) => [
      'StatusNotification',
      { connectorId: 1, errorCode: 'NoError', status: status(number) },
    ])
    receiver.closeAllConnections()
    receiver.close()
  },
})
