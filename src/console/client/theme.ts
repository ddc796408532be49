// Dark or light: as the machine prefers, until somebody chooses; the choice is remembered in this browser.

import { signal } from '@preact/signals'

export type Theme = 'dark' | 'light'

const stored = 'ampshard.theme'
const prefersLight = matchMedia('(prefers-color-scheme: light)')

function remembered(): Theme | undefined {
  try {
    const found = localStorage.getItem(stored)
    return found === 'dark' || found === 'light' ? found : undefined
  } catch {
    return undefined
  }
}

export const theme = signal<Theme>(remembered() ?? (prefersLight.matches ? 'light' : 'dark'))

export function startTheme(): void {
  document.documentElement.dataset.theme = theme.peek()
  theme.subscribe((name) => {
    document.documentElement.dataset.theme = name
  })
  prefersLight.addEventListener('change', ({ matches }) => {
    if (remembered() === undefined) theme.value = matches ? 'light' : 'dark'
  })
}

export function switchTheme(): void {
  theme.value = theme.peek() === 'dark' ? 'light' : 'dark'
  try {
    localStorage.setItem(stored, theme.peek())
  } catch {
    // Where nothing may be kept, the choice lasts as long as the page.
  }
}
