import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { test } from 'tap'
import { bodyCheck, textCheck } from '../../src/api/pipeline/validator.js'
import { anyone } from '../../src/api/surfaces/anyone.js'
import { events } from '../../src/events/index.js'
import { unaccounted } from '../console/without-page.js'
import { createTestApi, routes } from './fixture.js'

type Json = { [name: string]: unknown }

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === '$ref' && typeof part === 'string' ? [part] : refsIn(part),
  )
}

function target(document: Json, ref: string): unknown {
  let at: unknown = document
  for (const part of ref.replace('#/', '').split('/')) at = (at as Json | undefined)?.[part]
  return at
}

/** What the guide says of every list. */
const ofEveryList = new Set(['page', 'per_page', 'limit'])

test('reference - every parameter of a query is described, in sentences', (t) => {
  for (const { operationId, query } of routes)
    for (const [name, { description }] of Object.entries(query.properties as Record<string, { description?: string }>))
      if (!ofEveryList.has(name)) t.match(description ?? '', /^([`A-Z]|true ).*\.$/, `${operationId} ${name}`)
  t.end()
})

test('reference - the document is whole: every route, every reference, every operation id once', async (t) => {
  const service = await createTestApi()
  const { status, body } = await service.call('GET', '/api/v1/openapi.json', undefined, { key: undefined })
  t.equal(status, 200)
  t.equal(body.openapi, '3.1.0')
  const operations = Object.entries(body.paths as Record<string, Json>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation: operation as Json })),
  )
  t.same(
    operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort(),
    routes.map(({ method, path }) => `${method} ${path}`).sort(),
  )
  const ids = operations.map(({ operation }) => operation.operationId)
  t.equal(new Set(ids).size, ids.length)
  const refs = refsIn(body)
  t.ok(refs.length > 0)
  t.same(
    refs.filter((ref) => target(body, ref) === undefined),
    [],
  )
})

test('reference - what an operator may do by the API can be done in the console too, or has a reason why not', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('GET', '/api/v1/openapi.json')
  const operations = Object.entries(body.paths as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { security }]) => (security as Json[]).some((scheme) => 'session' in scheme))
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  )
  t.ok(operations.length > 200)
  const { missing, needless } = unaccounted(operations)
  t.same(missing, [], 'give it a place in the console, or a reason in test/console/without-page.ts')
  t.same(needless, [], 'the console has these, or they are gone: take their lines out of test/console/without-page.ts')
})

test('reference - the validators of every route compile', (t) => {
  for (const { method, path, params, query, headers, body } of routes) {
    const name = `${method} ${path}`
    for (const schema of [params, query, headers]) t.doesNotThrow(() => textCheck(schema)({}), name)
    if (body !== undefined) t.doesNotThrow(() => bodyCheck(body)(null), name)
  }
  t.end()
})

test('reference - every path parameter is declared, and every schema is JSON Schema 2020-12', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('GET', '/api/v1/openapi.json')
  const schemas: unknown[] = []
  for (const [path, item] of Object.entries(body.paths as Record<string, Record<string, Json>>)) {
    const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
    for (const operation of Object.values(item)) {
      const parameters = (operation.parameters as Json[]).map((parameter) =>
        typeof parameter.$ref === 'string' ? target(body, parameter.$ref) : parameter,
      ) as {
        name: string
        in: string
        schema: unknown
      }[]
      t.same(
        parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
        inPath,
        path,
      )
      schemas.push(...parameters.map(({ schema }) => schema))
      for (const part of [operation.requestBody, ...Object.values(operation.responses as Json)]) {
        const content = (part as { content?: Record<string, { schema: unknown }> } | undefined)?.content ?? {}
        schemas.push(...Object.values(content).map(({ schema }) => schema))
      }
    }
  }
  const ajv = new Ajv2020({ strict: false })
  t.ok(schemas.length > 100)
  for (const schema of schemas) if (!ajv.validateSchema(schema as object)) t.fail(ajv.errorsText())
})

test('reference - every event is a webhook, in both forms, with examples of its schema', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('GET', '/api/v1/openapi.json')
  const webhooks = body.webhooks as Record<string, { readonly post: Json }>
  t.same(Object.keys(webhooks), [...events.keys()])
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const ids = new Set<unknown>()
  for (const [name, { post }] of Object.entries(webhooks)) {
    ids.add(post.operationId)
    const content = (post.requestBody as { content: Record<string, { schema: object; examples: Json }> }).content
    const { schema, examples } = content['application/json'] as { schema: object; examples: Json }
    t.ok(ajv.validateSchema(schema), name)
    const validate = ajv.compile(schema)
    for (const form of ['a', 'b'])
      t.ok(validate((examples[form] as Json).value), `${name} ${form}: ${ajv.errorsText(validate.errors)}`)
  }
  t.equal(ids.size, events.size)
})

test('reference - the served schemas of events are JSON Schema, and hold what the examples show', async (t) => {
  const service = await createTestApi()
  const { status, body } = await service.call('GET', '/api/v1/events/schemas', undefined, { key: undefined })
  t.equal(status, 200)
  t.equal(body.events.length, events.size)
  for (const { event, data, form_a, form_b, example } of body.events) {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    addFormats.default(ajv)
    t.ok(ajv.compile(form_b)(example), `${event}: the example`)
    const { created_at: timestamp, object } = example
    t.ok(ajv.compile(data)(object), `${event}: its data`)
    t.ok(ajv.compile(form_a)({ event, timestamp, data: object }), `${event}: form A`)
    t.notOk(ajv.compile(form_b)({ ...example, event: 'other' }))
  }
})

test('reference - every example of a request passes its own schema', async (t) => {
  const service = await createTestApi()
  for (const { method, path, examples = {}, surface } of routes) {
    if (surface === anyone) continue
    for (const [name, example] of Object.entries(examples)) {
      const { status, body } = await service.call(method, path.replace(/\{[^}]+\}/, 'CP-1'), example)
      t.not(status, 400, `${path} ${name} ${JSON.stringify(body)}`)
    }
  }
})

/** Compiles the schemas at places of a document. All of them share the compiled components. */
function validatorsOf(document: Json): (...place: readonly string[]) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'https://ampshard.example/document' })
  const pointer = (place: readonly string[]): string =>
    place.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
  return (...place) => ajv.compile({ $ref: `https://ampshard.example/document#${pointer(place)}` })
}

test('reference - generated clients get a type for each thing, and every example is of its schema', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('GET', '/api/v1/openapi.json')
  const { schemas } = body.components as { schemas: Json }
  for (const name of ['Session', 'ChargePoint', 'Tariff', 'Command', 'Invoice', 'WebhookEndpoint', 'Error'])
    t.ok(schemas[name], name)
  const validatorOf = validatorsOf(body)
  let examples = 0
  for (const [path, item] of Object.entries(body.paths as Record<string, Record<string, Json>>))
    for (const [method, operation] of Object.entries(item)) {
      const parts = [
        ['requestBody', operation.requestBody],
        ...Object.entries(operation.responses as Json).map(([status, part]) => [`responses/${status}`, part]),
      ] as const
      for (const [at, part] of parts) {
        const content = (part as { content?: Json } | undefined)?.content ?? {}
        for (const [type, { examples: named = {} }] of Object.entries(content) as [string, { examples?: Json }][])
          for (const { value } of Object.values(named) as { value: unknown }[]) {
            examples++
            const check = validatorOf('paths', path, method, ...(at as string).split('/'), 'content', type, 'schema')
            if (!check(value)) t.fail(`${method} ${path}: ${JSON.stringify(check.errors)}`)
          }
      }
    }
  t.ok(examples > 100)
})

test('reference - each answer names its headers, and its errors have an example each', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('GET', '/api/v1/openapi.json')
  const { responses, examples } = body.components as { responses: Record<string, Json>; examples: Json }
  const validatorOf = validatorsOf(body)
  for (const [name, response] of Object.entries(responses)) {
    const { examples: named } = (response.content as Record<string, { examples: Json }>)['application/json'] as {
      examples: Record<string, { $ref: string }>
    }
    const check = validatorOf('components', 'responses', name, 'content', 'application/json', 'schema')
    for (const { $ref } of Object.values(named)) {
      const { value } = examples[$ref.split('/').pop() as string] as { value: unknown }
      if (!check(value)) t.fail(`${name}: ${JSON.stringify(check.errors)}`)
    }
    t.ok((response.headers as Json)['X-Request-ID'], name)
  }
  const limited = Object.entries(responses).filter(([name]) => name.includes('rate_limit'))
  t.ok(limited.length > 0 && limited.every(([, { headers }]) => (headers as Json)['Retry-After']))
  for (const { name, description } of body.tags as { name: string; description?: string }[]) {
    t.match(description, /^[A-Z].*\.$/s, `${name} says what is under it`)
    const sayings = new Set(
      routes.flatMap(({ tags, about }) => (tags.includes(name) && about !== undefined ? [about] : [])),
    )
    t.equal(sayings.size, 1, `one area says it of ${name}`)
  }
})
