// Reads settings from flags and environment variables, both derived from one TypeBox schema. A wrong value is one clear line.

import { Ajv } from 'ajv'
import { Command, Option } from 'commander'
import type { TObject } from 'typebox'
import { faultWords, meaningKeyword } from './fault-words.js'
import { oneLine } from './one-line.js'
import { SettingsError } from './settings-error.js'

interface SettingSchema {
  readonly type?: string
  readonly description?: string
  readonly default?: string | number | boolean
  readonly secret?: boolean
  readonly enum?: readonly string[]
  /** Set where the values are too many to list. */
  readonly [meaningKeyword]?: string
  /** Names that it had before: still read, as flag and variable, where it is not given under its own. */
  readonly formerNames?: readonly string[]
}

export interface ReadSettingsOptions {
  readonly program: string
  readonly description: string
  /** Environment variables are this, an underscore, and the setting's name in capitals. */
  readonly environmentPrefix: string
  readonly arguments: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** What the program does beside what the settings are for, by name: `--help` lists it. */
  readonly commands?: Readonly<Record<string, string>>
  /** What `--version` prints. */
  readonly version: string
  /** A setting was given by a name that it had before, as a flag or a variable. */
  readonly onFormerName?: (given: string, instead: string) => void
  /** A secret was given as a flag, which every user of the machine may read in its list of processes. */
  readonly onVisibleSecret?: (flag: string, variable: string) => void
}

/** `frames_per_second` is `--frames-per-second` and `PREFIX_FRAMES_PER_SECOND`. */
export function readSettings<Settings>(schema: TObject, options: ReadSettingsOptions): Settings {
  const properties = schema.properties as Record<string, SettingSchema>
  const command = new Command(options.program)
    .description(options.description)
    .version(options.version, '--version', 'print the version')
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError(false)
    .configureOutput({ writeErr: () => {} })
    .addHelpText(
      'after',
      `\nEvery option can also be set as ${options.environmentPrefix}_<NAME>; a flag wins over the variable.`,
    )
  for (const [name, setting] of Object.entries(properties)) {
    command.addOption(optionOf(name, setting, variableOf(name, options)))
    for (const former of setting.formerNames ?? [])
      command.addOption(optionOf(former, setting, variableOf(former, options)).hideHelp())
  }
  for (const [name, description] of Object.entries(options.commands ?? {}))
    command
      .command(name)
      .description(description)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => command.error(`the command goes first: ${options.program} ${name}`))
  command.helpCommand(false).action(() => {})
  try {
    command.parse(options.arguments, { from: 'user' })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === 'commander.helpDisplayed' || code === 'commander.version') process.exit(0)
    throw new SettingsError(shownMessage(message))
  }
  const given: Record<string, unknown> = {}
  /** Where each of them was given. */
  const places: Record<string, string> = {}
  for (const [name, { formerNames = [], secret = false }] of Object.entries(properties)) {
    const names = [name, ...formerNames]
    if (secret && flagValue(command, name) !== undefined)
      options.onVisibleSecret?.(flagOf(name), variableOf(name, options))
    const sources = [
      ...names.map((one) => ({ one, source: flagOf(one), value: flagValue(command, one) })),
      ...names.map((one) => ({
        one,
        source: variableOf(one, options),
        value: options.environment[variableOf(one, options)],
      })),
    ]
    const first = sources.find(({ value }) => value !== undefined)
    if (first !== undefined) {
      given[name] = first.value
      places[name] = first.source
    }
    for (const { one, source, value } of sources)
      if (one !== name && value !== undefined)
        options.onFormerName?.(source, source.startsWith('--') ? flagOf(name) : variableOf(name, options))
  }
  return validated(schema, given, places, properties)
}

/** What the command line says of a setting; undefined where it says nothing. */
function flagValue(command: Command, name: string): unknown {
  const option = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return command.getOptionValueSource(option) === 'cli' ? command.getOptionValue(option) : undefined
}

