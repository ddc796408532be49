// Whether the page is as narrow as a phone: what cannot be said in styles alone depends on it.

import { signal } from '@preact/signals'

const narrow = matchMedia('(max-width: 760px)')

export const isPhone = signal(narrow.matches)
narrow.addEventListener('change', ({ matches }) => {
  isPhone.value = matches
})
