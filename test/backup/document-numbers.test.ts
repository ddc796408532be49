import { test } from 'tap'
import { skipDocumentNumbers } from '../../src/backup/skip-document-numbers.js'
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
