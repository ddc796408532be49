// What commands on a data directory share: `--data` as the service has it, and one line for whatever goes wrong.

import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { oneLine } from '../runtime/one-line.js'
import { settingsSchema } from '../settings.js'
import { type CommandName, newCommand } from './commands.js'

/** A command with `--data`. */
export function dataCommand(name: CommandName): Command {
  const { default: usual } = settingsSchema.properties.data as { readonly default?: string }
  return newCommand(name)
    .addOption(new Option('--data <directory>', 'data directory').env('AMPSHARD_DATA').default(usual))
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)) })
}

/** Runs a command to its end, and prints the lines that it returns: with 1 and one line when something is wrong. */
export async function runDataCommand<Options extends { readonly data: string }>(
  command: Command,
  argv: readonly string[],
  run: (data: string, options: Options) => Promise<readonly string[]>,
): Promise<void> {
  command.parse(argv, { from: 'user' })
  const options = command.opts<Options>()
  process.umask(0o077)
  try {
    process.stdout.write(`${(await run(place('--data', options.data), options)).join('\n')}\n`)
  } catch (error) {
    process.stderr.write(`${command.name()}: ${oneLine(error instanceof Error ? error.message : String(error))}\n`)
    process.exit(1)
  }
}

/** A path that was given, made absolute. Empty, it would be the working directory. */
export function place(name: string, given = ''): string {
  if (given.trim() === '') throw new Error(`${name} must not be empty`)
  return resolve(given)
}
