// A charge point has lost, or changed, values that were applied to it.

import { defineAlertKind, detail } from './define-kind.js'

/** What a message has room for. */
const shownKeys = 10

export const chargePointConfigurationDrifted = defineAlertKind({
  name: 'charge_point_configuration_drifted',
  severity: 'warning',
  meaning:
    'A charge point reports other values of configuration keys than those that were applied to it. The service looks for this after each start of the charge point, and whenever its configuration is read.',
  lasts: true,
  resolution: 'the configuration of the charge point is as it was applied',
  nextStep:
    'Compare the values (GET /api/v1/chargepoints/{charge_point_id}/configuration). If those that were applied are right, apply them again; otherwise change the overrides of the charge point.',
  look: '/api/v1/chargepoints/{charge_point_id}/configuration',
  details: { keys: detail.text('Keys', { description: 'The configuration keys whose values differ.' }) },
  find: (keys: readonly string[]) => {
    const shown = keys.slice(0, shownKeys).join(', ')
    const names = keys.length > shownKeys ? `${shown} and ${keys.length - shownKeys} more` : shown
    return {
      message: `the configuration of the charge point is no longer as it was applied: ${names}`,
      details: { keys: names },
    }
  },
})
