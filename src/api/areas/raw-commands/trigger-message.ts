// trigger_message: TriggerMessage (OCPP 1.6, 5.17).

import { Type } from 'typebox'
import { triggerMessage as message, meterValues, statusNotification } from '../../../ocpp16/index.js'
import { connectorId } from '../../pipeline/schemas.js'
import { defineRaw } from './define-raw.js'

const ofConnectors: readonly string[] = [meterValues.action, statusNotification.action]

export const triggerMessage = defineRaw(message, {
  summary: 'Ask a charge point to send a message now',
  body: {
    requested_message: message.request.properties.requestedMessage,
    connector_id: Type.Optional(
      connectorId(
        0,
        `The connector that the message is to be about. It is required for ${ofConnectors.join(' and ')}, although OCPP 1.6 does not require it.`,
      ),
    ),
  },
  check: ({ requested_message, connector_id }) =>
    connector_id === undefined && ofConnectors.includes(requested_message)
      ? [{ path: '/connector_id', message: `is required for ${requested_message}` }]
      : [],
  repeats: ['requested_message'],
  example: { requested_message: statusNotification.action, connector_id: 1 },
})
