// Views of the fleet: a name for a filter. Those of a person are kept in their browser.

import { signal } from '@preact/signals'
import { remember, remembered } from '../../client/remembered.js'
import { organizationId } from '../../client/session.js'

export interface View {
  readonly name: string
  readonly filter: string
}

export const builtIn: readonly View[] = [
  { name: 'All', filter: '' },
  { name: 'Needs attention', filter: 'alert:open' },
  { name: 'Faulted', filter: 'status:faulted' },
  { name: 'Offline over 15 min', filter: 'offline>15m' },
  { name: 'No tariff', filter: 'flag:tariff' },
]

export const ownViews = signal<readonly View[]>([])

const most = 30
const name = (): string => `ampshard fleet views ${organizationId()}`

function isView(value: unknown): value is View {
  const { name, filter } = (value ?? {}) as Record<string, unknown>
  return typeof name === 'string' && typeof filter === 'string'
}

export function loadViews(): void {
  try {
    const found: unknown = JSON.parse(remembered(name()) ?? '[]')
    ownViews.value = Array.isArray(found) ? found.filter(isView).slice(0, most) : []
  } catch {
    ownViews.value = []
  }
}

function keep(views: readonly View[]): void {
  ownViews.value = views.slice(-most)
  remember(name(), JSON.stringify(ownViews.value))
}

/** In the place of one of the same name. */
export function saveView(view: View): void {
  keep([...ownViews.peek().filter((one) => one.name !== view.name), view])
}

export function removeView(removed: string): void {
  keep(ownViews.peek().filter((one) => one.name !== removed))
}
