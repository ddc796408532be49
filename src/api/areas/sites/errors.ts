// Why a charge point cannot be linked to a site.

import { defineError } from '../../../runtime/errors.js'

export const alreadyLinked = defineError('already_linked', {
  status: 409,
  meaning: 'The charge point is linked to a site already, this one or another.',
})
