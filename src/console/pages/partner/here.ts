// The roaming partner that the pages of the frame are about: asked for once, by the frame.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Schema } from '../../client/api.js'
import type { TagKind } from '../../parts/chip.js'

export type Partner = Schema<'RoamingPartner'>

export const HereContext = createContext<Partner | undefined>(undefined)

export function usePartner(): Partner {
  const here = useContext(HereContext)
  if (here === undefined) throw new Error('this is no page of a roaming partner')
  return here
}

export const statusKinds: Readonly<Record<Partner['status'], TagKind>> = {
  invited: 'info',
  registered: 'ok',
  ended: 'plain',
}
