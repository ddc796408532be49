// Module hooks that change one module while it is loaded. They run in the loader's own thread.

import type { LoadHook } from 'node:module'
import type { PlantedBug } from './mutant.js'

let planted: PlantedBug | undefined

export function initialize(bug: PlantedBug): void {
  planted = bug
}

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  if (planted === undefined || !url.endsWith(`/dist/${planted.file}`)) return loaded
  return { ...loaded, source: plant(planted, String(loaded.source)) }
}

/** Throws when a line is not there any more: the bug is of another version of the code. */
export function plant(bug: PlantedBug, source: string): string {
  const edits = bug.also === undefined ? [bug] : [bug, bug.also]
  return edits.reduce((text, { find, replace }) => {
    const parts = text.split(find)
    if (parts.length !== 2)
      throw new Error(`the planted bug ${bug.name} is found ${parts.length - 1} times in ${bug.file}: ${find}`)
    return parts.join(replace)
  }, source)
}
