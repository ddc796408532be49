// The version of the program, from its package.

import { readFileSync } from 'node:fs'

const packageUrl = new URL('../../../package.json', import.meta.url)

export const version = (JSON.parse(readFileSync(packageUrl, 'utf8')) as { version: string }).version
