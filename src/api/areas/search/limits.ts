// The bounds of a search.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** In an answer. */
  hits: 20,
  /** Of one kind of thing. */
  hitsOfKind: 8,
  /** Of the charge points of all organizations that have the id in another spelling, or as another of their names. */
  spellings: 8,
  textCharacters: 64,
})
