// A log that says nothing: a world has thousands of troubles, and all of them are meant. But no trouble may break a rule that the service
// asserts: those that were broken are kept here until the world takes them.

import pino from 'pino'
import { isBroken } from '../../src/runtime/assert.js'

const broken: string[] = []

export function noteIfBroken(error: unknown): void {
  if (isBroken(error)) broken.push(error.message)
}

/** What was broken since it was taken last, in words. */
export function takeBroken(): readonly string[] {
  return broken.splice(0)
}

export const silentLog = pino({
  level: 'error',
  hooks: {
    logMethod([about]: readonly unknown[]) {
      if (typeof about === 'object' && about !== null && 'err' in about) noteIfBroken(about.err)
    },
  },
})
