// The manual's table of alerts, made of their declarations.

import type { Threshold } from '../src/alert-kinds/define-kind.js'
import { alertKindNames, alertKinds } from '../src/alert-kinds/index.js'

export function alertsTable(): string {
  const rows = alertKindNames.map((kind) => {
    const { severity, lasts, meaning, threshold } = alertKinds[kind]
    return `| \`${kind}\` | ${lasts ? severity : `${severity}, notice`} | ${meaning} | ${settingOf(threshold)} |`
  })
  return ['| Kind | Severity | Meaning | Threshold |', '|---|---|---|---|', ...rows].join('\n')
}

function settingOf(threshold: Threshold | undefined): string {
  if (threshold === undefined) return ''
  const { name, fallback, minimum, maximum } = threshold
  return `\`${name}\` ${fallback} (${minimum} to ${maximum})`
}
