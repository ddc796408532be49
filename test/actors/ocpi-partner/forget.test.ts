// What is left of a partner that was deleted: what bills.

import { test } from 'tap'
import { limits } from '../../../src/actors/ocpi-partner/limits.js'
import { ocpiCommandsTable } from '../../../src/records/ocpi-command.js'
import { ocpiExchangesTable } from '../../../src/records/ocpi-exchange.js'
import { ocpiCdrPushesTable, ocpiKnownTariffsTable, ocpiProgressTable } from '../../../src/records/ocpi-push.js'
import { createStage, hour, minute, partnerId } from './stage.js'

const kept = [ocpiCdrPushesTable, ocpiExchangesTable, ocpiKnownTariffsTable, ocpiProgressTable, ocpiCommandsTable]

test('ocpi partner - rows of one that was deleted go, some at a time, and CDRs and the rows of others stay', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.tariffs.set('T1', 'now')
  await stage.start('ses_1')
  await stage.end('ses_1')
  await stage.pass(minute)
  stage.partner(() => 'unreachable')
  await stage.start('ses_2')
  await stage.pass(2 * hour)
  t.match(stage.alerts(), [{ status: 'open' }])
  const many = Array.from({ length: 2 * limits.ocpiForgottenRows }, (_, at) => ({
    partner_id: partnerId,
    session_id: `many_${at}`,
    sent: [],
    noted_at: 0,
    attempts: 0,
  }))
  await stage.put(ocpiCdrPushesTable, ...many, { ...(many[0] as (typeof many)[0]), partner_id: 'ocp_10' })
  await stage.put(ocpiCommandsTable, {
    partner_id: partnerId,
    fingerprint: 'f',
    version: 1,
    command: 'START_SESSION',
    received_at: 0,
  })
  const rows = () => kept.map((table) => stage.view().list(table as typeof ocpiProgressTable, [partnerId]).length)
  t.ok(
    rows().every((count) => count > 0),
    `${rows()}`,
  )
  await stage.start('ses_3')
  await stage.remove()
  const before = rows().reduce((sum, count) => sum + count, 0)
  await stage.wake()
  t.equal(before - rows().reduce((sum, count) => sum + count, 0), limits.ocpiForgottenRows, 'so many in one turn')
  stage.crash()
  for (let turns = 0; stage.wakeUps().length > 0 && turns < 10; turns++) await stage.wake()
  await stage.pass(hour)
  t.same(rows(), [0, 0, 0, 0, 0])
  t.same(stage.wakeUps(), [])
  t.same(stage.cdrs('ses_1'), ['ses_1'])
  t.equal(stage.view().list(ocpiCdrPushesTable, ['ocp_10']).length, 1)
  t.match(stage.alerts(), [{ status: 'resolved' }])
  await stage.passivate()
  t.equal(stage.statistics().actors, 0)
})

test('ocpi partner - a wake-up of one that is there takes nothing away', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.start('ses_1')
  await stage.end('ses_1')
  await stage.pass(minute)
  await stage.tell({ type: 'wake-up', reason: 'deleted' })
  t.match(stage.cdr('ses_1'), { sent: [{ cdr_id: 'ses_1' }] })
})