/** Variables with the prefix that no setting reads: a misspelt one would otherwise be ignored in silence. */
export function unknownVariables(
  schema: TObject,
  options: Pick<ReadSettingsOptions, 'environmentPrefix' | 'environment'>,
): readonly string[] {
  const names = Object.entries(schema.properties as Record<string, SettingSchema>).flatMap(
    ([name, { formerNames = [] }]) => [name, ...formerNames],
  )
  const known = new Set(names.map((name) => variableOf(name, options)))
  return Object.keys(options.environment).filter(
    (name) => name.startsWith(`${options.environmentPrefix}_`) && !known.has(name),
  )
}

function variableOf(name: string, { environmentPrefix }: Pick<ReadSettingsOptions, 'environmentPrefix'>): string {
  return `${environmentPrefix}_${name.toUpperCase()}`
}

/** One line; what stands behind the `=` of a misspelt option may be a secret. */
function shownMessage(message: string): string {
  return oneLine(message.replace(/^error: /, '').replace(/(unknown option '[^'=]*)=.*'/s, "$1'"))
}

function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}

function optionOf(name: string, setting: SettingSchema, variable: string): Option {
  const value = setting.type === 'boolean' ? '[boolean]' : `<${placeholderOf(setting)}>`
  const option = new Option(`${flagOf(name)} ${value}`, setting.description ?? '').env(variable)
  if (setting.default !== undefined) option.default(setting.default)
  return setting.type === 'boolean' ? option.preset('true') : option
}

function placeholderOf({ type = 'value', enum: choices, [meaningKeyword]: meaning }: SettingSchema): string {
  if (choices !== undefined && meaning === undefined) return choices.join('|')
  return type === 'string' ? 'text' : type
}

function validated<Settings>(
  schema: TObject,
  given: Record<string, unknown>,
  places: Record<string, string>,
  properties: Record<string, SettingSchema>,
): Settings {
  for (const [name, value] of Object.entries(given)) {
    const fault = faultOfText(value, properties[name])
    if (fault !== undefined) throw refusalOf(places[name] ?? flagOf(name), fault, value, properties[name])
  }
  // A start compiles the schemas of the few settings that are given: to compile them all, or the schema of schemas, takes longer than the rest
  // of this.
  const ofGiven = Object.fromEntries(Object.keys(given).map((name) => [name, properties[name]]))
  const unchecked = { meta: false, validateSchema: false } as const
  const ajv = new Ajv({ coerceTypes: true, strict: false, verbose: true, ...unchecked })
  const check = ajv.compile({ ...schema, properties: ofGiven })
  const values = { ...defaultsOf(properties), ...given }
  if (check(values)) return values as Settings
  const first = check.errors?.[0]
  const name = first?.instancePath.slice(1) ?? ''
  throw refusalOf(
    places[name] ?? flagOf(name),
    first == null ? 'is wrong' : faultWords(first),
    values[name],
    properties[name],
  )
}

function defaultsOf(properties: Record<string, SettingSchema>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, setting]) =>
      setting.default === undefined ? [] : [[name, setting.default]],
    ),
  )
}

/**
 * What the schema would let pass: an empty value, which a variable has that was meant to be filled in, so that nobody knows what it means;
 * text that would make more than one line of a log line or of a message; and other notations of numbers.
 */
function faultOfText(value: unknown, setting: SettingSchema | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  if (setting?.type === 'integer') return /^-?\d+$/.test(value) ? undefined : 'must be a whole number'
  if (setting?.type !== 'string') return undefined
  if (value.trim() === '') return 'must not be empty: leave it out, or give it a value'
  return /\p{Cc}/u.test(value) ? 'must not contain control characters' : undefined
}

function refusalOf(place: string, fault: string, value: unknown, setting: SettingSchema | undefined): SettingsError {
  const shown = setting?.secret || value === undefined || value === '' ? '' : ` (it is ${JSON.stringify(value)})`
  return new SettingsError(`${place} ${fault}${shown}`)
}
