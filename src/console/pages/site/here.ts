// The site that the pages of the frame are about: asked for once, by the frame.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Schema } from '../../client/api.js'

export type Site = Schema<'Site'>

export interface Here {
  readonly site: Site
  /** After something has changed it. */
  readonly reload: () => void
}

export const HereContext = createContext<Here | undefined>(undefined)

export function useSite(): Here {
  const here = useContext(HereContext)
  if (here === undefined) throw new Error('this is no page of a site')
  return here
}
