// What is packed is whole, and needs what its package says: every file that is imported is packed, and the packages that are imported are
// the dependencies, no more and no fewer.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
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

const programs = [...packed].filter((path) => path.startsWith('dist/program/') && /\.c?js$/.test(path))

// The compiler of the program reads it, and fails where a file is missing. What stands in comments is no import.
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: programs.filter((path) => path.endsWith('.js')),
  outdir: 'none',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'error',
  metafile: true,
  write: false,
})
const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
  imports.filter(({ external }) => external).map(({ path }) => path),
)

/** What is loaded by other means: with a `require` that was made for it, and as the file of a thread or a process. */
const loading = [
  /(?<![\w'"`])(?:__)?require\d*(?:\.resolve)?\("([^"]+)"\)/g,
  /\bcreateRequire\d*\)?\(importMeta\.url\)\("([^"]+)"\)/g,
  /\bnew URL\(["'`]([\w./-]+\.c?js)["'`],\s*import(?:\.m|M)eta\.url\)/g,
]
const named = programs.flatMap((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  return loading.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => ({ path, name: match[1] as string })))
})

/** `@scope/name/file.js` is of `@scope/name`. */
const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

test('package - every file that the program loads is packed, and nothing that only development needs', (t) => {
  const missing = named
    .filter(({ name }) => name.startsWith('.'))
    .filter(({ path, name }) => !packed.has(join(path, '..', name)))
    .map(({ path, name }) => `${path} loads ${name}`)
  t.same(missing, [])
  t.ok(packed.has('dist/program/main.js') && packed.has('dist/program/load-process.js'))
  // It is of one release of Node.js alone, and larger than what it was made of.
  t.same(
    [...packed].filter((path) => path.endsWith('.cache')),
    [],
  )
  t.same(
    // Maps of the program are for stacks in the log.
    [...packed].filter((path) => /^dist\/(?!program\/|assets\/)|^dist\/(?!program\/).*\.map(?:\.gz)?$/.test(path)),
    [],
  )
  t.end()
})

test('package - the packages that it loads are its dependencies, and it has no others', (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const loaded = [...imported, ...named.map(({ name }) => name)].filter(
    (name) => !/^(?:[.#]|node:)/.test(name) && !isBuiltin(name),
  )
  t.same([...new Set(loaded.map(packageOf))].sort(), Object.keys(dependencies).sort())
  t.end()
})
