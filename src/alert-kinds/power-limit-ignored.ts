// A charge point has confirmed a limit, and draws more. The actor of its site sees it in the meter values.

import { defineAlertKind, detail } from './define-kind.js'

interface IgnoredFacts {
  readonly connectorId: number
  readonly drawnKw: number
  readonly allowedKw: number
}

export const powerLimitIgnored = defineAlertKind({
  name: 'power_limit_ignored',
  severity: 'warning',
  meaning:
    'A charge point of a site has confirmed a limit of its power, and its meter values show that it draws more. The site counts what it draws, and the others get less.',
  lasts: true,
  resolution: 'the charge point draws no more than it is allowed',
  nextStep:
    'Ask the manufacturer for a firmware that keeps charging profiles. Until then the power of the others is cut; the charge point can be limited by hand at its fuse.',
  look: '/api/v1/smart-charging/sites/{site_id}/allocation',
  details: { drawn_kw: detail.number('Drawn, kW'), allowed_kw: detail.number('Allowed, kW') },
  find: ({ connectorId, drawnKw, allowedKw }: IgnoredFacts) => ({
    message: `connector ${connectorId} of the charge point draws ${drawnKw} kW, and has confirmed a limit of ${allowedKw} kW`,
    details: { drawn_kw: drawnKw, allowed_kw: allowedKw },
  }),
})
