// Who is told of new events: the active endpoints of their organization; at the start of a shard all of them, however many.

import { test } from 'tap'
import { webhookFollowers } from '../../../src/actors/webhook-endpoint/followers.js'
import { putRow } from '../../../src/api/pipeline/changes.js'
import { tables } from '../../../src/records/index.js'
import { type WebhookEndpoint, webhookEndpointsTable } from '../../../src/records/webhook-endpoint.js'
import { limits } from '../../../src/runtime/limits.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'

function endpoint(number: number, fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    endpoint_id: `whe_${String(number).padStart(6, '0')}`,
    organization_id: `org_${number % 2}`,
    url: 'https://example.com/',
    events: ['*'],
    active: true,
    payload_format: 'a',
    secrets: [{ secret: 'a-secret-of-the-test' }],
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
    ...fields,
  }
}

test('webhook followers - of an organization its active endpoints, at the start those of all', async (t) => {
  const store = openMemoryStore(tables)
  const count = 2 * limits.rowsPerWalkStep + 50
  const rows = Array.from({ length: count }, (_, number) => endpoint(number))
  const paused = endpoint(count, { organization_id: 'org_0', active: false })
  await store.commit(unowned([...rows, paused].map((row) => putRow(webhookEndpointsTable, row))))
  const view = store.view()
  t.same(
    [...webhookFollowers.all(view)].map(({ id }) => id),
    rows.map(({ endpoint_id }) => endpoint_id),
  )
  const own = rows.filter(({ organization_id }) => organization_id === 'org_0')
  t.same(
    webhookFollowers.of(view, 'org_0').map(({ kind, id }) => `${kind}/${id}`),
    own.map(({ endpoint_id }) => `webhook-endpoint/${endpoint_id}`),
  )
  t.same(webhookFollowers.of(view, 'org_2'), [])
})
