// Bugs of the power of sites.

import type { Bug } from './bug.js'

export const sites: readonly Bug[] = [
  {
    name: 'limits-rounded-up',
    breaks: 'The limits of a site add up to more than its budget.',
    file: 'src/power/allocate-power.ts',
    find: 'Math.floor(watts / stepWatts + hair)',
    replace: 'Math.ceil(watts / stepWatts - hair)',
    tests: ['power/allocate-power'],
  },
  {
    name: 'turn-order-inverted',
    breaks: 'A car that has just started loses its power to one whose turn is over.',
    file: 'src/power/allocate-power.ts',
    find: 'now - servedSince < turnMs ? 0 : 2',
    replace: 'now - servedSince < turnMs ? 2 : 0',
    tests: ['power/allocate-power'],
  },
  {
    name: 'budget-ends-late',
    breaks: 'A scheduled budget holds one minute after its end.',
    file: 'src/power/budget.ts',
    find: 'minute >= startMinute && minute < endMinute',
    replace: 'minute >= startMinute && minute <= endMinute',
    tests: ['power/budget'],
  },
  {
    name: 'night-of-wrong-day',
    breaks: 'A night budget ends at midnight, or begins a day early.',
    file: 'src/power/budget.ts',
    find: 'begunOn(day - 1)',
    replace: 'begunOn(day)',
    tests: ['power/budget'],
  },
  {
    name: 'grid-limit-ignored',
    breaks: 'A scheduled budget exceeds the capacity of the grid connection.',
    file: 'src/power/budget.ts',
    find: 'Math.max(0, Math.min(fromGrid, gridWatts))',
    replace: 'Math.max(0, fromGrid)',
    tests: ['power/budget'],
  },
]
