// Bugs of the console.

import type { Bug } from './bug.js'

export const console: readonly Bug[] = [
  {
    name: 'negative-numbers-reversed',
    breaks: 'Negative numbers stand in the wrong order in the fleet table.',
    file: 'src/console/client/number-sort.ts',
    find: '(isNegative ? 0xffffffff : 0x80000000)',
    replace: '(isNegative ? 0x80000000 : 0x80000000)',
    tests: ['console/number-sort'],
  },
  {
    name: 'console-in-frames',
    breaks: 'A foreign page shows the console in a frame and steals clicks.',
    file: 'src/console/server/console.ts',
    find: '"frame-ancestors \'none\'",',
    replace: '"frame-ancestors *",',
    tests: ['console/serving'],
    isInProgram: true,
  },
  {
    name: 'faults-of-lists-lost',
    breaks: 'A form does not show the fault of one item at the field of its list.',
    file: 'src/console/parts/faults.ts',
    find: "at.lastIndexOf('/')))) if",
    replace: "at.indexOf('/')))) if",
    tests: ['console/forms'],
    isInProgram: true,
  },
]
