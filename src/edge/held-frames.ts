// What a charge point sends while its own registration is on its way to the disk: kept, a little of it, until it may be answered.

import { limits } from './limits.js'

export interface HeldFrames {
  readonly texts: string[]
  characters: number
}

export function holdFrames(): HeldFrames {
  return { texts: [], characters: 0 }
}

/** False when there is no room for it. */
export function hold(held: HeldFrames, text: string): boolean {
  if (held.texts.length >= limits.heldFrames || held.characters + text.length > limits.heldCharacters) return false
  held.texts.push(text)
  held.characters += text.length
  return true
}
