// What all answers have in common: names, ids, request ids, the two forms of errors, and the headers of the quota.

import { type Test, test } from 'tap'
import type { TSchema } from 'typebox'
import { connectorStatuses } from '../../src/ocpp16/schemas/connector-status.js'
import { type Answered, createTestApi, routes, type TestApi } from './fixture.js'
import { invite, join } from './team.js'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Objects of OCPP have the names of OCPP. */
const ofOcpp = new Set(['charging_profile'])
/** What browsers send and take of passkeys has the names of WebAuthn (Level 3, 5.1.8 and 5.1.9). */
const ofWebAuthn = new Set([
  'attestationObject',
  'authenticatorAttachment',
  'authenticatorData',
  'authenticatorSelection',
  'clientDataJSON',
  'clientExtensionResults',
  'displayName',
  'excludeCredentials',
  'pubKeyCredParams',
  'publicKeyAlgorithm',
  'rawId',
  'residentKey',
  'userHandle',
  'userVerification',
  'allowCredentials',
  'rpId',
])

function namesIn({ properties = {}, items, anyOf = [] }: Schema): string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    name,
    ...(ofOcpp.has(name) ? [] : namesIn(schema)),
  ])
  return [...own, ...[...anyOf, ...(items === undefined ? [] : [items])].flatMap(namesIn)]
}

const isSchema = (schema: unknown): schema is TSchema => typeof schema === 'object' && schema !== null

test('answers - fields of bodies and answers, and parameters, are in snake_case', (t) => {
  const names = routes.flatMap(({ params, query, body, responses }) =>
    [params, query, body, ...Object.values(responses)].filter(isSchema).flatMap((schema) => namesIn(schema as Schema)),
  )
  t.ok(new Set(names).size > 200)
  // Counts by status have the statuses of OCPP for names.
  const own = new Set(
    names.filter((name) => !connectorStatuses.some((status) => status === name) && !ofWebAuthn.has(name)),
  )
  t.same([...own].filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)).sort(), [])
  t.end()
})

/** Why a field is left out where it has no value. */
const leftOut: Readonly<Record<string, string>> = {
  'Command.error': 'the interface has it on a timeout, as text',
  'BulkCommandResult.results.error': 'the interface has it as optional text',
  'getInstallerChargePointStatus.connectors.active_transaction_id': 'the interface has it on a charging connector',
  'Alert.details': 'each kind of alert has details of its own',
}

interface Answer extends Schema {
  readonly title?: string
  readonly required?: readonly string[]
}

/** Where fields of a schema need not be: by the name of the thing, or of the operation that answers it. */
function optionalIn({ title, properties = {}, required = [], items, anyOf = [] }: Answer, place: string): string[] {
  // Objects of OCPI leave out what they have not (OCPI 2.2.1, 4.1.2).
  if (title?.startsWith('Ocpi') === true) return []
  const own = title ?? place
  const inFields = Object.entries(properties).flatMap(([name, schema]) => [
    ...(required.includes(name) ? [] : [`${own}.${name}`]),
    ...optionalIn(schema, `${own}.${name}`),
  ])
  const parts = [...anyOf, ...(items === undefined ? [] : [items])]
  return [...inFields, ...parts.flatMap((part) => optionalIn(part, own))]
}

test('answers - a field is always there, and null without a value', (t) => {
  // Objects of OCPI leave out what they have not (OCPI 2.2.1, 4.1.2).
  const own = routes.filter(({ surface }) => surface.root !== '/ocpi/')
  const found = own.flatMap(({ operationId, responses }) =>
    Object.values(responses)
      .filter(isSchema)
      .flatMap((schema) => optionalIn(schema as Answer, operationId)),
  )
  const known = (place: string): boolean =>
    Object.keys(leftOut).some((listed) => place === listed || place.startsWith(`${listed}.`))
  t.same([...new Set(found)].filter((place) => !known(place)).sort(), [])
  for (const listed of Object.keys(leftOut))
    t.ok(
      found.some((place) => place.startsWith(listed)),
      listed,
    )
  t.end()
})

