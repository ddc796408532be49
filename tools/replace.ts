// How the build writes files. Several builds may run at once, also while the program runs: a file is there whole or not at all.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Calls `write` for a file beside `path`, which then takes its place. */
export function replace(path: string, write: (path: string) => void): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  write(temporary)
  renameSync(temporary, path)
}

export function writeText(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  replace(path, (path) => writeFileSync(path, text))
}
