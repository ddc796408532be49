// DataTransfer from a charge point: no vendor is known here, and saying so at once is what its queue needs (OCPP 1.6, 4.3).

import { dataTransfer as message } from '../../ocpp16/index.js'
import { defineHandler } from './request-handler.js'

export const dataTransfer = defineHandler({
  message,
  needs: 'Pending',
  handle: () => ({ response: { status: 'UnknownVendorId' as const } }),
})
