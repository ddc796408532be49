// The last step of `npm run build`: puts the program and its commands into few files, in dist/program, with the libraries that they use.
// Each thread loads hundreds of modules at its start, most of them of its libraries, and finding each in the file system costs more
// than running it. Tests of parts load the modules as they were compiled.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { noticesOf } from './notices.js'
import { writeText } from './replace.js'

/** Libraries that are native or read files of their own stay packages: they are the dependencies, all others are put into the program. */
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
}
const threads = readdirSync('dist/src/process').filter((name) => name.endsWith('-thread.js'))

const { outputFiles, metafile } = await build({
  entryPoints: [
    'dist/src/main.js',
    ...threads.map((name) => join('dist/src/process', name)),
    'dist/bench/load/load-process.js',
  ],
  outdir: 'dist/program',
  // Threads and processes find each other in one folder.
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.6',
  sourcemap: true,
  sourcesContent: false,
  external: Object.keys(dependencies),
  // For libraries in CommonJS, which require modules of Node.js.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  metafile: true,
  write: false,
})
// A program that runs goes on loading the parts that it began with: none is removed.
for (const { path, text } of outputFiles) writeText(path, text)

const packages = Object.keys(metafile.inputs).flatMap(
  (path) => path.match(/.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/) ?? [],
)
writeText('dist/program/NOTICES.txt', noticesOf([...new Set(packages)].sort()))
