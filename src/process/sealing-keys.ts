// The keys under which the service stores secrets that it has to be able to read again: a file beside the store, for its owner alone, and in no
// backup. Each line is a key. The first one seals; the others are there to read what was sealed with them.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { storePrivately } from '../runtime/files.js'
import { sealingKeyBytes } from '../runtime/sealing.js'

/** In the data directory. */
export const sealingKeyFile = 'sealing.key'

const line = /^[0-9a-f]{64}$/i

/** Makes the file where there is none. Throws one clear line where it is no file of keys. */
export function prepareSealingKeys(data: string): void {
  const file = join(data, sealingKeyFile)
  if (existsSync(file)) readSealingKeys(data)
  else storePrivately(file, `${randomBytes(sealingKeyBytes).toString('hex')}\n`)
}

export function readSealingKeys(data: string): readonly Buffer[] {
  const file = join(data, sealingKeyFile)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  if (lines.length === 0 || !lines.every((text) => line.test(text)))
    throw new Error(
      `${file} has something in it that is no key: each line is one of 64 hexadecimal digits; put back the file that was there before`,
    )
  return lines.map((text) => Buffer.from(text, 'hex'))
}
