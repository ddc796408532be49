// A client as somebody would write it: types made of the document that the running service serves, compiled by TypeScript, and used against that
// service. What the types forbid does not compile.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'tap'
import { clientTypes } from '../../tools/write-client-types.js'
import { startService } from '../support/service.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

const options = {
  target: 'ES2023',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  lib: ['ES2023', 'DOM'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
}

const client = `import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

declare const process: { readonly env: Readonly<Record<string, string>> }

const headers = { Authorization: \`Bearer \${process.env.API_KEY}\` }
const api = createClient<paths>({ baseUrl: process.env.API_URL as string, headers })

const registered = await api.POST('/api/v1/chargepoints', {
  body: {
    charge_point_id: 'TYPED-1',
    name: 'Typed',
    latitude: 52.5,
    longitude: 13.4,
    address: 'Marktplatz 1',
    connector_count: 2,
    max_power_kw: 22,
  },
})
const { data: one } = await api.GET('/api/v1/chargepoints/{charge_point_id}', {
  params: { path: { charge_point_id: 'TYPED-1' } },
})
const { data: list } = await api.GET('/api/v1/chargepoints', { params: { query: { status: 'offline', per_page: 10 } } })
const statuses: components['schemas']['ChargePoint']['status'][] = (list?.charge_points ?? []).map(({ status }) => status)
const { error, response } = await api.GET('/api/v1/sessions/{session_id}', { params: { path: { session_id: 'none' } } })
console.log(
  JSON.stringify({
    status: registered.response.status,
    endpoint: registered.data?.ocpp_endpoint,
    name: one?.name,
    total: list?.total,
    statuses,
    refused: response.status,
    error,
  }),
)
`

/** One line each that is wrong, and what is wrong with it. */
const mistakes = [
  ["await api.GET('/api/v1/chargepoint')", 'a path that there is not'],
  ["await api.POST('/api/v1/chargepoints', { body: { charge_point_id: 'X' } })", 'a body without its fields'],
  ["await api.GET('/api/v1/chargepoints', { params: { query: { status: 'broken' } } })", 'a status that there is not'],
  ['one?.colour', 'a field that no answer has'],
] as const

test('typed client - it is generated from the document, compiles, and gets what it says from the service', async (t) => {
  const service = await startService(t)
  const { status, body } = await service.request('GET', '/api/v1/openapi.json')
  t.equal(status, 200)
  const folder = mkdtempSync(join(tmpdir(), 'typed-client-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'api.d.ts'), clientTypes(body))
  const compiled = (name: string, text: string) => {
    writeFileSync(join(folder, `${name}.ts`), text)
    const config = { compilerOptions: { ...options, outDir: 'out' }, files: [`${name}.ts`] }
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(config))
    return run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', `${name}.json`], { cwd: folder })
  }

  await compiled('client', client).catch(({ stdout }: { stdout: string }) => t.fail(stdout))
  const { stdout } = await run(process.execPath, [join(folder, 'out/client.js')], {
    env: { API_URL: service.url, API_KEY: service.key },
  })
  t.match(JSON.parse(stdout), {
    status: 201,
    endpoint: `${service.ocppUrl}/TYPED-1`,
    name: 'Typed',
    total: 1,
    statuses: ['offline'],
    refused: 404,
    error: { error: { code: 'not_found' } },
  })

  const wrong = `${client}\n${mistakes.map(([line]) => line).join('\n')}\n`
  const { stdout: complaints = '' } = await compiled('wrong', wrong).then(
    () => ({ stdout: '' }),
    (error: { stdout: string }) => error,
  )
  const first = client.split('\n').length + 1
  for (const [at, [line, why]] of mistakes.entries())
    t.match(complaints, new RegExp(`wrong\\.ts\\(${first + at},`), `${why} does not compile: ${line}`)
})
