// Counts exports that no other file imports, types included. An import of a whole module uses all of its exports.

import { dirname, join } from 'node:path'
import { lineAt, type Offence, roomOf, type Source, type Tree } from './tree.js'

/** Follows imports from file to file, and notes the exports that they reach. */
class Uses {
  readonly #sources: ReadonlyMap<string, Source>
  readonly #used = new Set<string>()

  constructor(sources: readonly Source[]) {
    this.#sources = new Map(sources.map((source) => [source.path, source]))
  }

  has(path: string, name: string): boolean {
    return this.#used.has(`${path} ${name}`)
  }

  /** The file that an import names, or undefined for a package. */
  #resolve(from: string, specifier: string): string | undefined {
    if (!specifier.startsWith('.')) return undefined
    const path = join(dirname(from), specifier)
    const stem = path.replace(/\.js$/, '')
    return [`${stem}.ts`, `${stem}.tsx`, `${stem}.d.ts`, path].find((one) => this.#sources.has(one))
  }

  useName(from: string, specifier: string, name: string): void {
    const path = this.#resolve(from, specifier)
    if (path === undefined || this.has(path, name)) return
    this.#used.add(`${path} ${name}`)
    for (const { exportName, moduleRequest } of exportsOf(this.#sources.get(path)))
      if (exportName.kind === 'None' && moduleRequest !== null) this.useName(path, moduleRequest.value, name)
  }

  useAll(from: string, specifier: string): void {
    const path = this.#resolve(from, specifier)
    if (path === undefined || this.has(path, '*')) return
    this.#used.add(`${path} *`)
    for (const { exportName, moduleRequest } of exportsOf(this.#sources.get(path))) {
      if (exportName.name !== null) this.useName(from, specifier, exportName.name)
      else if (moduleRequest !== null) this.useAll(path, moduleRequest.value)
    }
  }

  /** What Vite finds by a pattern in place of a name. */
  useGlob(from: string, glob: string): void {
    const pattern = globPattern(join(dirname(from), glob))
    for (const path of this.#sources.keys()) if (pattern.test(path)) this.useAll('index.ts', `./${path}`)
  }
}

const exportsOf = (source: Source | undefined) => source?.module.staticExports.flatMap(({ entries }) => entries) ?? []

/** Supports the two wildcards that the console uses: `*` and `**`. */
function globPattern(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*)/)
  const signs: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '*': '[^/]*' }
  return new RegExp(`^${parts.map((part) => signs[part] ?? part.replaceAll('.', '\\.')).join('')}$`)
}

/** An import that runs later, or of a type, with the names that it takes: `const { a } = await import('./b.js')`, `(await import('./b.js')).a`. */
const laterImports = /(?:\{([^{}]*)\} = await )?\bimport\('(\.[^']+)'\)(?:\)?\.(?!then\b)(\w+))?/g
/** The file of a thread or of a process. */
const loadedFiles = /\bnew URL\('(\.[^']+\.js)', import\.meta\.url\)/g
const globImports = /\bimport\.meta\.glob\b[^(]*\('([^']+)'/g

function noteUses(uses: Uses, source: Source): void {
  const { path, text, module } = source
  for (const { moduleRequest, entries } of module.staticImports)
    for (const { importName } of entries) {
      if (importName.kind === 'NamespaceObject') uses.useAll(path, moduleRequest.value)
      else uses.useName(path, moduleRequest.value, importName.name ?? 'default')
    }
  for (const { importName, moduleRequest } of exportsOf(source)) {
    if (moduleRequest === null || importName.kind === 'AllButDefault') continue
    if (importName.name === null) uses.useAll(path, moduleRequest.value)
    else uses.useName(path, moduleRequest.value, importName.name)
  }
  for (const [, taken, specifier = '', member] of text.matchAll(laterImports)) {
    const names = [...(taken?.split(',') ?? []), member ?? ''].map((name) => name.split(':')[0]?.trim() ?? '')
    const named = names.filter((name) => name !== '')
    if (named.length === 0) uses.useAll(path, specifier)
    for (const name of named) uses.useName(path, specifier, name)
  }
  for (const [, specifier = ''] of text.matchAll(loadedFiles)) uses.useAll(path, specifier)
  for (const [, glob = ''] of text.matchAll(globImports)) uses.useGlob(path, glob)
}

export function findUnusedExports({ sources }: Tree): Offence[] {
  const uses = new Uses(sources)
  for (const source of sources) noteUses(uses, source)
  return sources
    .filter(({ path }) => !path.endsWith('.d.ts'))
    .flatMap((source) =>
      exportsOf(source)
        .map(({ exportName, start }) => ({ name: exportName.kind === 'Default' ? 'default' : exportName.name, start }))
        .filter(({ name }) => name !== null && !uses.has(source.path, name))
        .map(({ name, start }) => ({
          room: roomOf(source.path),
          path: source.path,
          line: lineAt(source.text, start),
          text: `${name} is exported, and no other file imports it`,
        })),
    )
}
