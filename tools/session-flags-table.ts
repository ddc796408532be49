// The manual's table of the flags of sessions, made of their declarations.

import { sessionFlagNames, sessionFlags } from '../src/records/session-flags.js'

export function sessionFlagsTable(): string {
  const rows = sessionFlagNames.map((flag) => `| \`${flag}\` | ${sessionFlags[flag]} |`)
  return ['| Flag | Meaning |', '|---|---|', ...rows].join('\n')
}
