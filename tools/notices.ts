// What has to be said of what is passed on: whose it is, and under which terms.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const file = readdirSync(folder).find((one) => /^licen[sc]e/i.test(one))
  const terms = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  return `${name} ${version} (${license ?? 'see below'})\n${terms}`
}

/** `folders` are those of the packages. */
export function noticesOf(folders: readonly string[]): string {
  return folders.map(noticeOf).join(`\n${'-'.repeat(80)}\n\n`)
}
