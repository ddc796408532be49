// Templates of configurations from files of the data directory.

import { join } from 'node:path'
import type { Logger } from 'pino'
import { templateOfFile } from '../api/areas/configuration/template-file.js'
import type { SharedTemplate } from '../records/configuration-template.js'
import { readJsonFiles } from './json-files.js'

/** Under the data directory. */
export const templateFolder = 'configuration-templates'

export function readTemplateFiles(directory: string, log: Pick<Logger, 'warn'>): readonly SharedTemplate[] {
  const folder = {
    folder: join(directory, templateFolder),
    one: 'a configuration template',
    many: 'configuration templates',
    read: templateOfFile,
  }
  return readJsonFiles(folder, log)
}
