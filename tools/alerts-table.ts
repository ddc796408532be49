// The manual's table of alerts, made of their declarations.

import { alertKindNames, alertKinds, alertThresholds } from '../src/records/alert-kinds.js'

export function alertsTable(): string {
  const rows = alertKindNames.map((kind) => {
    const { severity, lasts, meaning, threshold } = alertKinds[kind]
    return `| \`${kind}\` | ${lasts ? severity : `${severity}, notice`} | ${meaning} | ${settingOf(threshold)} |`
  })
  return ['| Kind | Severity | Meaning | Threshold |', '|---|---|---|---|', ...rows].join('\n')
}

function settingOf(name: keyof typeof alertThresholds | undefined): string {
  if (name === undefined) return ''
  const { fallback, minimum, maximum } = alertThresholds[name]
  return `\`${name}\` ${fallback} (${minimum} to ${maximum})`
}
