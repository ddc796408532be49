// The OpenAPI document before a public linter, with the strictest of its own rule sets.

import { createConfig, lintFromString } from '@redocly/openapi-core'
import { test } from 'tap'
import { apiRoutes } from '../../src/api/areas/index.js'
import { openApiDocument } from '../../src/api/openapi/openapi.js'

const config = await createConfig({ extends: ['recommended-strict'] })

async function problemsOf(document: unknown): Promise<readonly string[]> {
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)
}

test('reference - a public linter finds nothing in the document', async (t) => {
  t.same(await problemsOf(openApiDocument(apiRoutes(), { version: '0.0.0' })), [])
})

test('reference - the linter does find what is wrong in a document', async (t) => {
  const info = { title: 'ampshard', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } }
  const paths = { '/a': { get: { operationId: 'a', summary: 'A', responses: { 302: { description: 'Elsewhere' } } } } }
  const document = { openapi: '3.1.0', info, servers: [{ url: '/' }], security: [], paths }
  t.match(await problemsOf(document), [/^operation-2xx-response: /])
})
