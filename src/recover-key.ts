// `ampshard recover-key`: a new API key for whoever operates the installation and has lost the last one. Whoever may write to the data
// directory could change each of its rows anyway.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { recoveryChanges } from './api/areas/organizations/bootstrap.js'
import { dataCommand, runDataCommand } from './process/data-command.js'
import { prepareData } from './process/data-directory.js'
import { schemaVersion, tables } from './records/index.js'
import { migrations } from './records/migrations/index.js'
import { systemClock } from './runtime/clock.js'
import { makeId } from './runtime/ids.js'
import { openWriter, storeFile } from './runtime/store/lmdb-store.js'
import { unowned } from './runtime/store/store.js'

export async function recoverKey(argv: readonly string[]): Promise<void> {
  await runDataCommand(dataCommand('recover-key'), argv, async (data) => {
    if (!existsSync(join(data, storeFile))) throw new Error(`there is no store at ${data}`)
    // Refused while a service has it.
    await prepareData(data)
    const store = openWriter(data, tables, { schemaVersion, migrations })
    try {
      const now = systemClock.now()
      const made = recoveryChanges(store.view(), now, (prefix) => makeId(prefix, now, Math.random), randomBytes)
      if (made === undefined) throw new Error(`the store at ${data} has no organization yet: start the service`)
      const committed = await store.commit(unowned(made.changes))
      if (!committed.ok) throw new Error(`the store at ${data} cannot be written: ${committed.reason}`)
      return [
        `a new API key with every scope, for the organization ${made.organizationId}`,
        `  API key  ${made.key}`,
        '           It is shown this once. Keep it: only its hash is stored.',
        `  key id   ${made.keyId}`,
        '  note     the keys that were there are still valid: delete those that somebody else may have',
      ]
    } finally {
      await store.close()
    }
  })
}