test('answers - the id of each thing is its prefix and a ULID', async (t) => {
  const api = await createTestApi()
  const post = async (path: string, body: object) => (await api.call('POST', `/api/v1/${path}`, body)).body
  const organization = await post('organizations', { name: 'O', country: 'NL', contact_email: 'a@example.com' })
  const tariff = await post('billing/tariffs', { name: 'T', currency: 'EUR', components: [{ type: 'flat', price: 1 }] })
  const rule = await post('billing/rules', {
    name: 'R',
    priority: 1,
    conditions: [{ field: 'energy_kwh', operator: 'gt', value: 1 }],
    actions: [{ type: 'minimum_cost', value: 1 }],
  })
  const endpoint = await post('webhooks/endpoints', { url: 'https://example.com/in', events: ['session.started'] })
  await api.register('CP-1')
  const connection = api.connect('CP-1', () => ({ status: 'Accepted' }))
  await api.settled()
  const timestamp = new Date(api.now()).toISOString()
  api.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 0, timestamp })
  await api.settled()
  const reset = { command: 'soft_reset' }
  const ids: Record<string, string> = {
    org: organization.id,
    key: (await post('org/api-keys', { name: 'K', scopes: ['read:billing'] })).id,
    inv: (await invite(api, 'a@example.com')).answer.body.id,
    usr: await join(api, 'b@example.com', 'viewer'),
    trf: tariff.tariff_id,
    rul: rule.rule_id,
    whe: endpoint.id,
    ses: (await api.call('GET', '/api/v1/sessions')).body.sessions[0].session_id,
    evt: (await api.call('GET', '/api/v1/events?from=2020-01-01T00:00:00Z')).body.data[0].id,
    cmd: (await post('cpo/commands/CP-1', reset)).command_id,
    bulk: (await post('cpo/commands/bulk', { ...reset, charge_point_ids: ['CP-1'] })).bulk_command_id,
  }
  for (const [prefix, id] of Object.entries(ids)) t.match(id, new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`), prefix)
})

/** One answer of each kind: what succeeds, and what goes wrong before, in and after a route. */
async function answersOfEachKind(api: TestApi): Promise<Record<string, Answered>> {
  const { call } = api
  await api.register('CP-1')
  const reader = await api.addKey(api.operator.organizationId, ['read:sessions'])
  const form = { key: api.operator.key, headers: { 'content-type': 'text/plain' } }
  const commit = api.services.commit
  const answers: Record<string, Answered> = {
    200: await call('GET', '/api/v1/chargepoints'),
    201: await call('POST', '/api/v1/id-tags', { id_tag: 'A' }),
    409: await call('POST', '/api/v1/id-tags', { id_tag: 'A' }),
    204: await call('DELETE', '/api/v1/id-tags/A'),
    400: await call('GET', '/api/v1/chargepoints?page=0'),
    401: await call('GET', '/api/v1/chargepoints', undefined, {}),
    403: await call('GET', '/api/v1/chargepoints', undefined, { key: reader }),
    404: await call('GET', '/api/v1/id-tags/NOBODY'),
    405: await call('PUT', '/api/v1/chargepoints', {}),
    415: await call('POST', '/api/v1/id-tags', 'id_tag', form),
    422: await call('POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset' }),
  }
  const broken = api.services as { commit: TestApi['services']['commit'] }
  broken.commit = () => {
    throw new TypeError('a defect at secret-place.ts:42')
  }
  answers[500] = await call('POST', '/api/v1/id-tags', { id_tag: 'B' })
  broken.commit = commit
  api.setDraining(true)
  answers[503] = await call('GET', '/api/v1/chargepoints')
  api.setDraining(false)
  for (const [status, answer] of Object.entries(answers))
    if (answer.status !== Number(status)) throw new Error(`${answer.status} in the place of ${status}`)
  return answers
}

const keysOf = (body: object): string[] => Object.keys(body).sort()

function nested(t: Test, { status, body, headers }: Answered, more: readonly string[] = []): void {
  t.same(keysOf(body), ['error'], `${status}`)
  t.same(keysOf(body.error), ['code', 'message', 'request_id', ...more].sort(), `${status}`)
  t.equal(body.error.request_id, headers['X-Request-ID'])
}

test('answers - every answer has a request id, and errors have one of two forms', async (t) => {
  const answers = await answersOfEachKind(await createTestApi())
  for (const [status, { headers }] of Object.entries(answers)) t.match(headers['X-Request-ID'], /^request_/, status)
  const { 400: malformed, 401: keyless, 403: forbidden, 422: offline, 500: failed, 503: ending } = answers
  if (!malformed || !keyless || !forbidden || !offline || !failed || !ending) throw new Error('an answer is missing')
  t.same(keysOf(keyless.body), ['error', 'message', 'request_id'])
  t.same(keysOf(forbidden.body), ['error', 'message', 'request_id', 'required_scope'])
  for (const status of [404, 405, 409, 415, 500, 503]) nested(t, answers[status] as Answered)
  nested(t, malformed, ['details'])
  t.same(keysOf(malformed.body.error.details[0]), ['message', 'path'])
  nested(t, offline, ['charge_point_id', 'command_id'])
  t.match(failed.body, { error: { code: 'internal_error' } })
  t.notMatch(JSON.stringify(failed), /defect|secret-place|TypeError/, 'a defect is not shown')
  t.match(ending, { body: { error: { code: 'shutting_down' } }, headers: { 'Retry-After': /^[1-9]/ } })
})

test('answers - to a key every one says what is left of its quota, whatever it was asked', async (t) => {
  const answers = await answersOfEachKind(await createTestApi({ enterpriseQuotaPerHour: 1_000 }))
  // No route is reached by a method that it has not, so no key is looked at.
  for (const [status, { headers }] of Object.entries(answers))
    if (status !== '401' && status !== '405')
      t.match(
        headers,
        { 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': /^\d+$/, 'X-RateLimit-Reset': /^\d+$/ },
        status,
      )
})
