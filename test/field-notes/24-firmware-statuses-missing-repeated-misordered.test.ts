// Field note 24 (ev-server#2305, MicroOcpp#261, SAP simulator#459): the part that needs no rollout.

import { test } from 'tap'
import { bootChargePoint, chargePointOf, command } from '../support/charge-point.js'
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
