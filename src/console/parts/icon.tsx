// An icon: of Lucide, drawn with the colour of the text around it. It says nothing that words beside it, or the name of its button, do not say.

import { icons } from 'virtual:icons'
import { h } from 'preact'
import type { IconName } from './icon-names.js'

export type { IconName } from './icon-names.js'

export function Icon({ name, small = false }: { readonly name: IconName; readonly small?: boolean }) {
  return (
    <svg class={small ? 'icon small' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      {icons[name].map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
