// Why events cannot be read on.

import { defineError } from '../../../runtime/errors.js'

export const cursorExpired = defineError('cursor_expired', {
  status: 410,
  meaning: 'Events after this cursor are no longer stored. Read again from the oldest event, without a cursor.',
})

export const tooManyStreams = defineError('too_many_streams', {
  status: 429,
  temporary: true,
  meaning:
    'The key, or the organization, has as many event streams open as it may have. Close one before you open another.',
})
