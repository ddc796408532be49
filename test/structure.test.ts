// The map of the sources, held: which folder may import which, and what no file may contain.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))
const longestFileLines = 400

interface Source {
  /** Path from the root: `src/edge/identity.ts`. */
  readonly path: string
  readonly text: string
  /** What it imports of ours, as paths from the root, and of others, as package names. */
  readonly imports: readonly string[]
}

function sourcesUnder(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const path = join(folder, name)
      const text = readFileSync(join(root, path), 'utf8')
      const named = [...text.matchAll(/(?:\bfrom|^import|\bimport\() *'([^']+)'/gm)].map((match) => match[1] as string)
      const imports = named.map((name) =>
        name.startsWith('.') ? sourceOf(normalize(join(dirname(path), name))) : name,
      )
      return { path, text, imports }
    })
}

/** Of a file as it is imported, that which it is made of. */
function sourceOf(path: string): string {
  const source = path.replace(/\.js$/, '.ts')
  return source !== path && existsSync(join(root, `${source}x`)) ? `${source}x` : source
}

const sources = sourcesUnder('src')
const own = (name: string): boolean => name.startsWith('src/')
/** Code without comments: what a rule about code looks at. */
const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

/** Every file of `folder` imports, of ours, only what `allowed` matches. */
function importsOnly(folder: string, allowed: RegExp): string[] {
  return sources
    .filter(({ path }) => path.startsWith(folder))
    .flatMap(({ path, imports }) =>
      imports.filter((name) => own(name) && !allowed.test(name)).map((name) => `${path} imports ${name}`),
    )
}

test('structure - the sources are found', (t) => {
  t.ok(sources.length > 100)
  t.ok(sources.some(({ imports }) => imports.includes('src/runtime/limits.ts')))
  t.end()
})

/** The rooms of the house, the ground floor first: what a room imports, types included, stands below it or is its own. */
const floors: readonly (readonly string[])[] = [
  ['runtime'],
  ['runtime/store'],
  ['runtime/actor'],
  ['runtime/link', 'runtime/thread'],
  ['ocpp16/schemas'],
  ['settings.ts', 'ocpp16', 'pricing', 'alert-kinds'],
  ['power'],
  ['records'],
  ['ocpi/schemas'],
  ['ocpi'],
  ['emsp'],
  ['events'],
  ['alerts'],
  ['actors'],
  [
    'jobs/documents',
    'jobs/outbound',
    'jobs/passkeys',
    'jobs/passwords',
    'jobs/payments',
    'jobs/pki',
    'jobs/single-sign-on',
  ],
  ['jobs/mail', 'jobs/ocpi', 'edge'],
  ['api/pipeline'],
  ['api/openapi'],
  ['api/surfaces'],
  ['api/areas'],
  ['api/http', 'console/server'],
  ['process'],
  ['backup'],
  ['backup.ts', 'recover-key.ts', 'restore.ts'],
  ['main.ts'],
  // What runs in browsers has floors of its own, and nothing below them.
  ['console/theme'],
  ['console/client'],
  ['console/parts'],
  ['console/app'],
  ['console/pages'],
]
const rooms = floors.flat()

/** The room of a file: the longest name that its path begins with. */
function roomOf(path: string): string {
  const inside = rooms.filter((room) => path === `src/${room}` || path.startsWith(`src/${room}/`))
  return inside.sort((one, other) => other.length - one.length)[0] ?? `no room: ${path}`
}

const floorOf = (room: string): number => floors.findIndex((floor) => floor.includes(room))

test('structure - every file stands in a room, and only entry points and settings stand outside of the folders', (t) => {
  t.same(
    sources.map(({ path }) => roomOf(path)).filter((room) => !rooms.includes(room)),
    [],
  )
  const outside = sources.map(({ path }) => path).filter((path) => dirname(path) === 'src')
  t.same(outside.sort(), ['src/backup.ts', 'src/main.ts', 'src/recover-key.ts', 'src/restore.ts', 'src/settings.ts'])
  t.end()
})

test('structure - no import runs back up, and none from room to room of one floor', (t) => {
  const wrong = sources.flatMap(({ path, imports }) => {
    const room = roomOf(path)
    return imports
      .filter((name) => own(name) && roomOf(name) !== room && floorOf(roomOf(name)) >= floorOf(room))
      .map((name) => `${path} imports ${name}`)
  })
  t.same(wrong, [])
  t.end()
})

