// Which documents have parts that a program writes, and what it writes there; and the recorded shape of the API, which is one as a whole.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiRoutes } from '../src/api/areas/index.js'
import { guideOf } from '../src/api/openapi/guide.js'
import { alertsTable } from './alerts-table.js'
import { benchTable } from './bench-table.js'
import { configurationTable } from './configuration-table.js'
import { eventsTable } from './events-table.js'
import { withSection } from './marked-section.js'
import { openApiShape } from './openapi-shape.js'
import { plantedBugsTable } from './planted-bugs-table.js'
import { refusalsTable } from './refusals-table.js'
import { sessionFlagsTable } from './session-flags-table.js'

export interface WrittenTable {
  /** From the project's folder. */
  readonly file: string
  /** The document with the part as it should be. */
  write(text: string): string
}

/** The README's list of the manual's pages, which is that of the manual's first page. */
function manualPages(root: string): string {
  const lines = readFileSync(join(root, 'src/docs/manual.md'), 'utf8').match(/^- \[.*$/gm) ?? []
  return lines.join('\n').replaceAll('](', '](src/docs/')
}

/** `root` is the folder of the project. */
export function writtenTables(root: string): readonly WrittenTable[] {
  return [
    { file: 'README.md', write: (text) => withSection(text, 'manual', manualPages(root)) },
    { file: 'src/docs/settings.md', write: (text) => withSection(text, 'configuration', configurationTable()) },
    { file: 'src/docs/integrating.md', write: (text) => withSection(text, 'guide', guideOf(apiRoutes()).trim()) },
    { file: 'src/docs/events.md', write: (text) => withSection(text, 'events', eventsTable()) },
    { file: 'src/docs/alerts.md', write: (text) => withSection(text, 'alerts', alertsTable()) },
    { file: 'src/docs/charge-points.md', write: (text) => withSection(text, 'refusals', refusalsTable()) },
    { file: 'src/docs/sessions.md', write: (text) => withSection(text, 'session flags', sessionFlagsTable()) },
    { file: 'bench/README.md', write: (text) => withSection(text, 'figures', benchTable(root)) },
    { file: 'test/api/openapi-shape.txt', write: () => openApiShape(apiRoutes()) },
    { file: 'test/simulation/README.md', write: (text) => withSection(text, 'planted bugs', plantedBugsTable()) },
  ]
}
