// The organization's API keys: made, listed, read. A key's text leaves once, in the answer that made it.

import { Type } from 'typebox'
import { apiKeysTable, type Scope, scopes } from '../../../records/api-key.js'
import { membersTable } from '../../../records/member.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { putRow } from '../../pipeline/changes.js'
import { forbidden } from '../../pipeline/errors.js'
import { defineList } from '../../pipeline/list-route.js'
import { makeKey } from '../../pipeline/make-key.js'
import { readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { operator } from '../../surfaces/operator.js'
import { cutToRole, grants } from '../../surfaces/principal.js'
import { changeTeam } from '../members/team.js'
import { keyEnd, keyName, keyParams, keySchema, keyView, newKeySchema, ownKey, powersUnchanged } from './api-keys.js'
import { limits } from './limits.js'

const noSuchMember = notFound('there is no such member')

const createApiKey = defineRoute({
  method: 'POST',
  path: '/api/v1/org/api-keys',
  operationId: 'createApiKey',
  summary: 'Make an API key',
  description:
    "The key is shown once. It may have no scope that the key that makes it lacks. With `user_id` it is bound to a member: its scopes are cut to the member's role, now and whenever it is used, and it ends with the membership. A key that is given every scope also has those that later versions of the service add.",
  tags: ['API keys'],
  surface: operator,
  scopes: ['write:api_keys'],
  body: Type.Object({
    name: keyName(),
    scopes: Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: 100 }),
    user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    expires_at: Type.Optional(timestamp(`in the future, at most ${limits.apiKeyDays} days; without it, the key stays`)),
  }),
  responses: { 201: newKeySchema },
  errors: [forbidden, notFound, conflict],
  sheddable: 'never',
  secret: true,
  examples: {
    reporting: { name: 'Reporting', scopes: ['read:charge_points', 'read:sessions'] },
    temporary: { name: 'Migration', scopes: ['write:charge_points'], expires_at: '2030-01-01T00:00:00Z' },
  },
  handle({ principal, body }, services) {
    const view = services.view()
    const now = services.clock.now()
    const { organization_id } = principal.organization
    // A member's keys go with the member: one that is made while they are being removed would be left behind.
    const change = changeTeam(view, organization_id)
    const wanted = scopes.filter((scope) => body.scopes.includes(scope))
    const lacking = wanted.filter((scope) => !grants(principal.scopes, scope))
    if (lacking.length > 0) throw forbidden(`a key cannot give what it lacks: ${lacking.join(', ')}`)
    const expiresAt = body.expires_at === undefined ? undefined : keyEnd(body.expires_at, now)
    let given: readonly Scope[] = wanted
    if (body.user_id !== undefined) {
      const member = view.get(membersTable, [organization_id, body.user_id])
      if (member === undefined) throw noSuchMember
      given = cutToRole(wanted, member.role)
      if (given.length === 0)
        throw invalid([{ path: '/scopes', message: `has nothing that the role ${member.role} may do` }])
    }
    if (view.total(apiKeysTable, 'byOrganization', [organization_id]) >= limits.apiKeys)
      throw conflict(`an organization has at most ${limits.apiKeys} API keys`)
    const { row, key } = makeKey({
      organizationId: organization_id,
      name: body.name,
      scopes: given,
      userId: body.user_id,
      expiresAt,
      now,
      newId: services.newId,
      randomBytes: services.randomBytes,
    })
    const { changes, conditions } = change([putRow(apiKeysTable, row)])
    return {
      status: 201,
      body: { ...keyView(row, view, now), key },
      changes,
      // A key that is being revoked, or loses what it may do, at this moment leaves no other behind.
      conditions: [...powersUnchanged(principal.key, principal.member), ...conditions],
    }
  },
})

const listApiKeys = defineList({
  surface: operator,
  path: '/api/v1/org/api-keys',
  operationId: 'listApiKeys',
  summary: 'List API keys, without their texts',
  description: 'Expired keys are listed for 90 days.',
  tags: ['API keys'],
  scopes: ['write:api_keys'],
  filters: {
    user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  row: keySchema,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const view = services.view()
    const now = services.clock.now()
    const { organization_id } = principal.organization
    const list =
      query.user_id === undefined
        ? { index: 'byOrganization', group: [organization_id] }
        : { index: 'byUser', group: [organization_id, query.user_id] }
    const { rows, total } = readPage({ view, table: apiKeysTable, list, query })
    const data = rows.map((row) => keyView(row, view, now))
    return { rows: data, total }
  },
})

const getApiKey = defineRoute({
  method: 'GET',
  path: '/api/v1/org/api-keys/{key_id}',
  operationId: 'getApiKey',
  summary: 'Read an API key, without its text',
  tags: ['API keys'],
  surface: operator,
  scopes: ['write:api_keys'],
  params: keyParams,
  responses: { 200: keySchema },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    return { status: 200, body: keyView(ownKey(view, principal, params.key_id), view, services.clock.now()) }
  },
})

export const apiKeyRoutes = [createApiKey, listApiKeys, getApiKey]
