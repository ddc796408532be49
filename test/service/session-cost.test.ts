// A charge under a tariff at the built service, over sockets: its cost while it runs, when it ends, and after a restart.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { schemaVersion, tables } from '../../src/records/index.js'
import { installationTable } from '../../src/records/organization.js'
import { tariffAssignmentsTable, tariffsTable } from '../../src/records/tariff.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openWriter } from '../../src/runtime/store/lmdb-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import type { Table } from '../../src/runtime/store/table.js'
import { tariff } from '../pricing/examples.js'
import { bootChargePoint, command, energyAt, secondsAgo, startRequest } from '../support/charge-point.js'
import { startService } from '../support/service.js'
import { setUpStore } from '../support/set-up-store.js'

const key = `test-${'0123456789abcdef'.repeat(3)}`

/** What an operator would have set up before. */
async function sellAt(data: string, chargePointId: string): Promise<void> {
  const store = openWriter(data, tables, { schemaVersion })
  const organizationId = store.view().get(installationTable, ['installation'])?.default_organization_id ?? ''
  const at = new Date().toISOString()
  const put = <Row>(table: Table<Row>, row: Row) =>
    ({ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }) as const
  const components = [
    { type: 'energy' as const, price: 0.5 },
    { type: 'flat' as const, price: 1 },
  ]
  const sold = tariff({ organization_id: organizationId, components, tax_percentage: 10 })
  const assignment = {
    charge_point_id: chargePointId,
    organization_id: organizationId,
    version: 1,
    tariff_id: sold.tariff_id,
    assigned_at: at,
  }
  await store.commit(unowned([put(tariffsTable, sold), put(tariffAssignmentsTable, assignment)]))
  await store.close()
}

test('session cost - a remotely started charge is priced while it runs, when it ends, and alike after a kill', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  await (await setUpStore(data, key)).store.close()
  await sellAt(data, 'CP-1')

  const first = await startService(t, { data, key })
  const client = await bootChargePoint(first, 'CP-1')
  const started = command(first, 'CP-1', 'start_session', { connector_id: 1, id_tag: 'APP-1' })
  await client.answerNext({ status: 'Accepted' })
  t.equal((await started).status, 200)
  const start = startRequest({ idTag: 'APP-1' })
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  const meterValue = [energyAt(secondsAgo(600), 5_000)]
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  const [listed] = (await first.request('GET', '/api/v1/sessions?status=active')).body.sessions
  // 4 kWh for 2.00 and the fee of 1.00, with a tenth of tax.
  t.match(listed, { status: 'active', cost: 3.3, currency: 'EUR', tariff_id: 'trf_1', auth_method: 'remote' })

  await first.stop('SIGKILL')
  const second = await startService(t, { data, key })
  const path = `/api/v1/sessions/${listed.session_id}`
  t.match((await second.request('GET', path)).body, { status: 'active', cost: 3.3 })
  const again = await bootChargePoint(second, 'CP-1')
  const stop = { transactionId, meterStop: 7_000, timestamp: secondsAgo(60), reason: 'Remote' }
  await again.call('StopTransaction', stop)
  const ended = (await second.request('GET', path)).body
  t.match(ended, { status: 'completed', energy_kwh: 6, cost: 4.4, currency: 'EUR', stop_reason: 'Remote' })

  await again.call('StopTransaction', { transactionId: 99, meterStop: 9_000, timestamp: secondsAgo(30) })
  const { unmatched } = (await second.request('GET', '/api/v1/sessions/unmatched')).body
  t.match(unmatched, [{ charge_point_id: 'CP-1', status: 'open' }])
  const attach = `/api/v1/sessions/unmatched/${unmatched[0].unmatched_id}/attach`
  const refused = await second.request('POST', attach, { session_id: listed.session_id })
  t.match([refused.status, refused.body.error.code], [409, 'session_completed'])
  const next = startRequest({ meterStart: 7_000, timestamp: secondsAgo(50) })
  await again.call('StartTransaction', next)
  const [running] = (await second.request('GET', '/api/v1/sessions?status=active')).body.sessions
  const attached = await second.request('POST', attach, { session_id: running.session_id })
  t.match(attached.body.session, { status: 'completed', energy_kwh: 2, cost: 2.2, flags: ['reconciled'] })
  t.match((await second.request('GET', '/api/v1/id-tags/unknown')).body, { total: 2 })
  await second.stop('SIGKILL')
  const third = await startService(t, { data, key })
  t.same((await third.request('GET', path)).body, ended, 'a restart changes nothing')
})
