// JSON files of the data directory, read when a front starts. A file that cannot be used is named in the log, and left out: the service starts
// all the same.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import { limits } from './limits.js'

export interface JsonFolder<Item> {
  readonly folder: string
  /** What is in one of them, with its article and in the plural. */
  readonly one: string
  readonly many: string
  /** `name`: that of the file without its ending. Throws one line that says what is wrong. */
  read(name: string, content: unknown): Item
}

const ending = '.json'

export function readJsonFiles<Item>(kind: JsonFolder<Item>, log: Pick<Logger, 'warn'>): readonly Item[] {
  const { folder, one, many } = kind
  const names = namesIn(folder, many, log)
  if (names.length > limits.jsonFiles)
    log.warn({ folder }, `only the first ${limits.jsonFiles} ${many} of the folder are used`)
  return names.slice(0, limits.jsonFiles).flatMap((name) => {
    const file = join(folder, name)
    try {
      const { size } = statSync(file)
      if (size > limits.jsonFileBytes) throw new Error(`the file is larger than ${limits.jsonFileBytes} bytes`)
      return [kind.read(basename(file, ending), JSON.parse(readFileSync(file, 'utf8')))]
    } catch (error) {
      log.warn({ file, reason: (error as Error).message }, `${one} cannot be used`)
      return []
    }
  })
}

function namesIn(folder: string, many: string, log: Pick<Logger, 'warn'>): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ folder, reason: (error as Error).message }, `${many} cannot be read`)
    return []
  }
}
