// Settings as the main thread of a start reads and checks them, for what a start refuses: a process for each takes a quarter of a second.

import { checkTlsFiles } from '../../src/process/tls-files.js'
import { readSettings } from '../../src/runtime/config.js'
import { type Settings, settingsSchema } from '../../src/settings.js'

const program = { program: 'ampshard', description: '', version: '', environmentPrefix: 'AMPSHARD', environment: {} }

/** Throws what a start says of flags that it refuses. */
export function checkFlags(flags: readonly string[]): void {
  checkTlsFiles(readSettings<Settings>(settingsSchema, { ...program, arguments: flags }))
}
