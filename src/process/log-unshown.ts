// Tells the operator which characters of a document no font has: one line for a document, however often it is printed.

import { createRecentIds } from '../runtime/link/recent-ids.js'
import type { Settings } from '../settings.js'
import { createLog } from './log.js'

export interface Printed {
  readonly document: 'receipt' | 'invoice' | 'commissioning report'
  /** Absent where there is none. */
  readonly number?: string
  /** Of its session or its own: numbers are those of an issuer. */
  readonly id: string
}

const documentsRemembered = 1_000
const charactersNamed = 100
const told = createRecentIds<string>(documentsRemembered)

/** `ខ U+1781` */
function nameOf(character: string): string {
  return `${character} U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}

export function logUnshown({ document, number, id }: Printed, unshown: ReadonlySet<string>, settings: Settings): void {
  if (unshown.size === 0 || !told.add(`${document} ${id}`)) return
  const log = createLog({ level: settings.log_level, thread: 'jobs', terminal: process.stdout.isTTY })
  const characters = [...unshown].slice(0, charactersNamed).map(nameOf).join(', ')
  log.warn({ document, number, id, characters }, 'a document shows marks for characters that no font has')
}
