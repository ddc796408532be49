// A charge point of a managed site takes no limits. The actor of its site has tried every form.

import { defineAlertKind } from './define-kind.js'
import { counted_kw } from './details.js'

export const powerLimitRefused = defineAlertKind({
  name: 'power_limit_refused',
  severity: 'warning',
  meaning:
    'A charge point of a site refuses the limits of its power in every form that OCPP 1.6 has, so the site counts it with all that it can draw, and the others get less.',
  lasts: true,
  resolution: 'the charge point takes limits, or is in the site no more',
  nextStep:
    'Ask the manufacturer for a firmware with smart charging, state the max_power_kw that the charge point really has, or take it out of the site.',
  look: '/api/v1/smart-charging/sites/{site_id}/allocation',
  details: { counted_kw },
  find: (countedKw: number) => ({
    message: `the charge point refuses the limits of its site, which sets aside ${countedKw} kW for it`,
    details: { counted_kw: countedKw },
  }),
})
