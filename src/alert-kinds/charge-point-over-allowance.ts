// A charge point says more than is stored of one.

import { defineAlertKind } from './define-kind.js'

/** What of its allowance was used up first. */
export type UsedUp = 'bytes' | 'transactions'

const consequences: Readonly<Record<UsedUp, string>> = {
  bytes:
    'Of further meter values only the newest register of each session is stored, and events of status changes are left out',
  transactions: 'Further transactions are refused until there is room again',
}

/** The message of an open alert when this has been used up, too. */
export function messageWith(message: string, usedUp: UsedUp): string {
  const consequence = consequences[usedUp]
  return message.includes(consequence) ? message : `${message}. ${consequence}`
}

export const chargePointOverAllowance = defineAlertKind({
  name: 'charge_point_over_allowance',
  severity: 'warning',
  meaning:
    'A charge point sends more than is stored per charge point in an hour. Of further meter values only the newest register of each session is stored, and events of status changes are left out. Where it sends too many transactions, further ones are refused until there is room again. Raised once until it is resolved, which takes an hour at least.',
  lasts: true,
  resolution: 'the charge point sends no more than can be stored',
  nextStep:
    'Check that connector_count of the charge point is right, how often the charge point sends meter values, and whether it repeats messages: lower the number of values in MeterValuesSampledData, raise MeterValueSampleInterval, or update its firmware.',
  find: (usedUp: UsedUp) => ({
    message: `the charge point sends more than is stored per charge point in an hour. ${consequences[usedUp]}`,
  }),
})
