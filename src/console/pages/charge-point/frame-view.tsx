// A frame of OCPP as JSON to be read, with the places marked that break the standard.

import { seenText } from '../../parts/json-view.js'
import type { Message } from './message-words.js'
import { elementsOf } from './message-words.js'

interface Line {
  readonly text: string
  readonly isMarked: boolean
}

interface FrameViewProps {
  readonly label: string
  readonly frame: string
  readonly violations?: Message['violations']
}

export function FrameView({ label, frame, violations = [] }: FrameViewProps) {
  const elements = elementsOf(frame)
  const marked = new Set(violations.flatMap(({ path }) => (path === null ? [] : [path])))
  const lines = elements === undefined ? [{ text: frame, isMarked: false }] : frameLines(elements, marked)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <pre class="json-view mono frame-view" tabIndex={0} role="region" aria-label={label}>
      {lines.map(({ text, isMarked }, at) => {
        const line = `${seenText(text)}\n`
        return isMarked ? <mark key={at}>{line}</mark> : line
      })}
    </pre>
  )
}

/** The head of a frame on one line, and its payload below, in which the paths begin. */
function frameLines(elements: readonly unknown[], marked: ReadonlySet<string>): readonly Line[] {
  const payloadAt = elements.findIndex((element) => typeof element === 'object' && element !== null)
  const head = elements.slice(0, payloadAt < 0 ? undefined : payloadAt).map((element) => JSON.stringify(element))
  if (payloadAt < 0) return [{ text: `[${head.join(', ')}]`, isMarked: false }]
  const payload = linesOf(elements[payloadAt], '', '', marked)
  const [first, ...rest] = payload
  const lines = [{ text: `[${head.join(', ')}, ${first?.text ?? ''}`, isMarked: false }, ...rest]
  const last = lines.at(-1) as Line
  return [...lines.slice(0, -1), { ...last, text: `${last.text}]` }]
}

function linesOf(value: unknown, path: string, indent: string, marked: ReadonlySet<string>): Line[] {
  const isMarked = marked.has(path)
  if (typeof value !== 'object' || value === null) return [{ text: JSON.stringify(value), isMarked }]
  const isArray = Array.isArray(value)
  const entries = Object.entries(value)
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) return [{ text: `${open}${close}`, isMarked }]
  const inner = entries.flatMap(([name, part], at) => {
    const own = linesOf(part, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, `${indent}  `, marked)
    const [first, ...rest] = own as [Line, ...Line[]]
    const named = { ...first, text: `${indent}  ${isArray ? '' : `${JSON.stringify(name)}: `}${first.text}` }
    const all = [named, ...rest]
    const last = all.at(-1) as Line
    return at === entries.length - 1 ? all : [...all.slice(0, -1), { ...last, text: `${last.text},` }]
  })
  return [{ text: open, isMarked }, ...inner, { text: `${indent}${close}`, isMarked: false }]
}
