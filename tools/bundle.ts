// The last step of `npm run build`: puts the program into few files, in dist/program. Each thread loads hundreds of modules at its
// start, most of them of its libraries, and finding each in the file system costs more than running it. Tests of parts load the
// modules as they were compiled.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { writeText } from './replace.js'

const compiled = 'dist/src'

/** What threads load at their start. Other libraries are native, have files of their own, or are loaded when they are needed. */
const included = [
  '@msgpack/msgpack',
  'ajv',
  'comlink',
  'commander',
  'decimal.js',
  'luxon',
  'prom-client',
  'typebox',
  'ulid',
]

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
}
const threads = readdirSync(join(compiled, 'process')).filter((name) => name.endsWith('-thread.js'))

const { outputFiles } = await build({
  entryPoints: [join(compiled, 'main.js'), ...threads.map((name) => join(compiled, 'process', name))],
  outdir: 'dist/program',
  // Threads find each other in one folder.
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.6',
  sourcemap: true,
  sourcesContent: false,
  // Simulator and load tool start processes of their own beside their files.
  external: ['../bench/*', ...Object.keys(dependencies).filter((name) => !included.includes(name))],
  // For libraries in CommonJS, which require modules of Node.js.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  write: false,
})
// A program that runs goes on loading the parts that it began with: none is removed.
for (const { path, text } of outputFiles) writeText(path, text)
