// ClearCache: empties the authorization cache (OCPP 1.6, 5.4).

import type { Static } from 'typebox'
import { emptyPayload, statusOnly } from './common.js'
import { defineMessage } from './define-message.js'

export const clearCache = defineMessage({
  action: 'ClearCache',
  from: 'central-system',
  profile: 'Core',
  request: emptyPayload,
  response: statusOnly(['Accepted', 'Rejected']),
})

export type ClearCacheRequest = Static<typeof clearCache.request>
export type ClearCacheResponse = Static<typeof clearCache.response>
