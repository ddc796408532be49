// Templates of configurations from files of the data directory, read when a front starts. A file that cannot be used is named in the
// log, and left out: the service starts all the same.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import { limits } from '../api/areas/configuration/limits.js'
import { templateOfFile } from '../api/areas/configuration/template-file.js'
import type { SharedTemplate } from '../records/configuration-template.js'

/** Under the data directory. */
export const templateFolder = 'configuration-templates'
const ending = '.json'

export function readTemplateFiles(directory: string, log: Pick<Logger, 'warn'>): readonly SharedTemplate[] {
  const folder = join(directory, templateFolder)
  const names = namesIn(folder, log)
  if (names.length > limits.templateFiles)
    log.warn({ folder }, `only the first ${limits.templateFiles} configuration templates of the folder are used`)
  return names.slice(0, limits.templateFiles).flatMap((name) => {
    const file = join(folder, name)
    try {
      return [readTemplate(file)]
    } catch (error) {
      log.warn({ file, reason: (error as Error).message }, 'a configuration template cannot be used')
      return []
    }
  })
}

function namesIn(folder: string, log: Pick<Logger, 'warn'>): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ folder, reason: (error as Error).message }, 'configuration templates cannot be read')
    return []
  }
}

function readTemplate(file: string): SharedTemplate {
  const { size } = statSync(file)
  if (size > limits.templateFileBytes) throw new Error(`the file is larger than ${limits.templateFileBytes} bytes`)
  return templateOfFile(basename(file, ending), JSON.parse(readFileSync(file, 'utf8')))
}