test('structure - the edge imports of the actors only messages', (t) => {
  const allowed = /^src\/(runtime\/|edge\/|settings\.ts|ocpp16\/|records\/|jobs\/pki\/|actors\/[a-z-]+\/messages\.ts)/
  t.same(importsOnly('src/edge/', allowed), [])
  t.end()
})

test('structure - what is printed comes from records and amounts alone', (t) => {
  t.same(importsOnly('src/jobs/documents/', /^src\/(jobs\/documents\/|records\/|pricing\/|runtime\/assets\.ts)/), [])
  t.end()
})

test('structure - prices are computed from their own terms alone', (t) => {
  t.same(importsOnly('src/pricing/', /^src\/(pricing\/|runtime\/[a-z-]+\.ts)/), [])
  t.end()
})

test('structure - OCPI on the wire is made of records and prices alone', (t) => {
  t.same(importsOnly('src/ocpi/schemas/', /^src\/(ocpi\/schemas|runtime)\/[a-z-]+\.ts$/), [])
  const allowed = /^src\/(ocpi\/|records\/|pricing\/|ocpp16\/timestamp\.ts$|runtime\/([a-z-]+|store\/store)\.ts$)/
  t.same(importsOnly('src/ocpi/', allowed), [])
  t.end()
})

test('structure - what runs in browsers imports of ours only what runs there, and the types of the API', (t) => {
  const browser = /^src\/console\/(client|parts|app|pages|theme)\//
  for (const folder of ['client', 'parts', 'app', 'pages']) t.same(importsOnly(`src/console/${folder}/`, browser), [])
  const outside = sources
    .filter(({ path }) => !browser.test(path))
    .filter(({ imports }) => imports.some((name) => browser.test(name)))
  t.same(
    outside.map(({ path }) => path),
    [],
  )
  t.same(
    sources.filter(({ imports }) => imports.includes('#api')).map(({ path }) => path),
    ['src/console/client/api.ts'],
  )
  t.end()
})

