#!/usr/bin/env node
// The program: `ampshard` runs the service, `ampshard <command>` does something beside it. Each is loaded when it is asked for.

import { type CommandName, commands } from './process/commands.js'
import { oneLine } from './runtime/one-line.js'

type Program = (argv: readonly string[]) => Promise<void>

const programs: Readonly<Record<CommandName, () => Promise<Program>>> = {
  backup: async () => (await import('./backup.js')).backup,
  restore: async () => (await import('./restore.js')).restore,
  'recover-key': async () => (await import('./recover-key.js')).recoverKey,
  simulate: async () => (await import('../bench/simulate.js')).simulate,
  emsp: async () => (await import('../bench/emsp/main.js')).emsp,
  load: async () => (await import('../bench/load/main.js')).load,
}

async function programOf(name: string | undefined): Promise<Program> {
  if (name === undefined || name.startsWith('-')) return (await import('./process/run-service.js')).runService
  if (Object.hasOwn(commands, name)) return programs[name as CommandName]()
  process.stderr.write(`ampshard: there is no command '${oneLine(name)}': ampshard --help lists the commands\n`)
  process.exit(1)
}

const argv = process.argv.slice(2)
const [name] = argv
void programOf(name).then((program) =>
  program(name !== undefined && Object.hasOwn(commands, name) ? argv.slice(1) : argv),
)
