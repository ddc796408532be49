// The area of API keys: what an organization's systems call with. A key's text leaves once, in the answer that made it.

import { apiKeysTable } from '../../../records/api-key.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'API keys',
  about: 'Create, rotate and revoke keys. A key is shown once.',
  path: '/api/v1/org/api-keys',
  read: 'write:api_keys',
  write: 'write:api_keys',
})

export const apiKeys = defineOwned({ table: apiKeysTable, id: 'key_id', idPrefix: 'key', called: 'API key' })
