// A store of schema version 1 in this version: everything is in it, and the API answers as it did.

import { join } from 'node:path'
import { test } from 'tap'
import { restoreBackup } from '../../src/backup/restore-backup.js'
import { apiKeysTable, scopes } from '../../src/records/api-key.js'
import { documentNumbersTable } from '../../src/records/document-number.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import { billingProgressTable, invoicesTable } from '../../src/records/invoice.js'
import { installationTable } from '../../src/records/organization.js'
import { sessionsTable, transactionSequence } from '../../src/records/session.js'
import { createNumberSequences } from '../../src/runtime/actor/number-sequences.js'
import { partitionCount } from '../../src/runtime/actor/partition-table.js'
import { wakeUpsTable } from '../../src/runtime/actor/wake-ups.js'
import { countEntries } from '../../src/runtime/store/lmdb/copy.js'
import { checkStoreAt, openView } from '../../src/runtime/store/lmdb-store.js'
import { databaseNames } from '../../src/runtime/store/storage/byte-store.js'
import { startService } from '../support/service.js'
import { differences, type OnPurpose } from './differences.js'
import { apiOver, ask, openStored, recordedOf, unpackBackup } from './stored.js'

/** Fields that version 1 left out where they had no value: they are there, and null. By what has them. */
const leftOut: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\/chargepoints/, ['site_id', 'registration', 'ping_interval_seconds']],
  [/\/cpo\/commands/, ['bulk_command_id', 'late_response']],
  [/\/webhooks\/endpoints/, ['description']],
  [/\/tariffs?/, ['grace_minutes']],
  [/\/tariffs\/[^/]+\/schedule$/, ['days', 'from_date', 'to_date']],
]

/** Fields that version 1 did not have, and that have no value in its store. */
const added: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\/chargepoints/, ['serial_number', 'certificate_required', 'phases', 'phase_rotation']],
  [/\/audit-log/, ['installer_id']],
  [/\/alerts/, ['site_id', 'acknowledged_by_name']],
  [/\/charge_points\/status/, ['site_id']],
  [/\/organizations/, ['legal_name', 'street', 'postal_code', 'city', 'vat_id', 'registration_number']],
  [/\/settings$/, ['default_tariff_id']],
  [/\/sessions/, ['dispute', 'payment', 'roaming', 'subtotal', 'adjustments', 'tax']],
  [/\/guest\/[^/]+\/status$/, ['written_off_amount']],
]

const nulls = (fields: typeof added, why: string) =>
  fields.flatMap(([target, names]) => names.map((name) => ({ target, at: name, was: 'absent' as const, why })))

/** Everything that a caller of the API sees changed by the upgrade, and why. Fields that were added need a line where they are null. */
const guessed =
  'Version 1 guessed it for STRAY-1, which registered itself; it has named two connectors, and its power is not known.'
const onPurpose: OnPurpose = {
  changed: [
    ...nulls(leftOut, 'a field is always there, and null without a value'),
    ...nulls(added, 'a new field'),
    { target: /chargepoints\/STRAY-1$/, at: 'body/connector_count', why: guessed },
    { target: /chargepoints\/STRAY-1$/, at: 'body/max_power_kw', why: guessed },
    { target: /chargepoints(?:\?status=offline)?$/, at: 'charge_points/4/connector_count', why: guessed },
    { target: /chargepoints(?:\?status=offline)?$/, at: 'charge_points/4/max_power_kw', why: guessed },
    {
      target: /cpo\/fleet\/summary$/,
      at: 'connectors/by_status/*',
      why: 'connectors of charge points that are not connected are counted apart: connectors.offline',
    },
    {
      target: /cpo\/fleet\/summary$/,
      at: 'connectors/total',
      why: 'connectors that were declared, and that no charge point has reported, are counted',
    },
    ...['data/*/', 'body/'].flatMap((of) =>
      ['scopes', 'effective_scopes'].map((name) => ({
        target: /org\/api-keys/,
        at: `${of}${name}`,
        why: 'a key with every scope also has those that were added: read:messages',
      })),
    ),
    ...['alerts', 'data', 'total'].map((at) => ({
      target: /\/alerts$/,
      at: `body/${at}`,
      why: 'without a status, notices that nobody has acknowledged are listed beside open alerts',
    })),
    ...['data/*/id', 'deliveries/*/id'].map((at) => ({
      target: /\/deliveries(\?|$)/,
      at,
      why: 'the id of a delivery is unique for each endpoint; before, it was that of its event',
    })),
    ...['charge_points', 'data', 'total'].map((at) => ({
      target: /charge_points\/status\?.*status=/,
      at,
      why: 'with a status, charge points that are not connected are not listed',
    })),
    {
      target: /guest\/[^/]+\/receipt$/,
      at: 'code',
      why: 'the receipt of a guest whose charge still runs is refused as that of the portal is: session_not_ended',
    },
  ],
  reordered: [
    {
      target: /\/(portal\/)?sessions(\?|$)/,
      by: 'session_id',
      why: 'sessions are listed by when they started, not by when the service learned of them',
    },
  ],
}

const isPdf = (target: string): boolean => target.endsWith('/pdf') || target.endsWith('/receipt')

