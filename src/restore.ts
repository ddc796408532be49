// `ampshard restore`: makes a backup the store of a data directory that no service uses.

import { backupCommand, describeBackup, runBackupCommand } from './backup/command.js'
import { restoreBackup } from './backup/restore-backup.js'

export async function restore(argv: readonly string[]): Promise<void> {
  const command = backupCommand('restore', 'where the backup is').option(
    '--force',
    'replace an existing store, which is kept beside it',
    false,
  )

  await runBackupCommand<{ data: string; force: boolean }>(command, argv, async ({ directory, data }, { force }) => {
    const { manifest, kept } = await restoreBackup({ directory, data, force })
    return [
      `restored ${directory} to ${data}`,
      ...describeBackup(manifest),
      ...(kept === undefined ? [] : [`  replaced  the store that was there is in ${kept}`]),
      '  note      what was changed after that time is as it was before: keys revoked since then are valid again',
      '  note      everybody has to sign in to the console again',
    ]
  })
}
