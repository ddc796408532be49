// Why a guest cannot charge.

import { defineError } from '../../../runtime/errors.js'

export const paymentDeclined = defineError('payment_declined', {
  mayHaveActed: true,
  status: 402,
  meaning: 'The payment provider declined the payment method.',
})

export const connectorInUse = defineError('connector_in_use', {
  status: 409,
  meaning: 'Another guest has the connector, a session is running on it, or it is reserved.',
})

export const noTariff = defineError('no_tariff', {
  status: 409,
  meaning: 'The charge point has no tariff, so that a guest cannot be charged.',
})

export const paymentUnavailable = defineError('payment_unavailable', {
  mayHaveActed: true,
  status: 503,
  temporary: true,
  meaning: 'The payment provider does not answer; nothing was charged.',
})