test('upgrade - a store of version 1 answers as it did: lists, totals, prices', async (t) => {
  const recorded = recordedOf(1)
  const directory = unpackBackup(t, 1)
  const store = openStored(directory)
  const api = apiOver(store, Date.parse(recorded.now))
  let compared = 0
  const found: string[] = []
  for (const [asked, before] of Object.entries(recorded.answers)) {
    const [caller = '', target = ''] = asked.split(' ', 2)
    const after = await ask(api, recorded.callers[caller] as string, target)
    // The words of an error may change, its code may not.
    const code = ({ body }: { readonly body?: unknown }) =>
      (body as { readonly error: { readonly code?: string } | string }).error
    const words = ({ status, body }: { readonly status: number; readonly body?: unknown }) => {
      if (isPdf(target) && status === 200) return { status }
      if (status < 400) return { status, body }
      const error = code({ body })
      return { status, code: typeof error === 'string' ? error : error.code }
    }
    found.push(...differences(asked, words(before), words(after), onPurpose))
    compared++
  }
  t.same(found.slice(0, 20), [])
  t.ok(compared > 800, `${compared} answers`)
  await store.close()
  t.same((await checkStoreAt(directory, tables)).faults, [], 'rows, lists and totals agree')
})

test('upgrade - keys that had every scope have all there are, others what they had', async (t) => {
  const recorded = recordedOf(1)
  const store = openStored(unpackBackup(t, 1))
  const stored = store.view().list(apiKeysTable, [])
  t.same(
    stored.filter((key) => key.scopes === 'all').map(({ name }) => name),
    ['Bootstrap key', 'First key', 'Anna', 'Second owner'],
  )
  const api = apiOver(store, Date.parse(recorded.now))
  const { body } = await ask(api, recorded.callers.operator as string, '/api/v1/org/api-keys')
  const shown = (body as { data: { name: string; scopes: string[]; effective_scopes: string[] }[] }).data
  t.match(
    shown.find(({ name }) => name === 'Anna'),
    { scopes, effective_scopes: scopes },
  )
  t.match(
    shown.find(({ name }) => name === 'Reporting'),
    { scopes: ['read:sessions', 'read:billing'] },
  )
  await store.close()
})

test('upgrade - invoices keep their numbers, and those of their issuer go on above all of them', async (t) => {
  const store = openStored(unpackBackup(t, 1))
  const view = store.view()
  const given = view.list(invoicesTable, []).map(({ number }) => Number(number.replace('INV-', '')))
  const issuer = view.get(installationTable, ['installation'])?.default_organization_id as string
  t.ok(given.length > 0)
  t.equal(view.get(documentNumbersTable, [issuer, 'invoice'])?.last, Math.max(...given))
  t.notOk(view.list(billingProgressTable, []).some((row) => 'last_number' in row))
  await store.close()
})

test('upgrade - no transaction gets a number that version 1 has given', async (t) => {
  const store = openStored(unpackBackup(t, 1))
  const given = new Set(
    store
      .view()
      .list(sessionsTable, [])
      .map((session) => session.transaction_id),
  )
  const sequences = createNumberSequences(
    () => store.view(),
    () => 1,
  )
  const taken = Array.from({ length: partitionCount }, (_, partition) =>
    Array.from({ length: 10 }, () => sequences.take(transactionSequence, partition).number),
  ).flat()
  t.ok(given.size > 10)
  t.same(
    taken.filter((number) => given.has(number)),
    [],
  )
  t.equal(new Set(taken).size, 10 * partitionCount)
  await store.close()
})

test('upgrade - charge points with a running session are looked after until it ends', async (t) => {
  const store = openStored(unpackBackup(t, 1))
  const view = store.view()
  const running = view.list(sessionsTable, []).filter(({ status }) => status === 'active')
  const looks = view.list(wakeUpsTable, ['charge-point']).filter(({ reason }) => reason === 'silence')
  t.ok(running.length > 0)
  t.same(
    [...new Set(looks.map(({ id }) => id))],
    [...new Set(running.map((session) => session.charge_point_id))].sort(),
  )
  await store.close()
})

test('upgrade - an answer that version 1 keeps under an Idempotency-Key is given again', async (t) => {
  const { now, callers, repeat } = recordedOf(1)
  const store = openStored(unpackBackup(t, 1))
  const api = apiOver(store, Date.parse(now))
  const headers = { 'idempotency-key': repeat.idempotencyKey }
  const again = await ask(api, callers.operator as string, repeat.path, 'POST', repeat.body, headers)
  t.same(again, { status: 200, body: repeat.answer })
  await store.close()
})

test('upgrade - a backup of version 1 is restored, and its store is of this version', async (t) => {
  const data = t.testdir({})
  const { manifest } = await restoreBackup({ directory: unpackBackup(t, 1), data, force: false })
  t.equal(manifest.schema_version, 1)
  t.same((await checkStoreAt(data, tables)).faults, [])
  const view = openView(data, tables)
  t.ok(view.list(apiKeysTable, []).some((key) => key.scopes === 'all'))
  await view.close()
  const store = openStored(data)
  await store.close()
})

test('upgrade - a service starts on a store of version 1, and says what it did', async (t) => {
  const { callers } = recordedOf(1)
  const data = unpackBackup(t, 1)
  const key = callers.operator as string
  const service = await startService(t, { data, key, flags: ['--log-level', 'info'] })
  t.match(service.output(), `brought to schema version ${schemaVersion}`)
  t.match(service.output(), /"table":"wake_ups","lists":\["byClock"\],"rows":\d+,.*new lists made/)
  const { body } = await service.request('GET', '/api/v1/sessions?per_page=100')
  t.equal(body.total, 17)
  t.equal((await service.request('GET', '/api/v1/billing/invoices')).body.total >= 1, true)
  t.equal(await service.stop(), 0)
  t.same((await checkStoreAt(join(data), tables)).faults, [])
  const lists = [...(await countEntries(data)).keys()].filter((name) => name.startsWith('index:'))
  const declared = new Set(databaseNames(tables))
  t.same(
    lists.filter((name) => !declared.has(name)),
    [],
    'lists that no table declares are gone',
  )
})
