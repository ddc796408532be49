// Hostile values and mutations of JSON, all of them from one random source: the same seed makes the same input.
// It knows neither OCPP nor the API.

import type { Random } from '../../bench/client/random.js'
import { between, oneOf } from '../chaos/scenario.js'

/** Text that goes into JSON as it is, for what JSON.stringify would never write. */
export class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Made = (random: Random) => unknown

const oddNumbers = [
  ...['0', '-0', '-1', '1', '0.1', '1e400', '-1e400', '1e-400', '1E+2', '255', '256', '65536', '2147483647'],
  ...[
    '2147483648',
    '-2147483649',
    '4294967296',
    '9007199254740993',
    '18446744073709551616',
    '1e21',
    '1.7976931348623157e308',
  ],
  ...['123456789012345678901234567890', '0.1e1', '3.0000000000000004', '-5e-324'],
]
const notJson = [
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  '01',
  '.5',
  '5.',
  '+1',
  "'a'",
  '0x10',
  'True',
  '1_000',
  '',
  '\\x',
]
const oddTexts = [
  ...['', ' ', '0', '-1', '1e3', 'null', 'true', 'NaN', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\ufeff',
    '\u202e',
    '😀',
    'İ',
    'ß',
    '\r\n',
    '\t',
    '"',
    '\\',
    '\\u',
    '/',
    '%',
    '%00',
  ],
  ...[
    "' OR 1=1 --",
    '{{7*7}}',
    '$where',
    '../../etc/passwd',
    '<script>',
    '1970-01-01T00:00:00Z',
    '2026-02-30T25:61:61Z',
  ],
  ...[
    '2026-01-02T03:04:05',
    '+275760-09-13T00:00:00.001Z',
    '-271821-04-19T23:59:59Z',
    '9999-12-31T23:59:60Z',
    'Accepted',
    'accepted',
  ],
]

const madeValues: readonly Made[] = [
  () => null,
  (random) => random() < 0.5,
  (random) => new Raw(oneOf(random, oddNumbers)),
  (random) => between(random, -10, 10),
  (random) => between(random, -(2 ** 31), 2 ** 31),
  (random) => random() * 1e6,
  (random) => oneOf(random, oddTexts),
  (random) => 'x'.repeat(2 ** between(random, 0, 13)),
  (random) => oneOf(random, ['é', '😀', '\u0000', '"', '\\']).repeat(between(random, 1, 300)),
  () => [],
  () => ({}),
  (random) => [oneOf(random, oddTexts), null, 1],
  (random) => ({ [oneOf(random, oddTexts)]: oneOf(random, oddTexts) }),
  (random) => nested(random, between(random, 2, 60)),
  (random) => Array.from({ length: between(random, 2, 300) }, () => oneOf(random, oddTexts)),
  () => new Raw('{"a":1,"a":2,"__proto__":{"x":1}}'),
]

export function hostileValue(random: Random): unknown {
  return oneOf(random, madeValues)(random)
}

function nested(random: Random, depth: number): unknown {
  const array = random() < 0.5
  return new Raw(`${(array ? '[' : '{"a":').repeat(depth)}1${(array ? ']' : '}').repeat(depth)}`)
}

/** JSON of a value with Raw parts in it. */
export function jsonOf(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** A copy with one thing changed somewhere in it; the value itself stays as it is. */
export function mutateValue(value: unknown, random: Random): unknown {
  const inside = typeof value === 'object' && value !== null && !(value instanceof Raw) && random() < 0.8
  if (!inside) return replaced(value, random)
  if (Array.isArray(value)) return mutateArray(value, random)
  return mutateObject(value as Readonly<Record<string, unknown>>, random)
}

function replaced(value: unknown, random: Random): unknown {
  const choice = random()
  if (choice < 0.15) return typeof value === 'string' ? jsonOf(value) : jsonOf(value).slice(0, 100)
  if (choice < 0.25) return typeof value === 'string' && value.trim() !== '' ? Number(value) || 0 : [value]
  if (choice < 0.35 && typeof value === 'string')
    return value.toUpperCase() === value ? value.toLowerCase() : value.toUpperCase()
  if (choice < 0.4) return new Raw(oneOf(random, notJson))
  return hostileValue(random)
}

function mutateArray(value: readonly unknown[], random: Random): unknown[] {
  const copy = [...value]
  const at = between(random, 0, Math.max(0, copy.length - 1))
  const choice = random()
  if (copy.length > 0 && choice < 0.6) copy[at] = mutateValue(copy[at], random)
  else if (choice < 0.75) copy.splice(at, 1)
  else if (choice < 0.9) copy.splice(at, 0, hostileValue(random))
  else return Array.from({ length: between(random, 2, 200) }, () => copy[at] ?? null)
  return copy
}

function mutateObject(value: Readonly<Record<string, unknown>>, random: Random): Record<string, unknown> {
  const names = Object.keys(value)
  const name = names.length === 0 ? 'a' : oneOf(random, names)
  const choice = random()
  if (choice < 0.6 && names.length > 0) return { ...value, [name]: mutateValue(value[name], random) }
  if (choice < 0.75) return { ...value, [name]: undefined }
  if (choice < 0.9) return { ...value, [oneOf(random, oddTexts) || 'extra']: hostileValue(random) }
  return { ...value, [name]: undefined, [random() < 0.5 ? name.toUpperCase() : `${name} `]: value[name] }
}

const pieces = [
  '"',
  '\\',
  ',',
  ':',
  '{',
  '}',
  '[',
  ']',
  '\u0000',
  '\ufeff',
  ' ',
  '\n',
  'null',
  'nan',
  '1e999',
  '\\u12',
  '\\x',
  '//',
  '\ud800',
  ',,',
  '-',
]

/** Text with a few characters taken out, put in or repeated. */
export function mutateText(text: string, random: Random): string {
  let mutated = text
  for (let times = between(random, 1, 3); times > 0; times--) {
    const at = between(random, 0, mutated.length)
    const choice = random()
    if (choice < 0.4) mutated = mutated.slice(0, at) + oneOf(random, pieces) + mutated.slice(at)
    else if (choice < 0.7) mutated = mutated.slice(0, at) + mutated.slice(at + between(random, 1, 8))
    else if (choice < 0.85) mutated = mutated.slice(0, at)
    else mutated = mutated.slice(0, at) + mutated.slice(Math.max(0, at - 20), at) + mutated.slice(at)
  }
  return mutated
}

/** Bytes with a few of them changed, taken out or put in. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let mutated = Buffer.from(bytes)
  for (let times = between(random, 1, 4); times > 0; times--) {
    const at = between(random, 0, Math.max(0, mutated.length - 1))
    const choice = random()
    if (choice < 0.5 && mutated.length > 0) mutated[at] = between(random, 0, 255)
    else if (choice < 0.75)
      mutated = Buffer.concat([mutated.subarray(0, at), mutated.subarray(at + between(random, 1, 4))])
    else mutated = Buffer.concat([mutated.subarray(0, at), Buffer.of(between(random, 0, 255)), mutated.subarray(at)])
  }
  return mutated
}

/** The text as UTF-8, its lone surrogates as the three bytes that a sloppy encoder would write. */
export function sloppyUtf8(text: string): Buffer {
  return Buffer.concat(
    Array.from(text, (character) => {
      const code = character.charCodeAt(0)
      const lone = character.length === 1 && code >= 0xd800 && code < 0xe000
      return lone
        ? Buffer.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
        : Buffer.from(character)
    }),
  )
}
