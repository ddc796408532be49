// npm run backup: a copy of the store of a data directory, with the service running or not.

import { backupCommand, describeBackup, runBackupCommand } from './backup/command.js'
import { takeBackup } from './backup/take-backup.js'

const command = backupCommand(
  'backup',
  'Copies the store, as it is at one moment, while the service runs or not.',
  'where the backup is made: a new or empty directory',
).option('--no-check', 'does not check the rows, lists and totals of the copy against each other')

await runBackupCommand<{ data: string; check: boolean }>(command, async ({ directory, data }, { check }) => {
  const manifest = await takeBackup({ directory, data, check })
  return [`backup of ${data} in ${directory}`, ...describeBackup(manifest)]
})
