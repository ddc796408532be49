import { test } from 'tap'
import { skipDocumentNumbers } from '../../src/backup/skip-document-numbers.js'
import { tellDueOrganizations } from '../../src/process/period-clock.js'
import { documentNumbersTable, theInstallation } from '../../src/records/document-number.js'
import { invoicesTable } from '../../src/records/invoice.js'
import { billedSession } from '../api/billed-sessions.js'
import { createTestApi } from '../api/fixture.js'

test('backup - numbers of receipts that were issued after it are not given out again by the restored store', async (t) => {
  const api = await createTestApi()
  const numberOfNext = async (): Promise<string | undefined> => {
    const endedAt = new Date(api.now()).toISOString()
    const { session, changes } = billedSession({ organizationId: api.operator.organizationId, endedAt })
    await api.commit(...changes)
    const { headers } = await api.call('GET', `/api/v1/portal/sessions/${session.session_id}/receipt`)
    return /R-\d+/.exec(headers['Content-Disposition'] ?? '')?.[0]
  }
  // What restoring does, to a store that has issued none, and to one that has.
  await api.commit(...skipDocumentNumbers(api.store.view(), 60_000))
  t.equal(await numberOfNext(), 'R-001601')
  t.equal(await numberOfNext(), 'R-001602')
  await api.commit(...skipDocumentNumbers(api.store.view(), 0))
  t.equal(await numberOfNext(), 'R-002603')
})

test('backup - numbers of issues that were reported after it are not given out again either', async (t) => {
  const api = await createTestApi()
  await api.commit(...skipDocumentNumbers(api.store.view(), 90_000))
  t.match(api.store.view().get(documentNumbersTable, [theInstallation, 'issue']), { last: 120 })
})

test('backup - numbers of invoices that were issued after it are not given out again either', async (t) => {
  const api = await createTestApi()
  const { organizationId } = await api.addOrganization()
  // Two month's ends may have passed, each with an invoice for both organizations in several currencies.
  await api.commit(...skipDocumentNumbers(api.store.view(), 45 * 24 * 3_600_000))
  const endedAt = new Date(api.now()).toISOString()
  await api.commit(...billedSession({ organizationId, endedAt }).changes)
  await api.pass(62 * 24 * 3_600_000)
  await tellDueOrganizations({ view: api.store.view, tell: api.services.tell, now: api.now })
  for (let turn = 0; turn < 40; turn++) await api.settled()
  t.match(api.store.view().list(invoicesTable, []), [{ number: 'INV-000121', organization_id: organizationId }])
})
