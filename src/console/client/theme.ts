// Dark or light: as the machine prefers, until somebody chooses; the choice is remembered in this browser.

import { signal } from '@preact/signals'
import { remember, remembered } from './remembered.js'

export type Theme = 'dark' | 'light'

const stored = 'ampshard.theme'
const prefersLight = matchMedia('(prefers-color-scheme: light)')

function chosen(): Theme | undefined {
  const found = remembered(stored)
  return found === 'dark' || found === 'light' ? found : undefined
}

export const theme = signal<Theme>(chosen() ?? (prefersLight.matches ? 'light' : 'dark'))

export function startTheme(): void {
  document.documentElement.dataset.theme = theme.peek()
  theme.subscribe((name) => {
    document.documentElement.dataset.theme = name
  })
  prefersLight.addEventListener('change', ({ matches }) => {
    if (chosen() === undefined) theme.value = matches ? 'light' : 'dark'
  })
}

export function switchTheme(): void {
  theme.value = theme.peek() === 'dark' ? 'light' : 'dark'
  remember(stored, theme.peek())
}
