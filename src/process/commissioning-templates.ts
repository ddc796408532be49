// Templates of commissionings from files of the data directory.

import { join } from 'node:path'
import type { Logger } from 'pino'
import { commissioningTemplateOfFile } from '../api/areas/commissioning/template-file.js'
import type { CommissioningTemplate } from '../records/commissioning-template.js'
import { readJsonFiles } from './json-files.js'

/** Under the data directory. */
export const commissioningTemplateFolder = 'commissioning-templates'

export function readCommissioningTemplates(
  directory: string,
  log: Pick<Logger, 'warn'>,
): readonly CommissioningTemplate[] {
  const folder = {
    folder: join(directory, commissioningTemplateFolder),
    one: 'a commissioning template',
    many: 'commissioning templates',
    read: commissioningTemplateOfFile,
  }
  return readJsonFiles(folder, log)
}
