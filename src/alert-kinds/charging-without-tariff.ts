// A charge point charges for nothing, which may be an oversight.

import { defineAlertKind } from './define-kind.js'

export const chargingWithoutTariff = defineAlertKind({
  name: 'charging_without_tariff',
  severity: 'warning',
  meaning:
    "A session has started at a charge point that has no tariff, and costs nothing. Sent once for each charge point, and not at all with the organization's setting `free_charging`.",
  lasts: false,
  nextStep:
    'Assign a tariff to the charge point (PUT /api/v1/chargepoints/{charge_point_id}/tariff), set default_tariff_id in the settings of the organization, or set free_charging there if charging is meant to be free.',
  look: '/api/v1/chargepoints?tariff=none',
  find: () => ({
    message: 'a session has started at a charge point that has no tariff, so it is free, as are later ones',
  }),
})
