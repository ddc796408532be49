// @ts-check
// The build, which checks no types (`npm run typecheck` does). It skips outputs whose sources are unchanged:
// `node tools/build.mjs` makes what the program runs from (dist/program, dist/assets), and
// `node tools/build.mjs program modules` also the modules that the tests, the bench and the tools import (dist/src, dist/test, ...).
// It is JavaScript, because it has to run before anything is built.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** @typedef {Record<string, string>} Stamps Size and time of each source, by its path. */

const notesFile = 'dist/build.json'
const toolsFolder = 'dist/build'
/** Steps that do not need each other run at the same time. */
const steps = [['copy-assets'], ['bundle', 'keep-compiled'], ['build-console']]
const stepEntries = [...steps.flat(), 'keep-compiled-here'].map((name) => `tools/${name}.ts`)
const programSources = ['src', 'bench', 'tools', 'package.json', 'package-lock.json']
const moduleFolders = ['src', 'bench', 'test', 'tools']
const packageFile = 'package.json'
const shared = /** @type {const} */ ({
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  logLevel: 'warning',
  write: false,
})

/** @type {(path: string) => string[]} */
function filesOf(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** @type {(paths: readonly string[]) => Stamps} */
function stampsOf(paths) {
  return Object.fromEntries(
    paths.map((path) => {
      const { mtimeMs, size } = statSync(path)
      // A copy has the time of its original in whole milliseconds.
      return [path, `${Math.round(mtimeMs)} ${size}`]
    }),
  )
}

/** @type {(one: Stamps, other: Stamps | undefined) => string[]} */
const changedIn = (one, other) => Object.keys(one).filter((path) => one[path] !== other?.[path])

/** @type {(one: Stamps, other: Stamps | undefined) => boolean} */
const isSame = (one, other) =>
  other !== undefined && Object.keys(one).length === Object.keys(other).length && changedIn(one, other).length === 0

/** Several builds may run at once: a file is there whole or not at all. @type {(path: string, bytes: string | Uint8Array) => void} */
function writeWhole(path, bytes) {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, bytes)
  renameSync(temporary, path)
}

/** @returns {{ program?: Stamps, modules?: Stamps }} */
const readNotes = () => (existsSync(notesFile) ? JSON.parse(readFileSync(notesFile, 'utf8')) : {})

/** Another build may have noted its part since. @type {(part: 'program' | 'modules', stamps: Stamps) => void} */
const note = (part, stamps) => writeWhole(notesFile, JSON.stringify({ ...readNotes(), [part]: stamps }))

/** What V8 has compiled of the program is kept for each release of Node.js (src/runtime/load-bundle.ts). */
const outputs = [
  'dist/program/main.js',
  `dist/program/main.cjs.${process.version}-${process.platform}-${process.arch}.cache`,
  'dist/assets/reference/index.html',
  'dist/assets/console/manifest.json',
]

async function buildProgram() {
  const stamps = stampsOf(programSources.flatMap(filesOf))
  if (isSame(stamps, readNotes().program) && outputs.every(existsSync)) return
  await bundleTools()
  const ended = await Promise.all(steps.map(runSteps))
  if (ended.includes(false)) process.exit(1)
  note('program', stamps)
}

/** The steps and all that they import, in few files: loading a thousand modules takes longer than what the steps do. */
async function bundleTools() {
  const { build } = await import('esbuild')
  const options = /** @type {const} */ ({ bundle: true, splitting: true, packages: 'external', outdir: toolsFolder })
  const { outputFiles } = await build({ ...shared, ...options, entryPoints: stepEntries })
  for (const { path, contents } of outputFiles) writeWhole(path, contents)
  const written = new Set(outputFiles.map(({ path }) => basename(path)))
  // The names of shared files change with what is in them.
  for (const name of readdirSync(toolsFolder)) if (!written.has(name)) rmSync(join(toolsFolder, name), { force: true })
}

/** @type {(names: readonly string[]) => Promise<boolean>} */
async function runSteps(names) {
  for (const name of names) {
    const child = spawn(process.execPath, ['--enable-source-maps', `${toolsFolder}/${name}.js`], { stdio: 'inherit' })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    if (code !== 0) return false
  }
  return true
}

async function buildModules() {
  const modules = moduleFolders.flatMap(filesOf).filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  const stamps = stampsOf([...modules, packageFile])
  const before = readNotes().modules
  // Another release of esbuild may write other files.
  const isNewPackage = before?.[packageFile] !== stamps[packageFile]
  const changed = isNewPackage ? modules : changedIn(stamps, before)
  const removed = Object.keys(before ?? {}).filter((path) => stamps[path] === undefined)
  if (changed.length === 0 && removed.length === 0) return
  const { build } = await import('esbuild')
  const { outputFiles } = await build({ ...shared, outdir: 'dist', outbase: '.', entryPoints: changed })
  for (const { path, contents } of outputFiles) writeWhole(path, contents)
  for (const path of removed) {
    const built = join('dist', path.replace(/\.ts$/, '.js'))
    for (const one of [built, `${built}.map`]) rmSync(one, { force: true })
  }
  note('modules', stamps)
}

const parts = process.argv.slice(2)
if (parts.length === 0 || parts.includes('program')) await buildProgram()
if (parts.includes('modules')) await buildModules()
