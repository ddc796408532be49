// The manual's table of why connections are refused, made of their declarations.

import { type ReasonWords, refusalReasons } from '../src/edge/refusal-reasons.js'

export function refusalsTable(): string {
  const rows = Object.entries<ReasonWords>(refusalReasons).map(
    ([reason, { cause, remedy, setting }]) => `| \`${reason}\` | ${[cause, remedy, setting ?? []].flat().join(' ')} |`,
  )
  return ['| Reason | Meaning, and what to do |', '|---|---|', ...rows].join('\n')
}
