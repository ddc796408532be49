// A frame as it may be shown to people, and sent to the maker of a charge point: without secrets and without what says who charges, and of a bounded length.
// A text is shown only in a field that OCPP 1.6 has for it; of any other, nothing tells what a charge point has put there. Never throws, however deep or
// long the frame is.

import { ocppErrorCodes } from './error-codes.js'
import { answerFieldNames, fieldNamesOf } from './field-names.js'
import { parseRepaired } from './frame-repair.js'
import { limits } from './limits.js'
import { maskFrame } from './masked-frame.js'
import { isSingle, type Single, valueAt } from './pointer.js'
import { idTagFields, redacted } from './secrets.js'

const leftOut = '...'

export interface FrameSample {
  /** The frame as JSON, shortened. Of a text that is not JSON, which may hold anything, only its length. */
  readonly frame: string
  /** What stands in the payload, where it is a single value; `path` is a JSON pointer. */
  at(path: string): Single | undefined
}

export function sampleOf(text: string): FrameSample {
  const frame = text.length <= limits.sampledFrameCharacters ? parseRepaired(maskFrame(text)) : undefined
  if (!Array.isArray(frame)) return { frame: `(${text.length} characters that cannot be shown)`, at: () => undefined }
  const masked = shownFrame(frame)
  return {
    frame: JSON.stringify(masked).slice(0, limits.sampleCharacters),
    at(path) {
      const value = valueAt(masked[3], path)
      return isSingle(value) ? value : undefined
    },
  }
}

interface Look {
  /** Fields that OCPP 1.6 has in such a message. */
  readonly names: ReadonlySet<string>
  /** Whether it is the value of one of them. */
  readonly isKnown: boolean
}

/** Within what OCPP 1.6 does not have, its names mean nothing. */
const nothing: Look = { names: new Set(), isKnown: false }
const errorCodes: ReadonlySet<unknown> = new Set(ocppErrorCodes)

function shownFrame(frame: readonly unknown[]): readonly unknown[] {
  const name: unknown = frame[2]
  // A list may be so deep that to make a text of it fails.
  const type = typeof frame[0] === 'object' ? undefined : Number(frame[0])
  const look = {
    names: type === 3 ? answerFieldNames : fieldNamesOf(type === 2 && typeof name === 'string' ? name : ''),
    isKnown: false,
  }
  const elements = frame.slice(0, limits.sampleEntries).map((element, at) => {
    const isName = at === 1 || (at === 2 && (type === 2 || errorCodes.has(element)))
    return shown(element, { ...look, isKnown: isName && typeof element !== 'object' }, 0)
  })
  return elements.length < frame.length ? [...elements, leftOut] : elements
}

/** More digits than a quantity or a connector has may be the number of a card. */
const leastOfLong = 10_000

function shown(value: unknown, look: Look, depth: number): unknown {
  if (typeof value === 'string') return look.isKnown || value === redacted ? shownText(value) : described(value)
  if (typeof value === 'number') return look.isKnown || Math.abs(value) < leastOfLong ? value : '(number)'
  if (typeof value !== 'object' || value === null) return value
  if (depth >= limits.sampleDepth) return leftOut
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.sampleEntries).map((item) => shown(item, look, depth + 1))
    return items.length < value.length ? [...items, leftOut] : items
  }
  const names = Object.keys(value)
  const fields = value as Readonly<Record<string, unknown>>
  const entries = names.slice(0, limits.sampleEntries).map((name) => {
    const isKnown = look.names.has(name) && !freeTexts.has(name)
    return [
      shownText(name),
      isIdentity(name) ? redacted : shown(fields[name], isKnown ? { ...look, isKnown } : nothing, depth + 1),
    ]
  })
  if (entries.length < names.length) entries.push([leftOut, leftOut])
  return Object.fromEntries(entries)
}

const described = (text: string): string => `(text of ${text.length} characters)`

/** Fields of OCPP in which a vendor may say anything. */
const freeTexts: ReadonlySet<string> = new Set(['data', 'info', 'techInfo'])

/** Names under which charge points send who charges, beside those that OCPP 1.6 has. */
const identity = /idtag|rfid|(^|card|tag|user)uid$|^token|card(id|no|number)?$|evccid|emaid/

function isIdentity(name: string): boolean {
  return idTagFields.has(name) || identity.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

function shownText(text: string): string {
  return text.length > limits.sampleTextCharacters ? `${text.slice(0, limits.sampleTextCharacters)}${leftOut}` : text
}
