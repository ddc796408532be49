// Bounds of the actor: alert clock.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Alerts of one kind and organization that become due in one look, so that an outage of a fleet is not one burst. */
    alertsPerLook: 500,
    /** Those of all organizations: what is left is in the next look. */
    alertsPerLookInAll: 2_000,
    /** Organizations that are told in one look that they have alerts to mail. */
    mailedOrganizationsPerLook: 500,
  },
  (bounds) => [
    [bounds.alertsPerLook <= bounds.alertsPerLookInAll, 'one kind of one organization has a share of a look'],
  ],
)
