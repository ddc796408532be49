// Why a charge point cannot be registered or renamed.

import { defineError } from '../../../runtime/errors.js'

export const chargePointExists = defineError('charge_point_exists', {
  status: 409,
  meaning: 'A charge point with this id is already registered.',
})

export const serialNumberTaken = defineError('serial_number_taken', {
  status: 409,
  meaning: 'The serial number is the id or the serial number of another charge point.',
})
