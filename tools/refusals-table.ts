// The manual's table of why connections are refused, made of their declarations.

import { refusalReasons } from '../src/edge/refusal-reasons.js'

export function refusalsTable(): string {
  const rows = Object.entries(refusalReasons).map(
    ([reason, { cause, remedy }]) => `| \`${reason}\` | ${cause} ${remedy} |`,
  )
  return ['| Reason | Meaning, and what to do |', '|---|---|', ...rows].join('\n')
}