test('structure - the console makes no markup of text, and asks no other origin', (t) => {
  const markup =
    /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|srcdoc)\b|['"`](https?:)?\/\/[a-z]/
  const found = sources
    .filter(({ path, text }) => /^src\/console\/(client|parts|app|pages)\//.test(path) && markup.test(codeOf(text)))
    .map(({ path }) => path)
  t.same(found, [])
  t.end()
})

test('structure - calls to others know nothing of charging', (t) => {
  t.same(importsOnly('src/jobs/outbound/', /^src\/(runtime|jobs\/outbound)\//), [])
  t.end()
})

test('structure - a mail is worded and sent from its record alone', (t) => {
  const allowed =
    /^src\/(jobs\/mail\/|runtime\/|settings\.ts|jobs\/documents\/words\.ts|records\/|alert-kinds\/|actors\/mail\/messages\.ts)/
  t.same(importsOnly('src/jobs/mail/', allowed), [])
  t.end()
})

test('structure - nothing imports the files that are threads', (t) => {
  const threads = new Set(
    ['main', 'process/front-thread', 'process/shard-thread', 'process/store-thread']
      .concat(['process/job-thread', 'process/outbound-thread'])
      .map((name) => `src/${name}.ts`),
  )
  const imports = sources.flatMap(({ path, text, imports }) =>
    imports
      .filter((name) => threads.has(name) && !onlyTypes(text, name))
      .map((name) => `${relative('src', path)} imports ${name}`),
  )
  t.same(imports, [])
  t.end()
})

/** A type leaves nothing behind when it is compiled: the thread's file is not run. */
function onlyTypes(text: string, name: string): boolean {
  const file = name.slice(name.lastIndexOf('/') + 1).replace(/\.ts$/, '.js')
  return [...text.matchAll(/^import\s+(type\s)?[^']*'([^']+)'$/gm)]
    .filter((match) => match[2]?.endsWith(`/${file}`))
    .every((match) => match[1] !== undefined)
}

/** Ways from a node back to it, at least one for each circle that there is. */
function circlesOf(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  function visit(node: string, trail: readonly string[]): void {
    if (trail.includes(node)) {
      circles.push([...trail.slice(trail.indexOf(node)), node].join(' -> '))
      return
    }
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return circles
}

test('structure - no file imports itself by way of others, types included', (t) => {
  t.same(circlesOf(new Map(sources.map(({ path, imports }) => [path, imports.filter(own)]))), [])
  t.end()
})

test('structure - no folder imports itself by way of others, types included; a folder and those in it count as one', (t) => {
  const contains = (outer: string, inner: string): boolean => inner === outer || inner.startsWith(`${outer}/`)
  const imported = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const folder = dirname(path)
    const others = imports.filter(own).map((name) => dirname(name))
    const apart = others.filter((other) => !contains(folder, other) && !contains(other, folder))
    imported.set(folder, new Set([...(imported.get(folder) ?? []), ...apart]))
  }
  t.ok(imported.size > 40)
  t.same(circlesOf(imported), [])
  t.end()
})

test('structure - the folders of src stand above each other: none imports itself by way of others', (t) => {
  const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/')
  const imported = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const folder = folderOf(path)
    const others = imports.filter(own).map(folderOf)
    imported.set(folder, new Set([...(imported.get(folder) ?? []), ...others.filter((other) => other !== folder)]))
  }
  t.same(circlesOf(imported), [])
  t.end()
})

test('structure - only the LMDB folder imports lmdb', (t) => {
  const importers = sources.filter(({ imports }) => imports.includes('lmdb')).map(({ path }) => dirname(path))
  t.same([...new Set(importers)], ['src/runtime/store/lmdb'])
  t.end()
})

test('structure - actors take time, chance and timers from their context only', (t) => {
  const forbidden =
    /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bset(Timeout|Interval|Immediate)\b|\bperformance\b|\bprocess\.hrtime\b/
  const found = sources
    .filter(({ path, text }) => path.startsWith('src/actors/') && forbidden.test(codeOf(text)))
    .map(({ path }) => path)
  t.same(found, [])
  t.end()
})

test('structure - nothing that is sent or stored names a point of a monotonic clock: what remains of a time is sent', (t) => {
  const sent =
    /^src\/(actors\/(messages\/[a-z-]+|[a-z-]+\/([a-z-]+-)?messages)\.ts|records\/|runtime\/(actor\/transport|link\/wire)\.ts)/
  const found = sources
    .filter(({ path, text }) => sent.test(path) && /\bdeadline\w*\??:|\b[mM]onotonic\b/.test(text))
    .map(({ path }) => path)
  t.same(found, [])
  t.end()
})

test('structure - a thread is known by its number, never by what its name says', (t) => {
  const parsed = /thread\w*\.(slice|split|indexOf|match|startsWith|substring)\(/
  t.same(
    sources.filter(({ text }) => parsed.test(codeOf(text))).map(({ path }) => path),
    [],
  )
  t.end()
})

test('structure - URLs are parsed by one function: URL.canParse of Node.js 20 comes to refuse those with a letter such as ü', (t) => {
  t.same(
    sources.filter(({ text }) => /\bcanParse\b/.test(codeOf(text))).map(({ path }) => path),
    [],
  )
  t.end()
})

test('structure - assembly and programs of the threads take time, chance and threads from what they are given', (t) => {
  const forbidden =
    /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bsystemClock\b|\bperformance\b|\bprocess\.|\bnew (Worker|MessageChannel)\b|node:(crypto|fs|timers)/
  const programs = sources.filter(({ path }) => /^src\/process\/(assembly|[a-z]+-program)\.ts$/.test(path))
  t.equal(programs.length, 4)
  t.same(
    programs.filter(({ text }) => forbidden.test(codeOf(text))).map(({ path }) => path),
    [],
  )
  t.end()
})

const timeOrChance = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandom\w*\(|\bperformance\b|\bprocess\b/
/** What else is the process's or the machine's own: two stores that apply the same records would differ by it. */
const ofThisProcess = new RegExp(`${timeOrChance.source}|\\b(clock|[sS]ettings|statfs\\w*)\\b|\\bfrom 'node:`)

/** The file, and what of ours it runs by way of its imports. */
function reachedFrom(path: string, reached: Set<string> = new Set()): ReadonlySet<string> {
  if (reached.has(path)) return reached
  reached.add(path)
  for (const name of sources.find((source) => source.path === path)?.imports ?? [])
    if (own(name)) reachedFrom(name, reached)
  return reached
}

test('structure - a record is applied by what is in it and in the store: no clock, no chance, no setting, no disk, no memory', (t) => {
  const reached = reachedFrom('src/runtime/store/storage/apply-record.ts')
  const applying = sources.filter(({ path }) => path.startsWith('src/runtime/store/') && reached.has(path))
  t.ok(applying.length >= 11)
  const found = applying.filter(({ text }) => ofThisProcess.test(codeOf(text))).map(({ path }) => path)
  t.same(found, [])
  // What is kept of a table's declaration, or follows from its name, is the same for every store.
  const names = 'src/runtime/store/storage/byte-store.ts'
  const remembering = applying
    .filter(({ path }) => path !== names)
    .filter(({ text }) => /^(export )?(let |const \w+(: [^=]+)? = new (Map|Set)\b)/m.test(codeOf(text)))
    .map(({ path }) => path)
  t.same(remembering, [])
  t.end()
})

test('structure - which lists a row stands in follows from the row: no record knows a clock or chance', (t) => {
  const tables = sources.filter(
    ({ path, text }) => path.startsWith('src/records/') || /\bdefineTable[<(]/.test(codeOf(text)),
  )
  t.ok(tables.length > 50)
  const found = tables
    .filter(({ path, text }) => {
      const code = codeOf(text)
      return timeOrChance.test(path.startsWith('src/records/') ? code : declarationsIn(code))
    })
    .map(({ path }) => path)
  t.same(found, [])
  t.end()
})

test('structure - who is connected is asked of src/records/presence.ts alone: nobody else compares lives of nodes, or lists by them', (t) => {
  const asked = ['src/records/presence.ts', 'src/records/charge-point-state.ts']
  const compared = /\.run\b\s*[=!]==|[=!]==\s*[\w.]*\.run\b|\bincarnation\s*[=!]==|[=!]==\s*[\w.]*\bincarnation\b/
  const listed =
    /'(liveConnectors|byLiveConnectorStatus)'|chargePointStatesTable,\s*'(byStatus|power|connected)'|group: \[[^\]]*\b(run|incarnation)\b/
  const found = sources
    .filter(({ path }) => !asked.includes(path))
    .filter(({ text }) => compared.test(codeOf(text)) || listed.test(codeOf(text)))
    .map(({ path }) => path)
  t.same(found, [])
  t.end()
})

/** The calls of defineTable, to the line that ends each. */
function declarationsIn(code: string): string {
  return [...code.matchAll(/\bdefineTable[<(][\s\S]*?\n?\}\)$/gm)].map(([declaration]) => declaration).join('\n')
}

test('structure - nothing is done because it is the first front or shard: what exists once has an owner', (t) => {
  const first = /\b(index|front|shard|node)\s*===\s*0\b|\b(fronts|shards)\[0\]/
  t.same(
    sources.filter(({ text }) => first.test(codeOf(text))).map(({ path }) => path),
    [],
  )
  t.end()
})

test('structure - no file is longer than 400 lines', (t) => {
  const long = sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > longestFileLines)
  t.same(long, [])
  t.end()
})

test('structure - every file says first what it owns', (t) => {
  t.same(
    sources.filter(({ text }) => !/^(#!.*\n)?\/\/ /.test(text)).map(({ path }) => path),
    [],
  )
  t.end()
})

test('structure - nothing is left undone or unchecked', (t) => {
  const undone = /\b(TODO|FIXME|XXX)\b|@ts-(ignore|expect-error|nocheck)/
  const unchecked = /[:<,|&(]\s*any\b(?!\s*[:(])|\bas any\b|\bexport default\b/
  const quoted = /`[^`]*`|'[^'\n]*'/g
  const found = sources
    .filter(({ text }) => undone.test(text) || unchecked.test(codeOf(text).replace(quoted, "''")))
    .map(({ path }) => path)
  t.same(found, [])
  t.end()
})

test('structure - events are declared: nobody makes one by hand', (t) => {
  const makers = sources.filter(({ text }) => /\beffect\.event\(/.test(codeOf(text))).map(({ path }) => path)
  t.same(makers, ['src/events/define-event.ts'])
  t.end()
})

test('structure - a cost is stored in one place, with the row that has it billed', (t) => {
  const stored = /\b(put|putRow)\(sessionCostsTable\b/
  t.same(
    sources.filter(({ text }) => stored.test(codeOf(text))).map(({ path }) => path),
    ['src/actors/charge-point/session-cost.ts'],
  )
  t.end()
})

test('structure - the action of a message is written down once, where the message is declared', (t) => {
  const schemas = sources.filter(({ path }) => path.startsWith('src/ocpp16/schemas/'))
  const actions = schemas.flatMap(({ text }) => text.match(/(?<=\baction: )'[A-Za-z]+'/g) ?? [])
  t.ok(actions.length >= 39)
  t.equal(new Set(actions).size, actions.length)
  const named = new RegExp(actions.join('|'))
  // OCPI has commands of the same names, and what runs in a browser imports nothing of ours.
  const apart = /^src\/(?:ocpi\/schemas\/|console\/(?!server\/))/
  const others = sources.filter((source) => !schemas.includes(source) && !apart.test(source.path))
  const found = others.filter((source) => named.test(codeOf(source.text)))
  t.same(
    found.map(({ path }) => path),
    [],
  )
  t.end()
})
