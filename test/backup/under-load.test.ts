// A backup while charge points charge: what was acknowledged before it is in it, nobody notices, and what was given out
// after it is not given out again by a service that was restored.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { createRandom } from '../../bench/client/random.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import { checkStoreAt } from '../../src/runtime/store/lmdb-store.js'
import { chargePointIds, createFleet, registerAll } from '../chaos/fleet.js'
import { openLedger } from '../chaos/ledger.js'
import { metric } from '../chaos/metric.js'
import { verifyLedger } from '../chaos/verify.js'
import { bootChargePoint, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'
import { backup, restore, temporaryDirectory } from './programs.js'

const startedOf = (entries: readonly { readonly type: string; readonly transactionId?: number }[]) =>
  entries.flatMap((entry) => (entry.type === 'started' ? [entry.transactionId as number] : []))

test('backup - under load it has everything that was acknowledged before it, and nobody notices', async (t) => {
  const directory = temporaryDirectory(t)
  const ledger = openLedger(join(directory, 'ledger.jsonl'))
  t.teardown(() => ledger.close())
  const service = await startService(t, { flags: ['--shards', '1'] })
  const ids = chargePointIds(30)
  await registerAll(service, ids)
  const failed: string[] = []
  const fleet = createFleet({
    chargePointIds: ids,
    service: () => service,
    random: createRandom(Math.floor(Math.random() * 2 ** 31)),
    ledger,
    answerWithinMs: 20_000,
    pauseMs: 5,
    observer: {
      failed: (id, action, how) => void failed.push(`${id}: ${action} was answered by ${how}`),
    },
  })
  fleet.start()
  await until(() => startedOf(ledger.read(0).entries).length > 30)

  const before = ledger.read(0)
  const beforeIt = fleet.counts.answered
  const place = join(directory, 'backup')
  const taken = await backup(place, service.data)
  t.same([taken.code, taken.errors], [0, ''])
  const afterIt = fleet.counts.answered
  t.ok(afterIt > beforeIt, 'everybody is answered while it is taken')
  await until(() => startedOf(ledger.read(before.position).entries).length > 10)
  await until(() => fleet.counts.answered > afterIt)
  await fleet.stop()
  t.same(failed, [])
  t.equal(fleet.counts.closed, 0, 'no socket was closed')
  t.equal(await metric(service, 'ampshard_store_refused_groups_total'), 0)

  t.equal(statSync(place).mode & 0o777, 0o700)
  for (const name of ['data.mdb', 'manifest.json']) t.equal(statSync(join(place, name)).mode & 0o777, 0o600)
  const manifest = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'))
  t.match(manifest, {
    format: 1,
    schema_version: schemaVersion,
    checked: true,
    rows: { charge_points: 30, api_keys: 1 },
  })
  t.ok(manifest.rows.sessions >= startedOf(before.entries).length)

  const data = join(directory, 'restored')
  const restored = await restore(place, data)
  t.same([restored.code, restored.errors], [0, ''])
  t.match(restored.output, new RegExp(`restored ${place} to ${data}[^]*taken at +${manifest.taken_at}`))
  t.same((await checkStoreAt(data, tables)).faults, [], 'rows, lists and totals agree')

  const violations: string[] = []
  const other = await startService(t, { data, key: service.key })
  await verifyLedger({
    service: other,
    entries: before.entries,
    whole: false,
    violation: (text) => void violations.push(text),
  })
  t.same(violations, [], 'what was acknowledged before the backup is there')

  const after = new Set(startedOf(ledger.read(before.position).entries))
  t.ok(after.size > 10, `${after.size} transactions after the backup began`)
  const given: number[] = []
  for (const id of ids) {
    const client = await connectOcpp(`${other.ocppUrl}/${id}`)
    await client.boot()
    for (const connectorId of [1, 2]) {
      const started = await client.call('StartTransaction', startRequest({ connectorId, timestamp: secondsAgo(0) }))
      given.push(started.payload.transactionId)
    }
    await client.close()
  }
  t.same(
    given.filter((id) => after.has(id)),
    [],
    'no transaction id that was given out after the backup is given to another transaction',
  )
})

test('backup - a transaction that was started after it can end in a restored service', async (t) => {
  const directory = temporaryDirectory(t)
  const service = await startService(t)
  const client = await bootChargePoint(service, 'CP-1')
  t.equal((await backup(join(directory, 'backup'), service.data)).code, 0)
  const started = await client.call('StartTransaction', startRequest())
  await service.stop()

  const data = join(directory, 'restored')
  t.equal((await restore(join(directory, 'backup'), data)).code, 0)
  const other = await startService(t, { data, key: service.key })
  const again = await connectOcpp(`${other.ocppUrl}/CP-1`)
  await again.boot()
  const { transactionId } = started.payload
  // The first transaction of this store: the copy knew nothing of the sequence yet.
  const next = await again.call('StartTransaction', startRequest({ connectorId: 2, idTag: 'TAG-2' }))
  t.not(next.payload.transactionId, transactionId)
  const stopped = await again.call('StopTransaction', { transactionId, meterStop: 2000, timestamp: secondsAgo(0) })
  t.equal(stopped.error, undefined, 'the charge point may forget it')
  t.match(await sessionOf(other, 'CP-1', next.payload.transactionId), { status: 'active' })
})
