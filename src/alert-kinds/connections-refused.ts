// Many connections of an organization's charge points are refused.

import { defineAlertKind, detail } from './define-kind.js'

export const connectionsRefused = defineAlertKind({
  name: 'connections_refused',
  severity: 'warning',
  meaning:
    "At least as many refused connections as the threshold were stored within an hour. Refused connections of ids that nobody has registered count for the operator's own organization; connections that are only asked to come back later do not count.",
  lasts: true,
  threshold: {
    name: 'refused_connections_per_hour',
    fallback: 100,
    minimum: 2,
    maximum: 10_000,
    meaning: 'How many connections have to be refused within an hour, over all charge points.',
  },
  resolution: 'the number of refused connections has fallen again',
  nextStep: 'See which ids are refused and why: a wrong password and an unregistered id are the usual reasons.',
  look: '/api/v1/cpo/connection-attempts',
  details: {
    refused_connections: detail.count('Refused connections within an hour, at least', {
      description: 'At least this many connections were refused within an hour.',
    }),
  },
  find: (threshold: number) => ({
    message: `at least ${threshold} connections were refused within an hour`,
    details: { refused_connections: threshold },
  }),
})

/** It ends well below where it began, so that it does not come and go. */
export function endsBelow(threshold: number): number {
  return Math.ceil(threshold / 2)
}
