// What the program does beside running the service: a command each, `ampshard <name>`. src/main.ts says where each is.

import { Command, InvalidArgumentError } from 'commander'
import { version } from './version.js'

/** What each does, as `--help` says it. */
export const commands = {
  backup: 'Copies the store, as it is at one moment, while the service runs or not.',
  restore: 'Makes a backup the store of a data directory. The service must be stopped.',
  'recover-key':
    'Makes a new API key with every scope for the organization that operates the installation. The service must be stopped.',
  simulate: 'Connects a fleet of simulated charge points to an ampshard server.',
  emsp: 'Plays a roaming partner (OCPI 2.2.1) beside a running service, and checks all that it is told.',
  load: 'Puts load on any OCPP 1.6-J central system, and measures it from the charge points.',
} as const

/** Variables that are no settings: of the commands, which share the service's environment, and of the tests. */
export const variablesOfTools: readonly string[] = [
  'AMPSHARD_API_KEY',
  'AMPSHARD_INSTALLER_TOKEN',
  'AMPSHARD_EMSP_TOKEN',
  'AMPSHARD_LOAD_PASSWORD',
  'AMPSHARD_FAULTS',
]

export type CommandName = keyof typeof commands

/** The parser of an option that is a whole number. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < least)
      throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`)
    return value
  }
}

/** The command line of a command, without what is its own. */
export function newCommand(name: CommandName): Command {
  return new Command('ampshard')
    .command(name)
    .version(version, '--version', 'print the version')
    .description(commands[name])
}
