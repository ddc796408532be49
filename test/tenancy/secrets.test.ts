// Secrets are never seen: after a full run every answer, every log line, every row and every file is searched for each of them.

import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { createMatcher } from '../../src/api/pipeline/steps/match-route.js'
import { anyone } from '../../src/api/surfaces/anyone.js'
import { tables } from '../../src/records/index.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import { settingsSchema } from '../../src/settings.js'
import { spawnNode } from '../support/child.js'
import { type EventReader, readEvents } from '../support/event-stream.js'
import { startMailServer } from '../support/mail-server.js'
import type { Answer } from '../support/service.js'
import { until } from '../support/until.js'
import { createKit, everyIdOf, type Kit, kitsFor } from './kit.js'
import { ask, requestOf, textOf } from './requests.js'
import { findIn, hashesOf, type Needle, needlesOf, type Secret } from './search.js'
import { mailAccount, notSecret, secretKinds, secretSettings } from './secrets.js'
import { startTenants, type Tenant } from './tenants.js'
import { keyRoutes, routes, viewOf } from './views.js'

const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))
const match = createMatcher(routes.map((route) => ({ method: route.method, path: route.path, target: route }))).match

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Exchange {
  readonly operationId: string
  readonly declaredSecret: boolean
  readonly replayed: boolean
  readonly sent: string
  readonly answered: string
}

