// The objects of a list as texts, so that whoever takes them has little to read at a time, and the threads in between nothing. Pure.

import { limits } from './limits.js'

/** Of each text, the objects stand in a JSON list; null is in the place of one that is too long. */
export function textsOf(list: readonly unknown[]): readonly string[] {
  const texts: string[] = []
  let together: string[] = []
  let characters = 0
  function end(): void {
    if (together.length > 0) texts.push(`[${together.join(',')}]`)
    together = []
    characters = 0
  }
  for (const one of list) {
    const text = JSON.stringify(one)
    const taken = text.length <= limits.ocpiObjectCharacters ? text : 'null'
    if (together.length === limits.ocpiObjectsPerText || characters + taken.length > limits.ocpiTextCharacters) end()
    together.push(taken)
    characters += taken.length
  }
  end()
  return texts
}
