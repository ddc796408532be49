// Why a charge point cannot be registered or renamed.

import { defineError } from '../../../runtime/errors.js'

export const chargePointExists = defineError('charge_point_exists', {
  status: 409,
  meaning: 'This id, or one that differs only in case, is already the id or the serial number of a charge point.',
})

export const serialNumberTaken = defineError('serial_number_taken', {
  status: 409,
  meaning: 'The serial number is the id or the serial number of another charge point.',
})
