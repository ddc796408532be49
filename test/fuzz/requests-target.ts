// Fuzzes every route of the API, out of its own OpenAPI document: each well-formed request has an answer that the document
// defines, in its status and in its body.

import { Agent, request } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createRandom, type Random } from '../../bench/client/random.js'
import { operatorCommands } from '../../src/actors/command-router/commands/index.js'
import { limits } from '../../src/api/pipeline/limits.js'
import { scopes } from '../../src/records/api-key.js'
import { oneOf } from '../chaos/scenario.js'
import type { Service } from '../support/service.js'
import { oldSocket } from './afterwards.js'
import type { Findings } from './findings.js'
import { codeIn, type FuzzRequest, nextRequest, type Operation, operationsOf } from './requests.js'
import { createResponders } from './responders.js'
import type { JsonSchema, Known } from './schema-values.js'

export interface RequestsOptions {
  readonly service: Service
  readonly seed: number
  readonly requests: number
  readonly until: number
  readonly findings: Findings
  readonly progress: (done: number) => void
}

export interface HttpAnswer {
  /** 0 when there was none. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly error: string | undefined
}

/** Commands wait two seconds at most, ten of a charge point in turn. */
const answerWithinMs = 30_000
const together = 16
const responders = 6
const rememberedIds = 60
/** What any path may answer to a request that is not of one of its operations. */
const anywhere = new Set([204, 302, 400, 401, 403, 404, 405, 413, 415, 426])

export async function fuzzRequests(options: RequestsOptions): Promise<Record<string, number | string>> {
  const { service, findings } = options
  const { body: document } = await service.request('GET', '/api/v1/openapi.json')
  const operations = operationsOf(document)
  const check = answerCheck(document)
  const ids = createIds()
  const random = createRandom(options.seed + 5)
  const chargePoints = await createResponders(service, responders, random, (index, id) =>
    ids.replace('charge_point_id', index, id),
  )
  ids.add('file', 'swagger-ui.css')
  // The document has them as text: an unknown one has an error of its own.
  for (const name of [...operatorCommands.keys(), 'GetConfiguration', 'ClearCache', 'DataTransfer', 'Nothing'])
    ids.add('command', name)
  const other = await otherOrganization(service)
  ids.add('org_id', other.id)
  const keys = [service.key, service.key, service.key, other.key, ...(await narrowKeys(service))]
  const agent = new Agent({ keepAlive: true, maxSockets: together })
  let left = options.requests
  let done = 0
  let accepted = 0
  const covered = new Set<string>()

  async function worker(index: number): Promise<void> {
    const random = createRandom(options.seed * 1_000 + 900 + index)
    while (left-- > 0 && performance.now() < options.until) {
      const asked = nextRequest(random, operations, ids.known(random), keys)
      const answer = await send(service, asked, agent)
      const wrong = check(asked, answer)
      const { operation: _, ...kept } = asked
      if (wrong !== undefined) findings.add(wrong, { target: 'requests', ...kept })
      if (answer.status >= 200 && answer.status < 300) {
        accepted++
        if (asked.operation !== undefined) {
          covered.add(asked.operation.operationId)
          ids.learn(asked.operation.operationId, answer.body)
        }
      }
      if (++done % 500 === 0) options.progress(done)
    }
  }
  await Promise.all(Array.from({ length: together }, (_, index) => worker(index)))
  agent.destroy()
  await chargePoints.stop()
  const never = operations.map(({ operationId }) => operationId).filter((id) => !covered.has(id))
  return { requests: done, accepted, operations: operations.length, 'without a success': never.join(' ') || 'none' }
}

/** An organization beside the installation's own, which sees nothing of it. */
async function otherOrganization(service: Service): Promise<{ id: string; key: string }> {
  const fields = { name: 'Other', country: 'NL', contact_email: 'other@example.com', plan: 'enterprise' }
  const { body } = await service.request('POST', '/api/v1/organizations', fields)
  return { id: body.id, key: body.api_key }
}

/** A key of each scope alone: most of their requests are refused, in one way or another. */
async function narrowKeys(service: Service): Promise<string[]> {
  const made = await Promise.all(
    scopes
      .slice(0, 4)
      .map((scope) => service.request('POST', '/api/v1/org/api-keys', { name: scope, scopes: [scope] })),
  )
  return made.map(({ body }) => body.key)
}

export function send(
  service: Service,
  { method, path, headers, body }: Omit<FuzzRequest, 'operation'>,
  agent?: Agent,
): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const none = (error: string): void => resolve({ status: 0, headers: {}, body: '', error })
    const asked = request(
      {
        host: '127.0.0.1',
        port: service.port,
        method,
        path,
        headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
        ...(agent !== undefined && { agent }),
        timeout: answerWithinMs,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error) => none(error.message))
        const { headers: answered, statusCode: status = 0 } = response
        const whole = (body: string): void => resolve({ status, headers: answered, body, error: undefined })
        response.on('end', () => whole(Buffer.concat(chunks).toString('utf8')))
        // A stream has no end: its beginning is its answer.
        if (answered['content-type'] !== 'text/event-stream') return
        response.once('data', () => {
          whole('')
          asked.destroy()
        })
      },
    )
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${answerWithinMs} ms`)))
    asked.on('error', (error) => none(error.message))
    asked.end(body)
  })
}

/** Says what is wrong with an answer, by the document alone. */
export function answerCheck(
  document: Record<string, unknown>,
): (asked: FuzzRequest, answer: HttpAnswer) => string | undefined {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const compiled = new Map<JsonSchema, ReturnType<Ajv2020['compile']>>()
  const compile = (schema: JsonSchema) => {
    const known = compiled.get(schema) ?? ajv.compile({ components: document.components, ...schema })
    compiled.set(schema, known)
    return known
  }
  const { schemas } = document.components as { schemas: Record<string, JsonSchema> }
  const errorForms = compile({
    anyOf: ['Error', 'AuthenticationError', 'OcpiError'].map((name) => schemas[name] as JsonSchema),
  })

  return (asked, { status, headers, body, error }) => {
    const where = `${asked.method} ${asked.operation?.path ?? asked.path.slice(0, 100)}`
    // Also to HEAD uWebSockets.js answers with a body, which is no HTTP.
    if ((status === 431 || status === 0) && headBytes(asked) > smallestHeadLimit) return undefined
    if (status === 0) {
      // A body that is over the bound is not read to its end, and its sender may only see the connection go.
      if (Buffer.byteLength(asked.body ?? '') > limits.requestBodyBytes) return undefined
      return `no answer: ${where}: ${error}`
    }
    const { operation } = asked
    const defined =
      operation === undefined ? anywhere.has(status) || status === 200 : `${status}` in operation.responses
    if (!defined) return `a status that is not documented: ${status} ${where} ${body.slice(0, 200)}`
    if (status >= 500 && status !== 503 && status !== 502) return `a failure: ${status} ${where} ${body.slice(0, 200)}`
    if (headers['x-request-id'] === undefined) return `an answer without X-Request-ID: ${status} ${where}`
    if (asked.method === 'HEAD' || status === 204)
      return body === '' ? undefined : `a body where none belongs: ${status} ${where}`
    const schema = operation?.responses[status]
    if (status < 400 && schema === undefined) return undefined
    let parsed: unknown
    try {
      parsed = JSON.parse(body)
    } catch {
      return `an answer that is not JSON: ${status} ${where} ${body.slice(0, 200)}`
    }
    const valid = schema === undefined ? errorForms : compile(schema)
    if (!valid(parsed))
      return `an answer that its schema refuses: ${status} ${where} ${ajv.errorsText(valid.errors)} ${body.slice(0, 300)}`
    if (status < 400 || operation === undefined || isOcpi(parsed)) return undefined
    if (operation.codes[status]?.includes(codeIn(parsed))) return undefined
    return `an error that is not documented: ${status} ${where} ${body.slice(0, 200)}`
  }
}

/** What roaming partners are told has a number in its envelope, whose range the schema says. */
function isOcpi(error: unknown): boolean {
  return typeof (error as { status_code?: unknown }).status_code === 'number'
}

/** uWebSockets.js takes heads of 4,096 bytes, and answers longer ones in its own words. */
const smallestHeadLimit = 3_800

function headBytes({ path, headers }: FuzzRequest): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, path.length)
}

/** The audit log names the key that asks: without it, nothing could be asked any more. */
const keptFromTheFuzzer = new Set(['key_id', 'org_id', 'organization_id'])

/** Ids that answers have told of, so that later requests find something. */
function createIds(): {
  add(name: string, value: unknown): void
  /** For ids that stay, in the first places. */
  replace(name: string, index: number, value: unknown): void
  learn(operationId: string, body: string): void
  known(random: Random): Known
} {
  const pools = new Map<string, unknown[]>()
  function add(name: string, value: unknown): void {
    // The socket that has to be open all the time must not be taken away.
    if (value === oldSocket) return
    const pool = pools.get(name) ?? []
    pool.push(value)
    // The first ones stay: they are those of charge points that answer.
    if (pool.length > rememberedIds) pool.splice(responders, 1)
    pools.set(name, pool)
  }
  function collect(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > 4) return
    for (const [name, member] of Object.entries(value).slice(0, 40)) {
      if (
        /_id$|^id_tag$/.test(name) &&
        !keptFromTheFuzzer.has(name) &&
        (typeof member === 'string' || typeof member === 'number') &&
        `${member}`.length < 60
      )
        add(name, member)
      else collect(member, depth + 1)
    }
  }
  return {
    add,
    replace(name, index, value) {
      const pool = pools.get(name) ?? []
      pool[index] = value
      pools.set(name, pool)
    },
    learn(operationId, body) {
      if (body.length > 200_000 || !body.startsWith('{')) return
      const parsed = JSON.parse(body) as { id?: unknown }
      // Only keys and organizations that were made here may be taken away.
      if (operationId === 'createApiKey') add('key_id', parsed.id)
      else if (operationId === 'createOrganization') add('org_id', parsed.id)
      else collect(parsed, 0)
    },
    known: (random) => (name) => {
      const pool = pools.get(name === 'charge_point_ids' ? 'charge_point_id' : name)
      if (pool === undefined) return undefined
      return oneOf(random, random() < 0.5 ? pool.slice(0, responders) : pool)
    },
  }
}

export type { Operation }
