// Which documents have parts that a program writes, and what it writes there.

import { alertsTable } from './alerts-table.js'
import { benchTable } from './bench-table.js'
import { configurationTable } from './configuration-table.js'
import { eventsTable } from './events-table.js'
import { withSection } from './marked-section.js'
import { plantedBugsTable } from './planted-bugs-table.js'
import { sessionFlagsTable } from './session-flags-table.js'

export interface WrittenTable {
  /** From the project's folder. */
  readonly file: string
  /** The document with the part as it should be. */
  write(text: string): string
}

/** The README's parts, by the marks around them. */
const readmeTables = {
  configuration: configurationTable,
  events: eventsTable,
  alerts: alertsTable,
  'session flags': sessionFlagsTable,
}

/** `root` is the folder of the project. */
export function writtenTables(root: string): readonly WrittenTable[] {
  return [
    {
      file: 'README.md',
      write: (text) =>
        Object.entries(readmeTables).reduce((written, [mark, table]) => withSection(written, mark, table()), text),
    },
    { file: 'bench/README.md', write: (text) => withSection(text, 'figures', benchTable(root)) },
    { file: 'test/simulation/README.md', write: (text) => withSection(text, 'planted bugs', plantedBugsTable()) },
  ]
}
