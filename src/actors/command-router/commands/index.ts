// The operator commands by name.

import type { OperatorCommand } from '../define-command.js'
import * as commands from './all.js'

export const operatorCommands: ReadonlyMap<string, OperatorCommand> = new Map(
  Object.values(commands).map((command) => [command.name, command]),
)
