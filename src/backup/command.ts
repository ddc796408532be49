// What backup and restore share: their directory beside that of the data, a low priority, and how they describe a backup.

import { constants, setPriority } from 'node:os'
import type { Command } from 'commander'
import type { CommandName } from '../process/commands.js'
import { dataCommand, place, runDataCommand } from '../process/data-command.js'
import type { Manifest } from './manifest.js'

/** A command with one directory and `--data`. */
export function backupCommand(name: CommandName, directory: string): Command {
  return dataCommand(name).argument('<directory>', directory)
}

export interface Places {
  /** Absolute. */
  readonly directory: string
  readonly data: string
}

export async function runBackupCommand<Options extends { readonly data: string }>(
  command: Command,
  argv: readonly string[],
  run: (places: Places, options: Options) => Promise<string[]>,
): Promise<void> {
  await runDataCommand<Options>(command, argv, async (data, options) => {
    // Charge points come first.
    setPriority(constants.priority.PRIORITY_LOW)
    return run({ directory: place('<directory>', command.args[0]), data }, options)
  })
}

export function describeBackup(manifest: Manifest): string[] {
  const { taken_at, version, schema_version, bytes, rows, authorities = [], checked } = manifest
  const count = Object.values(rows).reduce((sum, number) => sum + number, 0)
  return [
    `  taken at  ${taken_at}, by ampshard ${version}, schema version ${schema_version}`,
    `  size      ${(bytes / 1_048_576).toFixed(1)} MiB, ${count} rows${checked ? ', checked' : ''}`,
    ...(authorities.length === 0 ? [] : [`  and       ${authorities.length} of the authority's files, with its key`]),
  ]
}
