// The audit log and the route table: what holds for every route, also for those that are still to come.

import { test } from 'tap'
import { ocppRejected, rateLimited } from '../../src/actors/command-router/errors.js'
import { paymentDeclined, paymentUnavailable } from '../../src/api/areas/guest-sessions/errors.js'
import { createApi } from '../../src/api/pipeline/pipeline.js'
import type { Answer, Route } from '../../src/api/pipeline/route.js'
import { operator } from '../../src/api/surfaces/operator.js'
import { apiKeyUsesTable } from '../../src/records/api-key.js'
import { type AuditEntry, auditTable } from '../../src/records/audit-entry.js'
import { idempotentAnswersTable } from '../../src/records/idempotent-answer.js'
import { tables } from '../../src/records/index.js'
import { numberSequencesTable } from '../../src/runtime/actor/number-sequences.js'
import { conflict, notFound, overloaded, timeout } from '../../src/runtime/errors.js'
import type { Table } from '../../src/runtime/store/table.js'
import { createTestApi, routes, type TestApi } from './fixture.js'

const changing = routes.filter(({ method, surface }) => method !== 'GET' && surface === operator)
const secretText = 'SECRET-4711'

interface Parameter {
  readonly 'x-secret'?: boolean
}

const parametersOf = (route: Route) => Object.entries(route.params.properties as Record<string, Parameter>)

function pathOf(route: Route): string {
  const secrets = new Set(parametersOf(route).flatMap(([name, schema]) => (schema['x-secret'] ? [name] : [])))
  return route.path.replace(/\{([^}]+)\}/g, (_, name: string) => (secrets.has(name) ? secretText : 'X-1'))
}

const entries = (service: TestApi): AuditEntry[] => service.store.view().list(auditTable, [])

/** Everything that is stored, but for what a request may leave behind that changed nothing. */
function stored(service: TestApi): string {
  const own: readonly string[] = [apiKeyUsesTable.name, idempotentAnswersTable.name, numberSequencesTable.name]
  const rows = (tables as unknown as readonly Table<unknown>[])
    .filter(({ name }) => !own.includes(name))
    .map((table) => [table.name, service.store.view().list(table, [])])
  return JSON.stringify(rows)
}

/** Calls each route as it is declared, with a handler that ends as it is told. */
async function callEach(service: TestApi, end: () => Answer) {
  const declared = changing.map((route): Route => ({ ...route, body: undefined, handle: () => end() }))
  const api = createApi(declared, service.services)
  const outcomes: { route: Route; status: number; added: readonly AuditEntry[] }[] = []
  for (const route of changing) {
    const before = entries(service).length
    const { status } = await api.handle({
      method: route.method,
      path: pathOf(route),
      query: '',
      headers: { authorization: `Bearer ${service.operator.key}`, 'x-request-id': `request-${route.operationId}` },
      body: undefined,
      remoteAddress: '192.0.2.7',
    })
    outcomes.push({ route, status, added: entries(service).slice(before) })
  }
  return outcomes
}

test('audited routes - each that changes something leaves one entry; one that is declared to change nothing, none', async (t) => {
  const service = await createTestApi()
  const outcomes = await callEach(service, () => ({ status: 200, body: { thing_id: 'T-1' } }))
  t.ok(outcomes.length >= 35)
  for (const { route, status, added } of outcomes) {
    t.equal(status, 200, route.operationId)
    t.equal(added.length, route.changesNothing === true ? 0 : 1, route.operationId)
    if (added[0] === undefined) continue
    t.match(added[0], {
      id: /^aud_[0-9A-Z]{26}$/,
      organization_id: service.operator.organizationId,
      key_name: 'Bootstrap key',
      action: route.operationId,
      method: route.method,
      path: pathOf(route).replaceAll(secretText, '(redacted)'),
      resources: { thing_id: 'T-1' },
      request_id: `request-${route.operationId}`,
      remote_address: '192.0.2.7',
      status: 200,
    })
    t.notMatch(JSON.stringify(added), secretText)
  }
})

test('audited routes - a refusal leaves none, but a command that was recorded or a failure of the service does', async (t) => {
  const service = await createTestApi()
  const cases: readonly [() => never, AuditEntry['error']][] = [
    [() => fail(notFound('none')), undefined],
    [() => fail(conflict('none')), undefined],
    [() => fail(rateLimited('none')), undefined],
    [() => fail(paymentDeclined('asked the provider')), 'payment_declined'],
    [() => fail(paymentUnavailable('asked the provider')), 'payment_unavailable'],
    [() => fail(ocppRejected('sent', { commandId: 'cmd_1' })), 'ocpp_rejected'],
    [() => fail(timeout('nobody knows')), 'timeout'],
    [() => fail(overloaded('nobody knows')), 'overloaded'],
    [() => fail(new Error('a defect')), 'internal_error'],
  ]
  for (const [end, error] of cases) {
    for (const { route, added } of await callEach(service, end)) {
      const expected = error === undefined || route.changesNothing === true ? [] : [{ error }]
      t.match(added, expected, `${route.operationId} ${error}`)
      t.equal(added.length, expected.length)
    }
  }
})

function fail(error: Error): never {
  throw error
}

test('audited routes - called as their examples say, what succeeds has an entry, and what has none has changed nothing', async (t) => {
  const service = await createTestApi()
  const succeeded = new Set<string>()
  for (const route of changing) {
    await service.register('X-1').catch(() => undefined)
    service.connect('X-1', () => ({ status: 'Accepted' }))
    // A charge point takes ten commands a second.
    await service.pass(1_000)
    for (const example of Object.values(route.examples ?? { none: route.body === undefined ? undefined : {} })) {
      const body =
        typeof example === 'object' && example !== null && 'charge_point_id' in example
          ? { ...example, charge_point_id: 'X-1' }
          : example
      const [before, was] = [entries(service).length, stored(service)]
      const { status } = await service.call(route.method, pathOf(route), body)
      const added = entries(service).slice(before)
      if (status < 300) succeeded.add(route.operationId)
      if (route.changesNothing === true || added.length === 0)
        t.ok(stored(service) === was, `${route.operationId} ${status} changed nothing`)
      if (status < 300 && route.changesNothing !== true)
        t.match(added, [{ action: route.operationId, status }], route.operationId)
      t.ok(added.length <= 1)
    }
  }
  t.ok(succeeded.size >= 15, `${[...succeeded].join()}`)
})

test('audited routes - every token in a path is declared to be a secret', (t) => {
  let found = 0
  // The uid of an RFID token is the number of a card.
  for (const route of routes)
    for (const [name, schema] of parametersOf(route))
      if (name !== 'token_uid' && /token|secret|password|(^|_)key$/.test(name)) {
        found++
        t.equal(schema['x-secret'], true, `${route.path} ${name}`)
      }
  t.ok(found >= 3)
  t.end()
})
