// A log that says nothing: a world has thousands of troubles, and all of them are meant.

import pino from 'pino'

export const silentLog = pino({ level: 'silent' })
