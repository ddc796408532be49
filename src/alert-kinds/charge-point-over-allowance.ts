// A charge point says more than is stored of one.

import { defineAlertKind } from './define-kind.js'

export const chargePointOverAllowance = defineAlertKind({
  name: 'charge_point_over_allowance',
  severity: 'warning',
  meaning:
    'A charge point sends more than is stored of one charge point in an hour. Of further meter values only the newest register of each session is stored, events of status changes are not published, and further transactions are refused until there is room again. Raised once until it is resolved, which takes an hour at least.',
  lasts: true,
  resolution: 'the charge point sends no more than can be stored',
  nextStep:
    'Check how often the charge point sends meter values, and whether it repeats messages: lower MeterValueSampleInterval or update its firmware.',
  find: () => ({
    message: 'the charge point sends more than can be stored of one, so that meter values and events are left out',
  }),
})
