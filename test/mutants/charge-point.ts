// Bugs in the handlers of messages from charge points.

import type { Bug } from './bug.js'

export const chargePoint: readonly Bug[] = [
  {
    name: 'values-of-another-connector',
    breaks: 'Meter values of one connector are billed on another one.',
    file: 'src/actors/charge-point/meter-values.ts',
    find: 'named.connector_id === 0 || named.connector_id === connectorId',
    replace: 'named.connector_id >= 0',
    tests: ['actors/charge-point/registers'],
  },
]
