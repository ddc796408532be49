// Which documents have parts that a program writes, and what it writes there.

import { alertsTable } from './alerts-table.js'
import { benchTable } from './bench-table.js'
import { configurationTable } from './configuration-table.js'
import { withSection } from './marked-section.js'

export interface WrittenTable {
  /** From the project's folder. */
  readonly file: string
  /** The document with the part as it should be. */
  write(text: string): string
}

/** `root` is the folder of the project. */
export function writtenTables(root: string): readonly WrittenTable[] {
  return [
    {
      file: 'README.md',
      write: (text) => withSection(withSection(text, 'configuration', configurationTable()), 'alerts', alertsTable()),
    },
    { file: 'bench/README.md', write: (text) => withSection(text, 'figures', benchTable(root)) },
  ]
}
