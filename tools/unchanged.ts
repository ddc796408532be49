// What a step of the build was made of the last time: a step whose inputs are the same has nothing to do.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeText } from './replace.js'

export function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

/** The hash of all sources that the program and the build are made of. */
export const programHash = (): string =>
  hashOf([...filesUnder('src'), ...filesUnder('tools')].filter((path) => path.endsWith('.ts')))

export function filesUnder(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Hashes of inputs by what was made of them, as the file `note` has them. */
export function readNote(note: string): Readonly<Record<string, string>> {
  return existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {}
}

export function writeNote(note: string, hashes: Readonly<Record<string, string>>): void {
  writeText(note, `${JSON.stringify(hashes)}\n`)
}
