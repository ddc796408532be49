// A copy of the sources in a folder of its own, to which things are added as CONTRIBUTING.md says, and which is built as the real
// one is. What has been compiled is copied too, so that only what is added, and what depends on it, is compiled again.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Addition, Line } from './additions.js'

/** A row of the table: the files of the thing's own, and the one that has a list in which it is a line. */
export interface Place {
  readonly what: string
  readonly files: readonly string[]
  readonly list: string
}

const pathsIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string)

/** The table under "What it takes". */
export function placesIn(contributing: string): readonly Place[] {
  const section = contributing.split('\n## What it takes\n')[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| To add'))
  return rows.map((row) => {
    const [, what = '', files, list] = row.split('|').map((cell) => cell.trim())
    return { what, files: pathsIn(files), list: pathsIn(list)[0] ?? '' }
  })
}

/** `work` becomes the root of the copy. */
export function copySources(root: string, work: string): void {
  // With their times, by which the build finds what has changed. Without a type check before, there is no .tsbuildinfo.
  for (const name of [
    'src',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'bench',
    'test',
    'tools',
    'dist/src',
    'dist/bench',
    'dist/tools',
    'dist/test',
    'dist/build.json',
    'dist/.tsbuildinfo',
  ])
    if (existsSync(join(root, name)))
      cpSync(join(root, name), join(work, name), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'))
  // All but the reference, which the build makes of the routes.
  mkdirSync(join(work, 'dist/assets'))
  for (const name of readdirSync(join(root, 'dist/assets')).filter((one) => one !== 'reference'))
    symlinkSync(join(root, 'dist/assets', name), join(work, 'dist/assets', name))
  writeFileSync(join(work, 'tsconfig.src.json'), '{ "extends": "./tsconfig.json", "include": ["src"] }')
}

/** Writes the thing's files, and its line; nothing else is touched. */
export function add(work: string, { what, names, files, line }: Addition, place: Place): void {
  const named = (path: string): string => path.replace(/<(\w+)>/g, (_, name: string) => names[name] ?? `<${name}>`)
  if (files.length !== place.files.length) throw new Error(`${what}: the table names ${place.files.length} files`)
  for (const [at, text] of files.entries()) {
    const path = join(work, named(place.files[at] as string))
    if (existsSync(path)) throw new Error(`${path} exists`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const list = join(work, named(place.list))
  writeFileSync(list, withLine(readFileSync(list, 'utf8'), line, named(place.list)))
}

function withLine(text: string, { import: imported, opening, entry }: Line, name: string): string {
  if (opening === undefined) return `${text}${entry}\n`
  const at = text.indexOf(opening)
  if (at === -1) throw new Error(`${name} has no list that begins with ${opening}`)
  const end = at + opening.length
  const listed = `${text.slice(0, end)}\n${entry}${text.slice(end)}`
  return imported === undefined ? listed : listed.replace(/^import /m, `${imported}\nimport `)
}

/** Throws with what the compiler says. */
export function build(work: string): void {
  const run = (...words: readonly string[]): void => {
    try {
      execFileSync(process.execPath, words, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    } catch (error) {
      throw new Error(`${words.join(' ')} failed:\n${(error as { stdout?: string }).stdout}`, { cause: error })
    }
  }
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.src.json')
  run('tools/build.mjs', 'modules')
  run('dist/tools/copy-assets.js')
  run('dist/tools/bundle.js')
  // What holds for all sources and for all messages holds for new ones.
  for (const name of ['structure', 'ocpp16/schemas', 'ocpp16/reader']) run(`dist/test/${name}.test.js`)
}
