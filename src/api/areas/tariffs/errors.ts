// Why a tariff cannot be deleted.

import { defineError } from '../../../runtime/errors.js'

export const tariffInUse = defineError('tariff_in_use', {
  status: 409,
  meaning: 'A charge point uses the tariff, or it is the default of a site or of the organization.',
})
