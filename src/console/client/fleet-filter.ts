// The language of the filter: `status:faulted model:K300 city:Leipzig power>50 fw:<4.2 offline>15m alert:open` and free text. All of its words have to hold; what stands before a
// minus must not. A text becomes a function over the columns, which looks at dictionaries once and not at each charge point.

import { type FleetStore, flags, fleetStates, letterStates } from './fleet-store.js'

export type Predicate = (row: number) => boolean

export interface Filter {
  readonly matches: Predicate
  /** Words that mean nothing, as they were written. */
  readonly unknown: readonly string[]
}

interface Term {
  readonly text: string
  readonly isNot: boolean
  /** Empty for free text. */
  readonly field: string
  readonly sign: ':' | '>' | '<' | ''
  readonly value: string
}

/** The words of a text; what stands in quotation marks is one. */
export function termsOf(text: string): readonly Term[] {
  return [...text.matchAll(/-?(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g)].map(([word]) => {
    const isNot = word.length > 1 && word.startsWith('-')
    const [, field = '', sign = '', value = ''] = /^([a-z_]+)([:<>])(.*)$/i.exec(isNot ? word.slice(1) : word) ?? []
    return {
      text: word,
      isNot,
      field: field.toLowerCase(),
      sign: sign as Term['sign'],
      value: unquoted(field === '' ? (isNot ? word.slice(1) : word) : value),
    }
  })
}

function unquoted(text: string): string {
  return text.replace(/"((?:[^"\\]|\\.)*)"/g, (_, inside: string) => inside.replace(/\\(.)/g, '$1'))
}

const nothing: Predicate = () => false
const everything: Predicate = () => true

/** Words for states that are not those of OCPP. */
const stateWords: Readonly<Record<string, readonly string[]>> = {
  occupied: ['Preparing', 'Finishing', 'Reserved'],
  held: ['SuspendedEV', 'SuspendedEVSE'],
  online: fleetStates.filter((state) => state !== 'Offline'),
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '')

/** Whether an index is among those whose value holds. */
function among<Value>(all: readonly Value[], holds: (value: Value) => boolean): Uint8Array {
  return Uint8Array.from(all, (value) => (holds(value) ? 1 : 0))
}

const secondsOf = (text: string): number | undefined => {
  const [, count, unit = 'm'] = /^(\d+(?:\.\d+)?)(s|m|min|h|d)?$/i.exec(text) ?? []
  const sizes: Record<string, number> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400 }
  return count === undefined ? undefined : Number(count) * (sizes[unit.toLowerCase()] ?? 60)
}

