import { test } from 'tap'
import { meaningKeyword } from '../../src/runtime/fault-words.js'
import { createTestApi, routes } from './fixture.js'

/** The places in a schema that ask for a pattern and do not say in words what it means. */
function wordless(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'pattern' in schema && typeof schema.pattern === 'string' && !(meaningKeyword in schema) ? [path] : []
  return [...own, ...Object.entries(schema).flatMap(([name, part]) => wordless(part, `${path}/${name}`))]
}

test('faults - every pattern that a request is checked by is said in words', (t) => {
  const found = routes.flatMap(({ operationId, params, query, headers, body }) =>
    wordless({ params, query, headers, body }, operationId),
  )
  t.same(found, [])
  t.same(
    wordless({ properties: { code: { pattern: '^x$' } } }, 'one'),
    ['one/properties/code'],
    'the search finds them',
  )
  t.end()
})

test('faults - are told in words, with what is allowed', async (t) => {
  const api = await createTestApi()
  const registration = { name: 'N', latitude: 1, longitude: 1, address: '', connector_count: 2, max_power_kw: 22 }
  const faultsOf = async (method: string, path: string, body?: object) =>
    (await api.call(method, path, body)).body.error.details.map(
      (detail: { path: string; message: string }) => `${detail.path} ${detail.message}`,
    )
  t.same(await faultsOf('POST', '/api/v1/chargepoints', { ...registration, charge_point_id: 'a b' }), [
    '/charge_point_id must be 1 to 48 letters, digits and hyphens',
  ])
  t.same(
    await faultsOf('POST', '/api/v1/chargepoints', { ...registration, charge_point_id: 'A', name: '', latitude: 91 }),
    ['/name must have at least 1 character', '/latitude must be at most 90'],
  )
  const endpoint = { url: 'https://example.com', events: [] }
  t.same(await faultsOf('POST', '/api/v1/webhooks/endpoints', endpoint), ['/events must have at least 1 item'])
  t.match(await faultsOf('GET', '/api/v1/events?cursor=x'), [/^cursor must be the id of an event/])
  t.same(
    await faultsOf('PUT', `/api/v1/organizations/${api.operator.organizationId}/settings`, {
      session_silence_hours: '5',
      alert_thresholds: { refused_connections_per_hour: 'many', charge_point_offline_minutes: 0 },
    }),
    [
      '/session_silence_hours must be a whole number or null',
      '/alert_thresholds/charge_point_offline_minutes must be at least 1',
      '/alert_thresholds/refused_connections_per_hour must be a whole number or null',
    ],
    'of a field that may be null, one fault',
  )
  await api.register('CP-1')
  const command = await api.call('POST', '/api/v1/cpo/commands/CP-1', { command: 'nope', parameters: {} })
  t.match(command.body.error, { code: 'invalid_command', message: /nope.*soft_reset/ })
  const request = { method: 'GET', query: '', headers: {}, body: undefined, remoteAddress: '127.0.0.1' }
  const unnamed = await api.api.handle({ ...request, path: '/api/v1/sessions' })
  t.match(Buffer.from(unnamed.body).toString(), /Authorization: Bearer.*X-API-Key/)
})
