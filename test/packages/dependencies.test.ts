// What is packed is whole, and needs what its package says: every file that is imported is packed, and the packages that are imported are
// the dependencies, no more and no fewer.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const pack = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as readonly { readonly files: readonly { readonly path: string }[] }[]
const packed = new Set(pack.flatMap(({ files }) => files.map(({ path }) => path)))

/** Statements and calls that load a module, and the files that are threads or processes. */
const loading = [
  /(?:\bfrom|^import|\bimport\()\s*'([\w@./-]+)'/gm,
  /\brequire(?:\.resolve)?\(\s*'([^']+)'/g,
  /\bcreateRequire\(import\.meta\.url\)\(\s*'([^']+)'/g,
  /\bnew URL\(\s*['`]([^'`$]+\.js)['`], import\.meta\.url\)/g,
]

const named = [...packed]
  .filter((path) => path.endsWith('.js') && !path.startsWith('dist/assets/'))
  .flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return loading.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => ({ path, name: match[1] as string })),
    )
  })

/** `@scope/name/file.js` is of `@scope/name`. */
const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

test('package - every file that a packed one loads is packed, and nothing that only development needs', (t) => {
  const missing = named
    .filter(({ name }) => name.startsWith('.'))
    .filter(({ path, name }) => !packed.has(join(path, '..', name)))
  t.same(missing, [])
  t.ok(packed.has('dist/program/main.js') && packed.has('dist/bench/load/process.js'))
  t.same(
    // Maps of the program are for stacks in the log.
    [...packed].filter((path) => /^dist\/(test|tools)\/|^dist\/(?!program\/).*\.map$|\.tsbuildinfo$/.test(path)),
    [],
  )
  t.end()
})

test('package - the packages that it loads are its dependencies, and it has no others', (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const loaded = named.map(({ name }) => name).filter((name) => !/^[.#]/.test(name) && !isBuiltin(name))
  t.same([...new Set(loaded.map(packageOf))].sort(), Object.keys(dependencies).sort())
  t.end()
})
