// A step of `npm run build`: puts the program and its commands into few files, in dist/program, with the libraries that they use.
// Each thread loads hundreds of modules at its start, most of them of its libraries, and finding each in the file system costs more
// than running it. Tests of parts load the modules one by one (dist/src).

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { bundleParameters } from '../src/runtime/load-bundle.js'
import { noticesOf } from './notices.js'
import { replace, writeText } from './replace.js'

/** Libraries that are native or read files of their own stay packages: they are the dependencies, all others are put into the program. */
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
}
const threads = readdirSync('src/process').filter((name) => name.endsWith('-thread.ts'))
const entryPoints = ['src/main.ts', ...threads.map((name) => join('src/process', name)), 'bench/load/load-process.ts']

await bundle()

async function bundle(): Promise<void> {
  const common = {
    outdir: 'dist/program',
    entryNames: '[name]',
    format: 'esm',
    platform: 'node',
    write: false,
  } as const

  const bundled = await build({
    ...common,
    entryPoints,
    bundle: true,
    // A function, as src/runtime/load-bundle.ts calls it, because V8 keeps what it has compiled of scripts, and not of modules.
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    banner: { js: `(function (${bundleParameters.join(', ')}) {` },
    footer: { js: '})' },
    define: { 'import.meta': 'importMeta' },
    supported: { 'dynamic-import': false },
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    // Node.js prints the line in which an error was thrown that nothing has caught.
    lineLimit: 160,
    sourcemap: 'external',
    sourcesContent: false,
    // They are in NOTICES.txt.
    legalComments: 'none',
    external: Object.keys(dependencies),
    logLevel: 'warning',
    metafile: true,
  })
  for (const { path, text } of bundled.outputFiles)
    if (path.endsWith('.map')) replace(`${path}.gz`, (path) => writeFileSync(path, gzipSync(text)))
    else writeText(path, `${text}// ${createHash('sha256').update(text).digest('hex')}\n`)

  // Threads and processes find each other in one folder, by the names of these files. Each exports what its module does.
  const [loader, ...modules] = (
    await build({
      ...common,
      entryPoints: ['src/runtime/load-bundle.ts', ...entryPoints],
      bundle: false,
      metafile: true,
    })
  ).outputFiles
  if (loader !== undefined) writeText(loader.path, loader.text)
  const shebang = '#!/usr/bin/env node\n'
  for (const { path, text } of modules) {
    const name = basename(path, '.js')
    const exported = [...text.matchAll(/^export \{\n([^}]+)\n\};/gm)].flatMap(([, names = '']) => names.split(/,\s*/))
    const names = exported.map((name) => name.trim())
    const load = `loadBundle(new URL('./${name}.cjs', import.meta.url))`
    writeText(
      path,
      `${text.startsWith(shebang) ? shebang : ''}import { loadBundle } from './load-bundle.js'\n` +
        (names.length === 0 ? `${load}\n` : `export const { ${names.join(', ')} } = ${load}\n`),
    )
  }

  const packages = Object.keys(bundled.metafile.inputs).flatMap(
    (path) => path.match(/.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/) ?? [],
  )
  writeText('dist/program/NOTICES.txt', noticesOf([...new Set(packages)].sort()))
}
