// Strangers who are refused and do not wait for it: connections that are reset while the refusals of what they have sent are under way.

import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'tap'
import { upgradeRequest } from '../chaos/hostile/upgrade-request.js'
import { sharedService } from '../support/shared-services.js'

const connections = 20
const upgrades = upgradeRequest('NOBODY').repeat(1_000)

test('refused and gone - strangers who reset their connections do not end the process', async (t) => {
  const service = await sharedService()
  for (let at = 0; at < connections; at++) {
    const socket = connect(service.port, '127.0.0.1')
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(upgrades)
    // The reset has to meet the refusals.
    await delay(1)
    socket.resetAndDestroy()
    await closed
  }
  t.equal((await service.request('GET', '/healthz')).status, 200)
})
