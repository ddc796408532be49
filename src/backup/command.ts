// What the two programs share: options as the service has them, one line for whatever goes wrong, and sizes to read.

import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type CommandName, newCommand } from '../process/commands.js'
import { oneLine } from '../runtime/one-line.js'
import { settingsSchema } from '../settings.js'
import type { Manifest } from './manifest.js'

/** A command with one directory and `--data`. */
export function backupCommand(name: CommandName, directory: string): Command {
  const { default: usual } = settingsSchema.properties.data as { readonly default?: string }
  return newCommand(name)
    .argument('<directory>', directory)
    .addOption(new Option('--data <directory>', 'data directory').env('AMPSHARD_DATA').default(usual))
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)) })
}

export interface Places {
  /** Absolute. */
  readonly directory: string
  readonly data: string
}

/** Runs a command to its end: with 1 and one line when something is wrong. */
export async function runBackupCommand<Options extends { readonly data: string }>(
  command: Command,
  argv: readonly string[],
  run: (places: Places, options: Options) => Promise<string[]>,
): Promise<void> {
  command.parse(argv, { from: 'user' })
  const options = command.opts<Options>()
  process.umask(0o077)
  // Charge points come first.
  setPriority(constants.priority.PRIORITY_LOW)
  try {
    const places = { directory: place('<directory>', command.args[0]), data: place('--data', options.data) }
    process.stdout.write(`${(await run(places, options)).join('\n')}\n`)
  } catch (error) {
    process.stderr.write(`${command.name()}: ${oneLine(error instanceof Error ? error.message : String(error))}\n`)
    process.exit(1)
  }
}

/** Empty, it would be the working directory. */
function place(name: string, given = ''): string {
  if (given.trim() === '') throw new Error(`${name} must not be empty`)
  return resolve(given)
}

export function describeBackup({ taken_at, version, schema_version, bytes, rows, checked }: Manifest): string[] {
  const count = Object.values(rows).reduce((sum, number) => sum + number, 0)
  return [
    `  taken at  ${taken_at}, by ampshard ${version}, schema version ${schema_version}`,
    `  size      ${(bytes / 1_048_576).toFixed(1)} MiB, ${count} rows${checked ? ', checked' : ''}`,
  ]
}
