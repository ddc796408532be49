// Module hooks that change one module while it is loaded. They run in the loader's own thread.

import type { LoadHook } from 'node:module'
import type { Mutant } from './mutant.js'

let planted: Mutant | undefined

export function initialize(mutant: Mutant): void {
  planted = mutant
}

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  if (planted === undefined || !url.endsWith(`/dist/${planted.file}`)) return loaded
  return { ...loaded, source: plant(planted, String(loaded.source)) }
}

/** Throws when a line is not there any more: the mutant is of another version of the code. */
export function plant(mutant: Mutant, source: string): string {
  const edits = mutant.also === undefined ? [mutant] : [mutant, mutant.also]
  return edits.reduce((text, { find, replace }) => {
    const parts = text.split(find)
    if (parts.length !== 2)
      throw new Error(`the mutant ${mutant.name} is found ${parts.length - 1} times in ${mutant.file}: ${find}`)
    return parts.join(replace)
  }, source)
}