/** 4.10 is after 4.9. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.split(/[^0-9a-z]+/i).filter((part) => part !== '')) as [
    string[],
    string[],
  ]
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [x = '0', y = '0'] = [a[at], b[at]]
    const difference = Number(x) - Number(y)
    if (Number.isNaN(difference) ? x !== y : difference !== 0)
      return Number.isNaN(difference) ? (x < y ? -1 : 1) : difference
  }
  return 0
}

/** Case does not matter; `*` stands for anything. */
function matcher(value: string): (text: string) => boolean {
  const wanted = value.toLowerCase()
  if (!wanted.includes('*')) return (text) => text.toLowerCase() === wanted
  const pattern = new RegExp(
    `^${wanted
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )
  return (text) => pattern.test(text.toLowerCase())
}

/** Several values, of which any may hold, stand with commas between them. */
function anyOf(value: string): (text: string) => boolean {
  const matchers = value.split(',').map(matcher)
  return (text) => matchers.some((matches) => matches(text))
}

function comparison(
  { sign, value }: Term,
  amountOf: (row: number) => number,
  read: (text: string) => number = Number,
): Predicate | undefined {
  const bound = read(value)
  if (Number.isNaN(bound) || sign === ':' || sign === '') return undefined
  return sign === '>' ? (row) => amountOf(row) > bound : (row) => amountOf(row) < bound
}

/** Whether a text, in small letters, is a part of the name or address of a charge point, or of its site. */
function standsAt(text: string, { site, sites, address, addresses, names }: FleetStore): Predicate {
  const has = (one: string): boolean => one.toLowerCase().includes(text)
  const atSite = among(sites.all, ({ name, address }) => has(`${name} ${address}`))
  const atAddress = among(addresses.all, has)
  return (row) =>
    atSite[site[row] as number] === 1 ||
    atAddress[address[row] as number] === 1 ||
    names[row]?.toLowerCase().includes(text) === true
}

type Field = (term: Term, store: FleetStore, now: number) => Predicate | undefined

const duration =
  (secondsAgo: (store: FleetStore, row: number, now: number) => number | undefined): Field =>
  (term, store, now) =>
    comparison(
      term,
      (row) => secondsAgo(store, row, now) ?? -1,
      (text) => secondsOf(text) ?? Number.NaN,
    )

const offlineIndex = fleetStates.indexOf('Offline')

const heardAgo = duration(({ seen }, row, now) => (seen[row] === 0 ? undefined : now - (seen[row] as number)))

export const fields: Readonly<Record<string, { readonly about: string; readonly filter: Field }>> = {
  status: {
    about: 'the state: faulted, offline, charging, held …',
    filter({ value }, { state }) {
      const names = value.split(',').flatMap((one) => stateWords[plain(one)] ?? [one])
      const wanted = among(fleetStates, (name) => names.some((one) => plain(one) === plain(name)))
      return wanted.includes(1) ? (row) => wanted[state[row] as number] === 1 : undefined
    },
  },
  connector: {
    about: 'any connector in a state',
    filter({ value }, { connectors }) {
      const letters = Object.entries(letterStates).filter(([, name]) =>
        value.split(',').some((one) => plain(one) === plain(name)),
      )
      return letters.length === 0 ? undefined : (row) => letters.some(([letter]) => connectors[row]?.includes(letter))
    },
  },
  error: {
    about: 'the error code of a fault',
    filter({ value }, { error, texts }) {
      const wanted = among(texts.all, anyOf(value))
      return (row) => wanted[error[row] as number] === 1
    },
  },
  model: {
    about: 'the model, or vendor and model',
    filter({ value }, { model, models }) {
      const matches = anyOf(value)
      const wanted = among(models.all, (one) => matches(one.model) || matches(`${one.vendor} ${one.model}`))
      return (row) => wanted[model[row] as number] === 1
    },
  },
  vendor: {
    about: 'who made it',
    filter({ value }, { model, models }) {
      const matches = anyOf(value)
      const wanted = among(models.all, (one) => matches(one.vendor))
      return (row) => wanted[model[row] as number] === 1
    },
  },
  fw: {
    about: 'the firmware: fw:4.2, fw:<4.2, fw:none',
    filter(term, { firmware, texts }) {
      const [, sign = term.sign, version = ''] = /^([<>]?)(.*)$/.exec(term.value) ?? []
      const order = sign === '' ? term.sign : sign
      // Of a charge point that has named none.
      if (term.value === 'none') return (row) => firmware[row] === -1
      const matches = anyOf(version)
      const holds = (text: string): boolean =>
        order === '<'
          ? compareVersions(text, version) < 0
          : order === '>'
            ? compareVersions(text, version) > 0
            : matches(text)
      const wanted = among(texts.all, holds)
      return (row) => wanted[firmware[row] as number] === 1
    },
  },
  site: {
    about: 'the site, by its name',
    filter({ value }, { site, sites }) {
      const matches = anyOf(value)
      const wanted = among(sites.all, ({ name, site_id }) => matches(name) || matches(site_id))
      return value === 'none' ? (row) => site[row] === -1 : (row) => wanted[site[row] as number] === 1
    },
  },
  city: {
    about: 'a part of its address or name, or of those of its site',
    filter: ({ value }, store) => standsAt(value.toLowerCase(), store),
  },
  id: {
    about: 'one or several ids',
    filter({ value }, { ids }) {
      const matches = anyOf(value)
      return (row) => matches(ids[row] ?? '')
    },
  },
  power: {
    about: 'kW: power>50',
    filter: (term, { power }) => comparison(term, (row) => (power[row] as number) / 1_000),
  },
  connectors: {
    about: 'how many connectors: connectors>1',
    filter: (term, { connectors }) => comparison(term, (row) => connectors[row]?.length ?? 0),
  },
  offline: {
    about: 'for how long: offline>15m',
    filter: duration(({ state, since }, row, now) =>
      state[row] === offlineIndex && since[row] !== 0 ? now - (since[row] as number) : undefined,
    ),
  },
  for: {
    about: 'how long in its state: for>2h',
    filter: duration(({ since }, row, now) => (since[row] === 0 ? undefined : now - (since[row] as number))),
  },
  seen: {
    about: 'how long ago it was heard: seen>1d, seen:never',
    filter: (term, store, now) =>
      term.value === 'never' ? (row) => store.seen[row] === 0 : heardAgo(term, store, now),
  },
  since: {
    about: 'in its state since a time, or between two',
    filter({ value }, { since }) {
      const [from, to] = value.split('..').map((text) => Date.parse(text) / 1_000)
      if (from === undefined || Number.isNaN(from) || Number.isNaN(to ?? 0)) return undefined
      return (row) =>
        (since[row] as number) >= Math.floor(from) && (to === undefined || (since[row] as number) <= Math.ceil(to))
    },
  },
  alert: {
    about: 'alert:open',
    filter: ({ value }, { alerts }) =>
      value === 'open' ? (row) => alerts[row] !== 0 : value === 'none' ? (row) => alerts[row] === 0 : undefined,
  },
  flag: {
    about: `${Object.keys(flags).join(', ')}`,
    filter({ value }, store) {
      const bits: number[] = value.split(',').map((name) => flags[name as keyof typeof flags] ?? 0)
      const wanted = bits.reduce<number>((sum, bit) => sum | bit, 0)
      return bits.includes(0) ? undefined : (row) => ((store.flags[row] as number) & wanted) !== 0
    },
  },
}

const sameAs: Readonly<Record<string, string>> = { firmware: 'fw', state: 'status', place: 'city' }

/** Looks for a part of the id, or of what says where it is. */
function freeText(value: string, store: FleetStore): Predicate {
  const text = value.toLowerCase()
  const isThere = standsAt(text, store)
  return (row) => store.ids[row]?.toLowerCase().includes(text) === true || isThere(row)
}

function predicateOf(term: Term, store: FleetStore, now: number): Predicate | undefined {
  if (term.field === '') return freeText(term.value, store)
  const field = fields[sameAs[term.field] ?? term.field]
  // While somebody writes, a word that is not finished takes nothing away.
  return term.value === '' ? everything : field?.filter(term, store, now)
}

/** `now`: seconds since 1970. */
export function filterOf(text: string, store: FleetStore, now: number = Date.now() / 1_000): Filter {
  const unknown: string[] = []
  const predicates = termsOf(text).map((term) => {
    const found = predicateOf(term, store, now)
    if (found === undefined) {
      unknown.push(term.text)
      return nothing
    }
    return term.isNot ? (row: number) => !found(row) : found
  })
  const [first, second] = predicates
  if (first === undefined) return { matches: everything, unknown }
  if (second === undefined) return { matches: first, unknown }
  return { matches: (row) => predicates.every((holds) => holds(row)), unknown }
}

/** The word that finds a value. What separates values in it stands for anything. */
export function termFor(field: string, value: string): string {
  const text = value.replaceAll(',', '*')
  return `${field}:${/[\s"\\]/.test(text) ? JSON.stringify(text) : text}`
}

/** What may follow what has been written, for the last of its words. */
export function proposals(
  text: string,
  store: FleetStore,
): readonly { readonly value: string; readonly about: string }[] {
  const [, before = '', word = ''] = /^(.*?)(\S*)$/s.exec(text) ?? []
  const [, field = '', typed = ''] = /^-?([a-z_]+):(.*)$/i.exec(word) ?? []
  if (field === '') {
    if (word === '') return []
    return Object.entries(fields)
      .filter(([name]) => name.startsWith(word.toLowerCase()))
      .map(([name, { about }]) => ({
        value: `${before}${name}${/[<>]\d/.test(about) && name !== 'fw' ? '>' : ':'}`,
        about,
      }))
  }
  const wanted = typed.replaceAll('"', '').toLowerCase()
  const count = new Map<string, number>()
  const values = valuesOf(field.toLowerCase(), store)
  for (const value of values) if (value.toLowerCase().includes(wanted)) count.set(value, (count.get(value) ?? 0) + 1)
  return [...count.keys()].slice(0, 8).map((value) => ({
    value: `${before}${termFor(field, value)} `,
    about: '',
  }))
}

function valuesOf(field: string, { sites, models, texts, error, firmware, end }: FleetStore): readonly string[] {
  const used = (column: Int32Array): string[] =>
    [...new Set(column.subarray(0, end))].flatMap((at) => (at === -1 ? [] : [texts.all[at] as string])).sort()
  if (field === 'status' || field === 'state' || field === 'connector')
    return [
      ...fleetStates.map((state) => state.toLowerCase()),
      ...(field === 'connector' ? [] : Object.keys(stateWords)),
    ]
  if (field === 'model') return [...new Set(models.all.map(({ model }) => model))].sort()
  if (field === 'vendor') return [...new Set(models.all.map(({ vendor }) => vendor))].sort()
  if (field === 'site' || field === 'city') return [...new Set(sites.all.map(({ name }) => name))].sort()
  if (field === 'error') return used(error)
  if (field === 'fw' || field === 'firmware') return used(firmware)
  if (field === 'alert') return ['open', 'none']
  return field === 'flag' ? Object.keys(flags) : []
}
