// A step of `npm run build`: fills dist/assets with what the program reads while it runs: files of packages, the pages of the
// manual and of the reference, and what a load report carries.

import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { copiedFiles } from './copied-files.js'
import { manualFiles } from './manual.js'
import { noticesOf } from './notices.js'
import { replace, writeText } from './replace.js'
import { filesUnder, hashOf, programHash, readNote, writeNote } from './unchanged.js'

const assets = 'dist/assets'

/** `npm pack --os=linux --cpu=arm64` packs for another machine than this one. */
const system = `${process.env.npm_config_os || process.platform}_${process.env.npm_config_cpu || process.arch}`

function copy(from: string, to: string): void {
  // By content: files of packages all have the same old time, and another release may have a file of the same size.
  if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) return
  replace(to, (path) => copyFileSync(from, path))
}

const folders: string[] = []
for (const { package: name, files, to } of copiedFiles(system)) {
  const folder = join('node_modules', name)
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => files.test(path))
  if (found.length === 0) throw new Error(`${name} has no files for ${system}: ${files}`)
  for (const path of found) copy(join(folder, path), join(assets, to, basename(path)))
  folders.push(folder)
}
writeText(join(assets, 'NOTICES.txt'), noticesOf(folders))

for (const name of readdirSync('bench/load/page'))
  copy(join('bench/load/page', name), join(assets, 'load-report', name))

for (const name of readdirSync('src/docs').filter((one) => !one.endsWith('.md')))
  copy(join('src/docs', name), join(assets, 'docs', name))
for (const [name, text] of manualFiles('src/docs')) writeText(join(assets, 'docs', name), text)

for (const name of ['try.html', 'start.js']) copy(join('tools/reference/page', name), join(assets, 'docs', name))
await writeReference(join(assets, 'reference'))

/** Its pages are made of the routes, and take longer than all else here: only where anything has changed. */
async function writeReference(folder: string): Promise<void> {
  const noteFile = 'dist/reference-build.json'
  const made = hashOf([...filesUnder('tools/reference/page'), 'package.json', 'package-lock.json'])
  const hashes = { program: programHash(), made }
  const before = readNote(noteFile)
  const isThere = existsSync(join(folder, 'index.html'))
  if (isThere && before.program === hashes.program && before.made === hashes.made) return
  const { builtReference } = await import('./reference/built-reference.js')
  const pages = builtReference()
  for (const [name, text] of pages) writeText(join(folder, name), text)
  // Earlier styles and scripts, which have other names; what another build is about to rename stays.
  for (const name of readdirSync(folder))
    if (/^reference\.\w+\.(?:css|js)$/.test(name) && !pages.has(name)) rmSync(join(folder, name), { force: true })
  writeNote(noteFile, hashes)
}
