// `ampshard backup`: a copy of the store of a data directory, with the service running or not.

import { backupCommand, describeBackup, runBackupCommand } from './backup/command.js'
import { takeBackup } from './backup/take-backup.js'

export async function backup(argv: readonly string[]): Promise<void> {
  const command = backupCommand('backup', 'where the backup is made: a new or empty directory').option(
    '--no-check',
    'skip checking the rows, lists and totals of the copy against each other',
  )

  await runBackupCommand<{ data: string; check: boolean }>(command, argv, async ({ directory, data }, { check }) => {
    const manifest = await takeBackup({ directory, data, check })
    return [`backup of ${data} in ${directory}`, ...describeBackup(manifest)]
  })
}
