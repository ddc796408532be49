// A frame as it may be shown to people: without secrets and id tags, and of a bounded length. Never throws, however deep or long the frame is.

import { repairJson } from './frame-repair.js'
import { limits } from './limits.js'
import { idTagFields, isSecretKey, passwordOf, redacted } from './secrets.js'

const leftOut = '...'

/** The frame as JSON, shortened. Of a text that is not JSON, which may hold anything, only its length. */
export function sampleFrame(text: string): string {
  const frame = text.length <= limits.sampledFrameCharacters ? parse(text) : undefined
  if (!Array.isArray(frame)) return `(${text.length} characters that cannot be shown)`
  const masked = frame.map((element: unknown) => shown(element, 0))
  return JSON.stringify(masked).slice(0, limits.sampleCharacters)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseRepaired(text)
  }
}

function parseRepaired(text: string): unknown {
  try {
    return JSON.parse(repairJson(text))
  } catch {
    return undefined
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
