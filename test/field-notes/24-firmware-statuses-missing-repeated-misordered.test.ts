// Field note 24 (ev-server#2305, MicroOcpp#261, SAP simulator#459).

import { test } from 'tap'
import { bootChargePoint, chargePointOf, command } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import { actOn, makeRollout, reports, rolloutOnce, takesUpdate, updatable } from '../support/rollout.js'
import { sharedService } from '../support/shared-services.js'

test('statuses of an update are missing, repeated or out of order - all are taken, and the version is what BootNotification says', async (t) => {
  const service = await sharedService()
  const client = await bootChargePoint(service, 'CP-24-1')
  await client.boot({ firmwareVersion: '1.0' })
  const sent = command(service, 'CP-24-1', 'update_firmware', {
    firmware_url: 'https://firmware.example/2.0.bin',
    retrieve_date: new Date().toISOString(),
  })
  t.match(await client.answerNext({}), [2, String, 'UpdateFirmware', { location: 'https://firmware.example/2.0.bin' }])
  t.equal((await sent).status, 200)

  const report = (status: string) => client.call('FirmwareStatusNotification', { status })
  for (const status of ['Installed', 'Installed', 'Downloading', 'Idle', 'Installing'])
    t.match(await report(status), { error: undefined, payload: {} }, status)
  t.match(await chargePointOf(service, 'CP-24-1'), { firmware_version: '1.0' }, 'Installed alone proves nothing')

  await client.boot({ firmwareVersion: '2.0' })
  await report('Installed')
  await client.boot({ firmwareVersion: '2.0' })
  const after = await chargePointOf(service, 'CP-24-1')
  t.match(after, { firmware_version: '2.0', online: true, status: 'available' }, 'Installed after the boot is as good')
})

test('statuses of an update are missing, repeated or out of order - a rollout ends by the version that each charge point boots with', async (t) => {
  const service = await tenantOf(await sharedService())
  const odd = {
    'CP-24-NONE': [],
    'CP-24-TWICE': ['Downloading', 'Installed', 'Installed'],
    'CP-24-ORDER': ['Installed', 'Downloading', 'Idle', 'Installing'],
  }
  const ids = Object.keys(odd)
  const clients = await Promise.all(ids.map((id) => updatable(service, id)))
  const rollout = await makeRollout(service, ids)
  await actOn(service, rollout, 'execute-stage')
  for (const [at, statuses] of Object.values(odd).entries()) {
    const client = clients[at] as (typeof clients)[0]
    await takesUpdate(client)
    await reports(client, ...statuses)
    await client.boot({ firmwareVersion: '2.0' })
    await reports(client, 'Installed')
  }
  t.match(await rolloutOnce(service, rollout, ({ status }) => status === 'completed'), {
    chargers: ids.map((charge_point_id) => ({ charge_point_id, status: 'installed', firmware_version: '2.0' })),
  })
})
