// A frame as it may be shown to people: without secrets and id tags, and of a bounded length. What the log of messages masks (masked-frame.ts) is masked
// here as well. Never throws, however deep or long the frame is.

import { parseRepaired } from './frame-repair.js'
import { limits } from './limits.js'
import { maskFrame } from './masked-frame.js'
import { isSingle, type Single, valueAt } from './pointer.js'
import { idTagFields, isSecretKey, passwordOf, redacted } from './secrets.js'

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
  const masked = frame.map((element: unknown) => shown(element, 0))
  return {
    frame: JSON.stringify(masked).slice(0, limits.sampleCharacters),
    at(path) {
      const value = valueAt(masked[3], path)
      return isSingle(value) ? value : undefined
    },
  }
}

function shown(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shownText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= limits.sampleDepth) return leftOut
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.sampleEntries).map((item) => shown(item, depth + 1))
    return items.length < value.length ? [...items, leftOut] : items
  }
  const names = Object.keys(value)
  const fields = value as Readonly<Record<string, unknown>>
  const entries = names
    .slice(0, limits.sampleEntries)
    .map((name) => [shownText(name), isHidden(name, fields) ? redacted : shown(fields[name], depth + 1)])
  if (entries.length < names.length) entries.push([leftOut, leftOut])
  return Object.fromEntries(entries)
}

/** Names under which charge points send who charges, beside those that OCPP 1.6 has. */
const identity = /idtag|rfid|(^|card|tag|user)uid$|^token|card(id|no|number)?$|evccid|emaid/

function isIdentity(name: string): boolean {
  return idTagFields.has(name) || identity.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

/** As in an answer to GetConfiguration, a value belongs to the key beside it. What vendors transfer as `data` may be anything. */
function isHidden(name: string, fields: Readonly<Record<string, unknown>>): boolean {
  if (isIdentity(name) || isSecretKey(name)) return true
  return (name === 'value' && isSecretKey(fields.key)) || (name === 'data' && 'vendorId' in fields)
}

function shownText(text: string): string {
  const password = passwordOf(text)
  const open = password === undefined ? text : text.replaceAll(password, redacted)
  return open.length > limits.sampleTextCharacters ? `${open.slice(0, limits.sampleTextCharacters)}${leftOut}` : open
}
