// The manual's table of settings, made of the settings' schema.

import { meaningKeyword } from '../src/runtime/fault-words.js'
import { settingsSchema } from '../src/settings.js'

interface Setting {
  readonly description: string
  readonly default?: string | number | boolean
  readonly enum?: readonly string[]
  readonly [meaningKeyword]?: string
  readonly minimum?: number
  readonly maximum?: number
}

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
  if (setting.enum !== undefined && setting[meaningKeyword] === undefined)
    return ` One of ${setting.enum.map((value) => `\`${value}\``).join(', ')}.`
  const { minimum, maximum } = setting
  if (minimum === undefined) return ''
  return maximum === undefined ? ` At least ${minimum}.` : ` From ${minimum} to ${maximum}.`
}
