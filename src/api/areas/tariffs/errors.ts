// Why a tariff cannot be removed.

import { defineError } from '../../../runtime/errors.js'

export const tariffInUse = defineError('tariff_in_use', {
  status: 409,
  meaning: 'A charge point or the organization still sells at the tariff.',
})
