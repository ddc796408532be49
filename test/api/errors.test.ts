// Error codes are declared where they belong, each once, and none that nothing answers with.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { apiRoutes } from '../../src/api/areas/index.js'
import { errorsOf } from '../../src/api/openapi/errors.js'
import { methodNotAllowed, upgradeRequired } from '../../src/api/pipeline/errors.js'
import { defineError, errorKind, errorKinds, internalError } from '../../src/runtime/errors.js'

const root = fileURLToPath(new URL('../../../src/', import.meta.url))

test('errors - each code is declared in one place, and the API knows them all', (t) => {
  const texts = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, name), 'utf8'))
  const codes = texts.flatMap((text) => [...text.matchAll(/defineError\('([a-z_]+)'/g)].map(([, code]) => code))
  t.ok(codes.length > 40)
  t.same(
    [...codes].sort(),
    errorKinds()
      .map(({ code }) => code)
      .sort(),
  )
  t.throws(() => defineError('conflict', { status: 409, meaning: 'A second one.' }), /declared once/)
  t.end()
})

test('errors - each is answered by a route, or where there is none', (t) => {
  const answered = new Set(apiRoutes().flatMap(errorsOf))
  for (const kind of errorKinds())
    t.ok(answered.has(kind) || [methodNotAllowed, upgradeRequired].includes(kind), kind.code)
  t.end()
})

test('errors - a code from another thread finds its declaration, and an unknown one is a defect', (t) => {
  for (const kind of errorKinds()) t.equal(errorKind(kind.code), kind)
  t.equal(errorKind('no_such_code'), internalError)
  t.end()
})
