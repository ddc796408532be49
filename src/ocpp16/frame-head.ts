// What a frame begins with: its type, its message id and its action, without reading the rest. For the frames that nearly all charge points
// send, a look at a few characters; for others, the whole of it is read.

import { readFrame } from './frame.js'

export type FrameHead =
  | { readonly type: 'call'; readonly messageId: string; readonly action: string }
  | { readonly type: 'result' | 'error'; readonly messageId: string }
  /** No message at all, or none that can be read. */
  | { readonly type: 'empty' | 'unreadable' }

const [bracket, quote, comma] = [0x5b, 0x22, 0x2c]
const types: Readonly<Record<number, 'call' | 'result' | 'error'>> = { 50: 'call', 51: 'result', 52: 'error' }

export function readHead(text: string): FrameHead {
  return headAtBegin(text) ?? readWhole(text)
}

/** What it begins with, where that is written as nearly all write it: then the rest may be missing. */
export function headAtBegin(text: string): Exclude<FrameHead, { readonly type: 'empty' | 'unreadable' }> | undefined {
  const type = types[text.charCodeAt(1)]
  if (type === undefined || text.charCodeAt(0) !== bracket) return undefined
  if (text.charCodeAt(2) !== comma || text.charCodeAt(3) !== quote) return undefined
  const end = text.indexOf('"', 4)
  if (end <= 4 || end > 260) return undefined
  const messageId = text.slice(4, end)
  if (messageId.includes('\\')) return undefined
  if (type !== 'call') return { type, messageId }
  if (text.charCodeAt(end + 1) !== comma || text.charCodeAt(end + 2) !== quote) return undefined
  const actionEnd = text.indexOf('"', end + 3)
  const action = text.slice(end + 3, actionEnd)
  if (actionEnd < 0 || action.length === 0 || action.includes('\\')) return undefined
  return { type, messageId, action }
}

function readWhole(text: string): FrameHead {
  const frame = readFrame(text)
  switch (frame.type) {
    case 'call':
      return { type: 'call', messageId: frame.messageId, action: frame.action }
    case 'result':
    case 'error':
      return { type: frame.type, messageId: frame.messageId }
    case 'empty':
      return { type: 'empty' }
    default:
      return { type: 'unreadable' }
  }
}