/** The tenant, its exchanges noted. */
function noted(tenant: Tenant, exchanges: Exchange[]): Tenant {
  const request: Tenant['request'] = async (method, path, body, headers) => {
    const answer = await tenant.request(method, path, body, headers)
    const { operationId, secret } = match(method, path.split('?')[0] ?? '').target
    exchanges.push({
      operationId,
      declaredSecret: secret === true,
      replayed: answer.headers.get('idempotent-replayed') !== null,
      sent: `${path} ${JSON.stringify(body)} ${JSON.stringify(headers)}`,
      answered: `${JSON.stringify([...answer.headers])} ${textOf(answer)}`,
    })
    return answer
  }
  return {
    ...tenant,
    request,
    async make(method, path, body): Promise<Answer> {
      const answer = await request(method, path, body)
      if (answer.status < 300) return answer
      throw new Error(`${method} ${path} is answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    },
  }
}

/** Every route once, with valid requests. */
async function callAll(tenant: Tenant): Promise<void> {
  const changing = keyRoutes.filter(({ method }) => method !== 'GET')
  const kits = await kitsFor(tenant, changing)
  for (const [at, route] of changing.entries()) {
    const kit = kits[at] as Kit
    await ask(kit, await requestOf(route, kit))
  }
  const reading = createKit(tenant)
  await everyIdOf(reading)
  await viewOf(reading)
  for (const { method, path } of routes.filter(({ surface }) => surface === anyone))
    await tenant.request(method, path, undefined, { authorization: '' })
}

interface Finding {
  readonly where: string
  readonly what: Needle
}

/** Everything that has left the service beside answers, and everything that it keeps; when it has ended. */
async function searchKept(
  { service, received }: Tenant,
  { events }: EventReader,
  needles: readonly Needle[],
  hashes: readonly Needle[],
) {
  const found: Finding[] = []
  const look = (where: string, content: string | Buffer, wanted: readonly Needle[]): void => {
    for (const what of findIn(content, wanted)) found.push({ where, what })
  }
  for (const line of service.output().split('\n')) look('log', line, [...needles, ...hashes])
  for (const { headers, body } of received())
    look('webhook', `${JSON.stringify(headers)} ${body}`, [...needles, ...hashes])
  look('stream', JSON.stringify(events), [...needles, ...hashes])
  const { data } = service
  const view = openView(data, tables)
  for (const table of tables)
    for (const row of view.list(table, [])) look(`row of ${table.name}`, JSON.stringify(row), needles)
  await view.close()
  return [...found, ...searchFiles(data, needles)]
}

function searchFiles(data: string, needles: readonly Needle[]): Finding[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) =>
      findIn(readFileSync(path), needles).map((what) => ({ where: `file ${path.slice(data.length + 1)}`, what })),
    )
}

const planted = 'PLANTED-0123456789ABCDEF'

/** A secret in a place that everybody writes of: it has to be found everywhere. */
async function plantIn(tenant: Tenant): Promise<void> {
  const registration = { latitude: 1, longitude: 1, connector_count: 1, max_power_kw: 1, address: planted }
  await tenant.make('POST', '/api/v1/chargepoints', { ...registration, charge_point_id: planted, name: planted })
  const kit = createKit(tenant, { charge_point_id: planted })
  // A log line, an event and a command tell of it.
  await kit.id('unmatched_id')
  await kit.id('session_id')
  await kit.id('executed_by')
}

/** Operations that are declared to show a secret, and have shown none of those that are looked for. */
function unsounded(exchanges: readonly Exchange[], shown: ReadonlyMap<string, readonly string[]>): string[] {
  const showing = new Set([...shown.values()].flat())
  return unique(
    exchanges
      .filter(({ declaredSecret, operationId }) => declaredSecret && !showing.has(operationId))
      .map(({ operationId }) => operationId),
  ).filter((operationId) => !secretKinds.some(({ echoedBy = [] }) => echoedBy.includes(operationId)))
}

const brief = ({ where, what: { name, form } }: Finding): string => `${name} (${form}) in ${where}`
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].sort()

test('secrets - every setting that is a secret is one of those that are looked for', (t) => {
  const secret = Object.entries(settingsSchema.properties).filter(([, setting]) => 'secret' in setting)
  t.same(
    secret.map(([name]) => name),
    Object.keys(secretSettings),
  )
  t.end()
})

test('secrets - an answer with a field that is called like a secret is declared as one that shows it', (t) => {
  const named = /(key|token|secret|password|passphrase|credentials?)$/
  const fields = (schema: Schema): string[] => [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
      ...(property.type === 'string' && named.test(name) ? [name] : []),
      ...fields(property),
    ]),
    ...[...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])].flatMap(fields),
  ]
  const shownByOthers = routes
    .filter(({ secret }) => secret !== true)
    .flatMap(({ operationId, responses }) =>
      Object.values(responses)
        .flatMap((schema) => (typeof schema === 'object' && schema !== null ? fields(schema as Schema) : []))
        .map((field) => `${operationId}.${field}`),
    )
  t.same(
    shownByOthers.filter((field) => !(field in notSecret)),
    [],
  )
  t.end()
})

test('secrets - a text is found in whatever form it was written', (t) => {
  const text = 'a/b+c d"é-0123456789'
  const needles = needlesOf({ name: 'N', text })
  for (const before of ['', 'x', 'xy', 'xyz:']) {
    const around = Buffer.from(`${before}${text}${before}`)
    const forms = [around, JSON.stringify({ text }), encodeURIComponent(text), around.toString('hex')]
    for (const form of [...forms, around.toString('base64'), around.toString('base64url')])
      t.ok(findIn(form, needles).length > 0, `${form}`)
  }
  t.same(findIn('a/b+c d"e-0123456789', needles), [])
  t.end()
})

test('secrets - a first key that the service has made is on the terminal once, and nowhere else', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  const flags = ['--port', '0', '--data', data, '--log-level', 'trace']
  // Without the first key that every other test sets.
  const { AMPSHARD_BOOTSTRAP_API_KEY: _, ...env } = process.env
  const child = spawnNode([program, ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const text = await until(() => /^ {2}API key {2,}(\S+)$/m.exec(output)?.[1])
  const url = /^ {2}API {2,}(\S+)\/api\/v1$/m.exec(output)?.[1]
  const { status } = await fetch(`${url}/api/v1/sessions`, { headers: { authorization: `Bearer ${text}` } })
  t.equal(status, 200)
  const manual = /^ {2}manual {2,}(\S+)$/m.exec(output)?.[1]
  t.equal((await fetch(manual ?? '')).status, 200, 'the banner says where the manual is')
  child.kill('SIGTERM')
  await once(child, 'exit')
  t.equal(output.split(text).length, 2)
  const secret = { name: 'first key', text }
  const banner = output.split('\n').filter((line) => !line.startsWith('{'))
  const log = output.split('\n').filter((line) => line.startsWith('{'))
  t.ok(findIn(banner.join('\n'), needlesOf(secret)).length > 0)
  t.same(findIn(log.join('\n'), [...needlesOf(secret), ...hashesOf(secret)]), [])
  t.same(searchFiles(data, needlesOf(secret)).map(brief), [])
})

test('secrets - none is in a log, an event, a row or a file, and an answer shows it once', {
  timeout: 300_000,
}, async (t) => {
  const mailServer = await startMailServer(t, { account: mailAccount })
  const environment: Record<string, string> = {
    AMPSHARD_MAIL_FROM: 'noreply@example.com',
    // Nobody is there: what is asked of it fails, and is logged.
    AMPSHARD_OIDC_ISSUER: 'https://127.0.0.1:1',
    AMPSHARD_OIDC_CLIENT_ID: 'ampshard',
  }
  for (const [name, { value }] of Object.entries(secretSettings))
    environment[`AMPSHARD_${name.toUpperCase()}`] = value(mailServer)
  const tenants = await startTenants(t, {
    flags: ['--log-level', 'trace'],
    environment,
    mails: () => mailServer.taken.map(({ raw }) => raw),
  })
  const exchanges: Exchange[] = []
  const [installation, another] = tenants.map((tenant) => noted(tenant, exchanges)) as [Tenant, Tenant, Tenant]
  await another.make('POST', '/api/v1/webhooks/endpoints', { url: another.receiverUrl, events: ['*'] })
  const stream = await readEvents(another.service, { key: another.key })
  await plantIn(another)
  const secrets: Secret[] = []
  for (const { name, make } of secretKinds)
    for (const text of await make({ installation, another })) secrets.push({ name, text })
  await Promise.all([callAll(installation), callAll(another)])
  const { service } = installation
  await service.stop()

  const kinds = new Map(secretKinds.map((kind) => [kind.name, kind]))
  const needles = secrets.flatMap(needlesOf)
  const hashes = secrets.flatMap(hashesOf)
  const shown = new Map<string, string[]>()
  for (const { operationId, declaredSecret, replayed, sent, answered } of exchanges) {
    for (const { name, text, form } of findIn(answered, [...needles, ...hashes])) {
      if (kinds.get(name)?.shownBy?.includes(operationId)) continue
      if (sent.includes(text) && kinds.get(name)?.echoedBy?.includes(operationId)) continue
      t.ok(declaredSecret, `${operationId} shows: ${name} (${form})`)
      if (!replayed) shown.set(text, [...(shown.get(text) ?? []), operationId])
    }
  }
  for (const { name, text } of secrets) t.ok((shown.get(text)?.length ?? 0) <= 1, `${name}: shown once at most`)
  const kept = await searchKept(another, stream, needles, hashes)
  const leaked = kept.filter(({ where, what: { name } }) => {
    const known = kinds.get(name)?.knownTo ?? []
    return !known.some((place) => where.startsWith(place))
  })
  t.same(unique(leaked.map(brief)), [])
  t.same(unsounded(exchanges, shown), [], 'every route that shows a secret has shown one that is looked for')

  const found = await searchKept(another, stream, needlesOf({ name: 'planted', text: planted }), [])
  const places = new Set(found.map(({ where }) => where))
  for (const where of [
    'log',
    'webhook',
    'stream',
    'row of outbox',
    'row of commands',
    'row of charge_points',
    'file data.mdb',
  ])
    t.ok(places.has(where), `what is planted in the ${where} is found`)
  const answers = exchanges.filter(({ answered }) => answered.includes(planted)).map(({ operationId }) => operationId)
  t.ok(answers.includes('listChargePoints') && answers.includes('listCommands'), 'and in answers')
})
