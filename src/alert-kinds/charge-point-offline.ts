// A charge point has no connection.

import { defineWatchedKind } from './define-kind.js'
import { offline_since } from './details.js'

const minuteMs = 60_000

export const chargePointOffline = defineWatchedKind({
  name: 'charge_point_offline',
  severity: 'warning',
  meaning: 'A charge point has been offline for longer than the threshold.',
  lasts: true,
  threshold: {
    name: 'charge_point_offline_minutes',
    fallback: 15,
    minimum: 1,
    maximum: 10_080,
    meaning: 'For how long a charge point that was connected before has to be without a connection.',
  },
  resolution: 'the charge point is connected again',
  nextStep:
    'Check the power and the network of the charge point. If it tries to connect and is refused, the refused attempts say why.',
  look: '/api/v1/cpo/connection-attempts?charge_point_id={charge_point_id}',
  details: { offline_since },
  find: (since: string) => ({
    message: `the charge point has been offline since ${since}`,
    details: { offline_since: since },
  }),
  watch: {
    time: 'beginning',
    dueMs: (minutes) => minutes * minuteMs,
    facts: ({ row, at }: { readonly row: { readonly disconnected_at?: string }; readonly at: string }) =>
      row.disconnected_at ?? at,
  },
})
