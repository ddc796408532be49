// How a site may share its power, as people say it.

import type { Schema } from '../../client/api.js'

export type Strategy = Schema<'SmartChargingConfiguration'>['strategy']

export const strategies: readonly { readonly value: Strategy; readonly name: string }[] = [
  { value: 'equal', name: 'Equally among all cars' },
  { value: 'priority', name: 'The first charge points of an order first' },
  { value: 'scheduled', name: 'Equally, with a budget that follows a schedule' },
]

export const strategyName = (strategy: string): string =>
  strategies.find(({ value }) => value === strategy)?.name ?? strategy
