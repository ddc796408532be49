// Bounds of the console.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Sessions of one key or member at a time: another one ends the oldest. */
  sessionsOfCaller: 20,
  /** Codes that may be tried of one mail. */
  triesOfCode: 5,
  /** Organizations that one address may be a member of, as far as signing in goes. */
  organizationsOfAddress: 100,
  passkeysOfMember: 20,
  /** Characters that are kept of what a browser calls itself. */
  agentCharacters: 200,
})
