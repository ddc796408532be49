// The organization's API keys: made, listed, revoked. A key's text leaves once, in the answer that made it.

import { Type } from 'typebox'
import { apiKeysTable, apiKeyUsesTable, scopes } from '../../actors/records/api-key.js'
import { AmpshardError } from '../../runtime/errors.js'
import { putRow, removeRow } from '../changes.js'
import { makeKey } from '../make-key.js'
import { pageFields, pageQuery, readPage } from '../paging.js'
import { grants } from '../principal.js'
import { defineRoute } from '../route.js'
import { nullable, timestamp } from '../schemas.js'

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...scopes])),
  created_at: timestamp(),
}

const createApiKey = defineRoute({
  method: 'POST',
  path: '/api/v1/org/api-keys',
  operationId: 'createApiKey',
  summary: 'Make an API key',
  description: 'The key is shown once. It may have no scope that the key that makes it lacks.',
  tags: ['API keys'],
  credential: 'api_key',
  scopes: ['write:api_keys'],
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    scopes: Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: 100 }),
  }),
  responses: { 201: Type.Object({ ...keyFields, key: Type.String() }) },
  errors: ['forbidden'],
  sheddable: 'never',
  secret: true,
  examples: { reporting: { name: 'Reporting', scopes: ['read:charge_points', 'read:sessions'] } },
  handle({ principal, body }, services) {
    const wanted = scopes.filter((scope) => body.scopes.includes(scope))
    const lacking = wanted.filter((scope) => !grants(principal.key.scopes, scope))
    if (lacking.length > 0)
      throw new AmpshardError('forbidden', `a key cannot give what it lacks: ${lacking.join(', ')}`)
    const { row, key } = makeKey({
      organizationId: principal.organization.organization_id,
      name: body.name,
      scopes: wanted,
      now: services.clock.now(),
      newId: services.newId,
      randomBytes: services.randomBytes,
    })
    const own = { table: apiKeysTable.name, key: [principal.key.key_id], is: 'present' } as const
    return {
      status: 201,
      body: { id: row.key_id, name: row.name, key, scopes: row.scopes, created_at: row.created_at },
      changes: [putRow(apiKeysTable, row)],
      // A key that is being revoked at this moment leaves no other behind.
      conditions: [{ condition: own, otherwise: new AmpshardError('unauthorized', 'the API key is not valid') }],
    }
  },
})

const listApiKeys = defineRoute({
  method: 'GET',
  path: '/api/v1/org/api-keys',
  operationId: 'listApiKeys',
  summary: 'List API keys, without their texts',
  tags: ['API keys'],
  credential: 'api_key',
  scopes: ['write:api_keys'],
  query: Type.Object(pageQuery(50, 200)),
  responses: {
    200: Type.Object({
      data: Type.Array(
        Type.Object({
          ...keyFields,
          last_used_at: nullable(timestamp('to the minute')),
        }),
      ),
      ...pageFields,
    }),
  },
  sheddable: 'list',
  handle({ principal, query }, services) {
    const view = services.view()
    const list = { index: 'byOrganization', group: [principal.organization.organization_id] }
    const { rows, total } = readPage({ view, table: apiKeysTable, list, query })
    const data = rows.map((row) => ({
      id: row.key_id,
      name: row.name,
      scopes: row.scopes,
      created_at: row.created_at,
      last_used_at: view.get(apiKeyUsesTable, [row.key_id])?.last_used_at ?? null,
    }))
    return { status: 200, body: { data, total, page: query.page, per_page: query.per_page } }
  },
})

const deleteApiKey = defineRoute({
  method: 'DELETE',
  path: '/api/v1/org/api-keys/{key_id}',
  operationId: 'deleteApiKey',
  summary: 'Revoke an API key at once',
  tags: ['API keys'],
  credential: 'api_key',
  scopes: ['write:api_keys'],
  params: Type.Object({ key_id: Type.String({ maxLength: 64 }) }),
  responses: { 204: null },
  errors: ['not_found'],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const row = services.view().get(apiKeysTable, [params.key_id])
    if (row?.organization_id !== principal.organization.organization_id)
      throw new AmpshardError('not_found', 'there is no such API key')
    const key = [row.key_id]
    return { status: 204, changes: [removeRow(apiKeysTable, key), removeRow(apiKeyUsesTable, key)] }
  },
})

export const apiKeyRoutes = [createApiKey, listApiKeys, deleteApiKey]
