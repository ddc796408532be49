// Invoices and receipts of the built service: what was due while it was not running is caught up, and nothing is made twice.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { tables } from '../../src/records/index.js'
import { invoicesTable } from '../../src/records/invoice.js'
import { type Organization, organizationsTable } from '../../src/records/organization.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { billedSession } from '../api/billed-sessions.js'
import { type Service, startService } from '../support/service.js'
import { setUpStore } from '../support/set-up-store.js'
import { until } from '../support/until.js'

const sessionsAMonth = 900
const monthsOver = 3

/** The time of all tests here: a month must not end between two looks. */
const now = new Date()

/** The middle of the month so many months before this one. */
function middleOf(monthsBefore: number): number {
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBefore, 15)
}

/** A data directory with sessions of months that are over; returns it and what each month's total is in cents. */
async function seeded(
  t: Test,
  sessions = sessionsAMonth,
  others = 0,
): Promise<{ data: string; key: string; cents: number[]; sessionId: string }> {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  const key = `test-${randomBytes(24).toString('hex')}`
  const { store, organizationId } = await setUpStore(data, key)
  const operator = store.view().get(organizationsTable, [organizationId]) as Organization
  for (let other = 1; other <= others; other++) {
    const organization_id = `org_${other}`
    await store.commit(unowned([putRow(organizationsTable, { ...operator, organization_id })]))
  }
  const cents: number[] = []
  let sessionId = ''
  for (let month = monthsOver; month >= 1; month--) {
    let sum = 0
    const changes = Array.from({ length: sessions }, (_, index) => {
      const endedAt = new Date(middleOf(month) + index * 60_000).toISOString()
      const billed = billedSession({ organizationId, endedAt, energyWh: 11 * index })
      sum += Math.round(billed.cost.priced.total * 100)
      sessionId = billed.session.session_id
      return billed.changes
    }).flat()
    for (let other = 1; other <= others; other++) {
      const endedAt = new Date(middleOf(month)).toISOString()
      changes.push(...billedSession({ organizationId: `org_${other}`, endedAt }).changes)
    }
    await store.commit(unowned(changes))
    cents.push(sum)
  }
  await store.close()
  return { data, key, cents, sessionId }
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
async function invoicesOf(service: Service): Promise<any[]> {
  return (await service.request('GET', '/api/v1/billing/invoices?per_page=100')).body.data
}

test('invoices - over kills at any moment, each month is invoiced once and adds up; its file and a receipt stay as they are', async (t) => {
  const { data, key, cents, sessionId } = await seeded(t)
  let service = await startService(t, { data, key })
  for (let kill = 0; kill < 4; kill++) {
    const before = (await invoicesOf(service)).length
    if (kill > 0) await until(async () => (await invoicesOf(service)).length > before || before === monthsOver)
    await service.stop('SIGKILL')
    service = await startService(t, { data, key })
  }
  await until(async () => (await invoicesOf(service)).length >= monthsOver)
  const invoices = (await invoicesOf(service)).reverse()
  t.same(
    invoices.map(({ number, count, total }) => ({ number, count, cents: Math.round(total * 100) })),
    cents.map((sum, index) => ({ number: `INV-00000${index + 1}`, count: sessionsAMonth, cents: sum })),
  )
  for (const { invoice_id: id, count } of invoices) {
    const { body } = await service.request('GET', `/api/v1/billing/invoices/${id}/sessions?per_page=500&page=2`)
    t.match(body, { total: count, data: { length: sessionsAMonth - 500 } })
  }
  const pdf = await pdfOf(service, `/api/v1/billing/invoices/${invoices[0].invoice_id}/pdf`)
  const receiptPath = `/api/v1/portal/sessions/${sessionId}/receipt`
  const receipts = await Promise.all(Array.from({ length: 10 }, () => pdfOf(service, receiptPath)))
  t.equal(receipts[0]?.subarray(0, 5).toString(), '%PDF-')
  for (const receipt of receipts) t.ok(receipt.equals(receipts[0] as Buffer))
  await service.stop('SIGKILL')
  service = await startService(t, { data, key })
  t.ok(pdf.equals(await pdfOf(service, `/api/v1/billing/invoices/${invoices[0].invoice_id}/pdf`)), 'the same file')
  t.ok((await pdfOf(service, receiptPath)).equals(receipts[0] as Buffer), 'the same receipt')
})

test('invoices - over shards and a kill, all organizations are billed out of one sequence without gaps', async (t) => {
  const others = 5
  const { data, key } = await seeded(t, 20, others)
  const flags = ['--shards', '2']
  const first = await startService(t, { data, key, flags })
  await until(async () => (await invoicesOf(first)).length > 0)
  await first.stop('SIGKILL')
  const service = await startService(t, { data, key, flags })
  const view = openView(data, tables)
  const all = (others + 1) * monthsOver
  await until(() => view.list(invoicesTable, []).length >= all, 60_000)
  const numbers = view.list(invoicesTable, []).map(({ number }) => number)
  t.same(
    numbers.sort(),
    Array.from({ length: all }, (_, index) => `INV-${String(index + 1).padStart(6, '0')}`),
  )
  await view.close()
  await service.stop()
})

async function pdfOf(service: Service, path: string): Promise<Buffer> {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${service.key}` } })
  if (response.headers.get('content-type') !== 'application/pdf') throw new Error(await response.text())
  return Buffer.from(await response.arrayBuffer())
}
