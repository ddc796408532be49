// Why a guest cannot charge.

import { defineError } from '../../../runtime/errors.js'

export const paymentDeclined = defineError('payment_declined', {
  mayHaveActed: true,
  status: 402,
  meaning: 'The payment provider declined the payment method.',
})

export const connectorInUse = defineError('connector_in_use', {
  status: 409,
  meaning: 'The connector is taken by another guest, has a running session, or is reserved.',
})

export const noTariff = defineError('no_tariff', {
  status: 409,
  meaning: 'The charge point has no tariff, so a guest cannot be charged.',
})

export const paymentUnavailable = defineError('payment_unavailable', {
  mayHaveActed: true,
  status: 503,
  temporary: true,
  meaning: 'The payment provider did not answer; nothing was charged.',
})
