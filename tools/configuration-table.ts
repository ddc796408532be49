// The README's configuration table, made of the settings' schema, and its place in the README.
// It changes text; reading and writing files is its callers'.

import { settingsSchema } from '../src/settings.js'

interface Setting {
  readonly description: string
  readonly default?: string | number | boolean
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

const begin = '<!-- configuration: begin -->'
const end = '<!-- configuration: end -->'

export function configurationTable(): string {
  const properties = settingsSchema.properties as unknown as Readonly<Record<string, Setting>>
  const rows = Object.entries(properties).map(([name, setting]) => {
    const flag = `\`--${name.replaceAll('_', '-')}\``
    const variable = `\`AMPSHARD_${name.toUpperCase()}\``
    const fallback = setting.default === undefined ? '' : `\`${setting.default}\``
    return `| ${flag} | ${variable} | ${fallback} | ${setting.description}${valuesOf(setting)} |`
  })
  return ['| Flag | Variable | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function valuesOf(setting: Setting): string {
  if (setting.enum !== undefined) return ` (${setting.enum.join(', ')})`
  const { minimum, maximum } = setting
  if (minimum === undefined) return ''
  return maximum === undefined ? ` (${minimum} or more)` : ` (${minimum} to ${maximum})`
}

/** The text with the table between its marks; throws when the marks are missing. */
export function withConfigurationTable(readme: string): string {
  const from = readme.indexOf(begin)
  const to = readme.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the README has no place for the table: ${begin} and ${end}`)
  return `${readme.slice(0, from + begin.length)}\n${configurationTable()}\n${readme.slice(to)}`
}
