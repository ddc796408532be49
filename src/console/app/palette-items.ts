// What can be found in the palette beside pages: whoever knows of something offers it here.

import type { IconName } from '../parts/icon-names.js'

export interface PaletteItem {
  readonly group: string
  readonly name: string
  /** Beside the name: where or what it is. */
  readonly about?: string
  readonly icon: IconName
  /** Ids are written in the font of ids. */
  readonly isId?: boolean
  /** Below /console. */
  readonly href?: string
  readonly act?: () => void
}

/** Finds items for a text; what takes longer than the next key is aborted. */
export type PaletteSource = (
  text: string,
  signal: AbortSignal,
) => readonly PaletteItem[] | Promise<readonly PaletteItem[]>

/** Those that offer something now. */
const offered = new Set<PaletteSource>()
export const sources: ReadonlySet<PaletteSource> = offered

/** Returns what takes it back. */
export function offer(source: PaletteSource): () => void {
  offered.add(source)
  return () => offered.delete(source)
}
