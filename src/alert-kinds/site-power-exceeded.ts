// What the charge points of a site may draw is more than its budget, for longer than a change of limits takes.

import { defineAlertKind, detail } from './define-kind.js'
import { counted_kw } from './details.js'

interface ExceededFacts {
  readonly countedKw: number
  readonly budgetKw: number
}

export const sitePowerExceeded = defineAlertKind({
  name: 'site_power_exceeded',
  severity: 'critical',
  meaning:
    'For two minutes, the charge points of a site may draw more together than its budget: some cannot be reached or take no limits, and the limits of the others are as low as they can be.',
  lasts: true,
  resolution: 'the charge points of the site may draw no more than its budget',
  nextStep:
    'Look at which charge points of the site are counted with more than their share: bring back those that are offline, and set the max_power_kw of those that take no limits.',
  look: '/api/v1/smart-charging/sites/{site_id}/allocation',
  details: { counted_kw, budget_kw: detail.number('Budget, kW') },
  find: ({ countedKw, budgetKw }: ExceededFacts) => ({
    message: `the charge points of the site may draw ${countedKw} kW, and its budget is ${budgetKw} kW`,
    details: { counted_kw: countedKw, budget_kw: budgetKw },
  }),
})
