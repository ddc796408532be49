// The area of the installation as such: how it fares, and how it fared in load tests. No other organization than the one that operates it has
// anything to do with that.

import { defineArea } from '../../pipeline/area.js'
import { operator } from '../../surfaces/operator.js'
import { operatesInstallation } from '../organizations/operator.js'

export const area = defineArea(operator, {
  tag: 'Installation',
  about: 'How the installation itself fares, for the organization that operates it.',
  path: '/api/v1',
  read: 'read:analytics',
  write: 'write:organisations',
  requires: [operatesInstallation],
})
