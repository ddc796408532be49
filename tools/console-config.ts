// How Vite builds the console, and serves it while somebody works on it (`npm run console:dev`).

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { InlineConfig, Plugin } from 'vite'
import { makeMapData, mapFolder, mapPrefix } from './map-data.js'

export const consoleRoot = 'src/console'
const iconsModule = 'virtual:icons'

/** What stands between quotes in the sources of the console, beside the list of icons itself. */
function quotedWords(list: string): ReadonlySet<string> {
  const sources = readdirSync(consoleRoot, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => resolve(consoleRoot, name))
    .filter((path) => path !== list)
  const words = sources.flatMap((path) => readFileSync(path, 'utf8').match(/(?<=['"])[a-z][a-z0-9-]*(?=['"])/g) ?? [])
  return new Set(words)
}

/** The icons that src/console/parts/icon-names.ts names and something shows, as the elements that they are made of (Lucide). */
function icons(): Plugin {
  const list = resolve(consoleRoot, 'parts/icon-names.ts')
  let isServed = false
  return {
    configResolved({ command }) {
      isServed = command === 'serve'
    },
    name: 'icons',
    resolveId: (id) => (id === iconsModule ? `\0${iconsModule}` : undefined),
    load(id) {
      if (id !== `\0${iconsModule}`) return undefined
      this.addWatchFile(list)
      const names = [...readFileSync(list, 'utf8').matchAll(/^ {2}'([a-z0-9-]+)',$/gm)].map(
        ([, name]) => name as string,
      )
      const nodes = JSON.parse(readFileSync('node_modules/lucide-static/icon-nodes.json', 'utf8')) as Record<
        string,
        unknown
      >
      const missing = names.filter((name) => nodes[name] === undefined)
      if (missing.length > 0) throw new Error(`lucide has no icon ${missing.join(', ')}`)
      const words = quotedWords(list)
      const shown = names.filter((name) => isServed || words.has(name))
      return `export const icons = ${JSON.stringify(Object.fromEntries(shown.map((name) => [name, nodes[name]])))}`
    },
  }
}

/** What tools/request-schemas.ts has taken out of the OpenAPI document, and out of the schemas of OCPP. */
const schemasModules = ['request-schemas', 'ocpp-messages']

function schemas(): Plugin {
  return {
    name: 'schemas',
    resolveId: (id) => (schemasModules.some((name) => id === `virtual:${name}`) ? `\0${id}` : undefined),
    load(id) {
      const name = schemasModules.find((one) => id === `\0virtual:${one}`)
      if (name === undefined) return undefined
      const found = JSON.parse(readFileSync(`dist/client-types/${name}.json`, 'utf8')) as Record<string, object>
      return Object.entries(found)
        .map(([exported, schema]) => `export const ${exported} = ${JSON.stringify(schema)}`)
        .join('\n')
    },
  }
}

const mapModule = 'virtual:map-data'

/** The pieces of the map (map-data.ts), under one name that changes with any of them: the console knows them by their places. */
function mapPieces(): Plugin {
  let isBuild = false
  return {
    name: 'map-pieces',
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    resolveId: (id) => (id === mapModule ? `\0${mapModule}` : undefined),
    load(id) {
      if (id !== `\0${mapModule}`) return undefined
      makeMapData()
      const pieces = readdirSync(mapFolder)
        .sort()
        .map((file) => ({
          place: file.slice(mapPrefix.length, -'.json'.length),
          text: readFileSync(join(mapFolder, file)),
        }))
      const hash = createHash('sha256')
      for (const { text } of pieces) hash.update(text)
      const prefix = `assets/${mapPrefix}${hash.digest('hex').slice(0, 8)}_`
      if (isBuild)
        for (const { place, text } of pieces)
          this.emitFile({ type: 'asset', fileName: `${prefix}${place}.json`, source: text })
      const served = isBuild ? `/console/${prefix}` : `/console/@fs${resolve(mapFolder)}/${mapPrefix}`
      return `export const prefix = ${JSON.stringify(served)}, places = ${JSON.stringify(pieces.map(({ place }) => place).join(' '))}`
    },
  }
}

/** Fonts are asked for with the page, not when its style is known. */
function preloadedFonts(): Plugin {
  return {
    name: 'preloaded-fonts',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((name) => name.endsWith('.woff2'))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/console/${name}` },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}

/** What declares pages is of the start; their components are fetched in groups, of which one compresses better than its pages each by themselves. */
const declarations = /\/(?:page|frame|[a-z-]+-tab)\.ts$/
const inFolders = (names: readonly string[]) => {
  const inside = new RegExp(`/src/console/pages/(?:${names.join('|')})/`)
  return (id: string): boolean => inside.test(id) && !declarations.test(id)
}
const ofBase =
  /virtual:icons|vite\/preload-helper|\/node_modules\/(?:preact|@preact|regexparam|wouter-preact|eventsource-parser)\/|\/src\/console\/(?:app\/|theme\/|parts\/(?!command-)|client\/(?!fleet|command-))/
const groups = [
  // What nearly every page is made of, and the declarations of all.
  { name: 'base', test: (id: string): boolean => ofBase.test(id) || declarations.test(id) },
  // Of a charge point, of those that are chosen, and of all that were sent.
  {
    name: 'commands',
    test: (id: string): boolean => /virtual:ocpp-messages|\/src\/console\/(?:parts|client)\/command-/.test(id),
  },
  { name: 'charge-point', test: inFolders(['charge-point', 'conformance', 'messages', 'refused']) },
  { name: 'money', test: inFolders(['disputes', 'invoices', 'revenue', 'rules', 'tariff', 'tariffs', 'unmatched']) },
  {
    name: 'organization',
    test: inFolders(['account', 'alerts', 'api-keys', 'audit-log', 'events', 'team', 'webhooks']),
  },
  { name: 'sessions', test: inFolders(['session', 'sessions']) },
  { name: 'sites', test: inFolders(['site', 'sites']) },
  { name: 'roaming', test: inFolders(['partner', 'roaming']) },
  {
    name: 'equipment',
    test: inFolders(['id-tag', 'id-tags', 'model', 'models', 'reservations', 'rollout', 'rollouts', 'templates']),
  },
  {
    name: 'people',
    test: inFolders(['installer', 'installers', 'organizations', 'site-owner', 'site-owners']),
  },
  { name: 'installation', test: inFolders(['health', 'load-run', 'load-runs']) },
]

/** A file of the console that is run before what it needs does not start: what belongs to the start has to be in `base`. */
function withoutCircles(bundle: Readonly<Record<string, object>>): void {
  const importsOf = (name: string): readonly string[] => {
    const file = bundle[name] as { readonly imports?: readonly string[] } | undefined
    return file?.imports ?? []
  }
  const visit = (name: string, trail: readonly string[]): void => {
    if (trail.includes(name))
      throw new Error(
        `files of the console import each other, put them into one group: ${[...trail, name].join(' -> ')}`,
      )
    for (const next of importsOf(name)) visit(next, [...trail, name])
  }
  for (const name of Object.keys(bundle)) visit(name, [])
}

/** `modules` is called with the path of every module that becomes part of the console. */
export function consoleConfig(outDir: string, modules: (paths: readonly string[]) => void = () => {}): InlineConfig {
  return {
    root: consoleRoot,
    base: '/console/',
    configFile: false,
    envDir: false,
    publicDir: resolve(consoleRoot, 'public'),
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [
      icons(),
      schemas(),
      mapPieces(),
      preloadedFonts(),
      {
        name: 'modules',
        generateBundle(_options, bundle) {
          withoutCircles(bundle)
          modules(
            Object.values(bundle).flatMap((one) =>
              one.type === 'chunk' ? Object.keys(one.modules) : one.originalFileNames,
            ),
          )
        },
      },
    ],
    build: {
      outDir: resolve(outDir),
      emptyOutDir: true,
      target: ['chrome111', 'firefox114', 'safari16.4'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      sourcemap: false,
      license: false,
      // How long the parts of a build take is looked at elsewhere.
      rolldownOptions: {
        checks: { pluginTimings: false },
        output: { codeSplitting: { groups, includeDependenciesRecursively: false } },
      },
    },
  }
}
