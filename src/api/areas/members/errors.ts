// What an organization's members cannot do.

import { defineError } from '../../../runtime/errors.js'

export const memberExists = defineError('member_exists', {
  status: 409,
  meaning: 'This address already belongs to a member.',
})

export const lastAdmin = defineError('last_admin', {
  status: 409,
  meaning: 'The last admin of an organization cannot leave or lose the role.',
})
