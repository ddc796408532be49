// Why an id tag cannot be registered.

import { defineError } from '../../../runtime/errors.js'

export const idTagExists = defineError('id_tag_exists', {
  status: 409,
  meaning: 'This id tag, or one that differs only in case, is already registered.',
})
