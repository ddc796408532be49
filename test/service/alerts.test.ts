// Alerts of the built service: found, told, mailed, seen to and over, with ends of the process in between.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { tables } from '../../src/records/index.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import { alertsOf, openAlerts, setThresholds, settleAtOnce } from '../support/alerts.js'
import { bootChargePoint } from '../support/charge-point.js'
import { declared } from '../support/declared-events.js'
import { headersOf, textOf } from '../support/mail-server.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { makeOrganization } from '../support/organization.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

/** `triggered kind`, as the outbox of a service that has ended tells it. */
async function toldOf(t: Test, data: string): Promise<readonly string[]> {
  const view = openView(data, tables)
  const rows = declared(view.list(outboxTable, []))
  await view.close()
  t.ok(rows.length > 0)
  return rows
    .filter(({ event }) => event.startsWith('alert.'))
    .map(({ event, data: told }) => `${event.slice(6)} ${told.kind}`)
}

const status = (client: OcppClient, connectorId: number, name: string) =>
  client.call('StatusNotification', {
    connectorId,
    status: name,
    errorCode: name === 'Faulted' ? 'GroundFailure' : 'NoError',
  })

test('alerts - a fault is an alert until it is mended, over a killed process, told once each', async (t) => {
  const data = t.testdir({})
  let service = await startService(t, { flags: settleAtOnce, data })
  const { key } = service
  await setThresholds(service, { connector_faulted_minutes: 0 })
  const before = await bootChargePoint(service, 'CP-1')
  await status(before, 1, 'Faulted')
  const [alert] = await openAlerts(service, 1)
  t.match(alert, {
    kind: 'connector_faulted',
    charge_point_id: 'CP-1',
    connector_id: 1,
    details: { error_code: 'GroundFailure' },
  })
  const seen = await service.request('POST', `/api/v1/alerts/${alert?.alert_id}/acknowledge`)
  t.match(seen, { status: 200, body: { status: 'open', acknowledged_by: /^key_/ } })

  await service.stop('SIGKILL')
  service = await startService(t, { flags: settleAtOnce, data, key })
  t.match(await alertsOf(service), [{ alert_id: alert?.alert_id, acknowledged_at: seen.body.acknowledged_at }])
  const after = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await after.boot()
  await status(after, 1, 'Faulted')
  await status(after, 1, 'Available')
  await openAlerts(service, 0)
  t.match(await alertsOf(service, '?status=resolved'), [
    { alert_id: alert?.alert_id, resolution: 'the connector is no longer Faulted' },
  ])
  const mails = join(data, 'mail')
  const texts = await until(() => {
    // One that is being written has another ending.
    const names = (existsSync(mails) ? readdirSync(mails) : []).filter((name) => name.endsWith('.eml'))
    return names.length === 2 && names.map((name) => readFileSync(join(mails, name), 'utf8'))
  }, 20_000)
  const subjects = texts.map((raw) => headersOf(raw).get('subject')).sort()
  const what = 'connector faulted (GroundFailure) at CP-1, connector 1'
  t.match(subjects, [`Alert: ${what}`, `Resolved: ${what}`])
  for (const text of texts.map(textOf))
    for (const part of [
      'Error code: GroundFailure',
      '<td>GroundFailure</td>',
      'Address: Somewhere 1',
      '<td>Somewhere 1</td>',
    ])
      t.ok(text.includes(part), part)
  await service.stop()
  t.same(await toldOf(t, data), ['triggered connector_faulted', 'resolved connector_faulted'])
})

test('alerts - of a charge point that is removed are over, and those of its next owner are its own', async (t) => {
  const service = await startService(t, { flags: settleAtOnce })
  await setThresholds(service, { connector_faulted_minutes: 0 })
  const client = await bootChargePoint(service, 'CP-1')
  await status(client, 1, 'Faulted')
  await status(client, 2, 'Faulted')
  const [newest] = await openAlerts(service, 2)
  const other = await makeOrganization(service)
  const theirs = await other.request('GET', `/api/v1/alerts/${newest?.alert_id}`)
  t.match(theirs, { status: 404, body: { error: { code: 'not_found' } } })
  t.equal((await service.request('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  await openAlerts(service, 0)
  const over = await alertsOf(service, '?status=resolved')
  t.match(over, [
    { resolution: 'the charge point has been removed' },
    { resolution: 'the charge point has been removed' },
  ])
  t.same(await alertsOf(other, '?status=all'), [])
})
