// A connector is Faulted, or with connector 0 the whole charge point.

import { defineWatchedKind, detail, type WatchedCause } from './define-kind.js'

const minuteMs = 60_000

interface Fault {
  readonly connector_id: number
  readonly error_code: string
  readonly info: string | null
  readonly vendor_error_code?: string
}

interface FaultFacts {
  readonly since: string
  readonly connectorId: number | undefined
  /** What the charge point has said; undefined where it has not named the connector since. */
  readonly fault: Fault | undefined
}

export const connectorFaulted = defineWatchedKind({
  name: 'connector_faulted',
  severity: 'warning',
  meaning: 'A connector, or with connector 0 the whole charge point, has been Faulted for longer than the threshold.',
  lasts: true,
  threshold: {
    name: 'connector_faulted_minutes',
    fallback: 1,
    minimum: 0,
    maximum: 1_440,
    meaning: 'For how long a connector has to be Faulted.',
  },
  resolution: 'the connector is no longer Faulted',
  nextStep:
    'Look up the error codes in the manual of the charge point. A reset may clear the fault; if it comes back, somebody has to go there.',
  look: '/api/v1/chargepoints/{charge_point_id}',
  details: {
    faulted_since: detail.time(),
    error_code: detail.text('Error code', { description: 'OCPP 1.6, 7.6' }),
    vendor_error_code: detail.text('Vendor error code'),
    info: detail.text('Info'),
  },
  find: ({ since, connectorId, fault }: FaultFacts) => ({
    message:
      connectorId === 0 ? 'the charge point is Faulted' : `connector ${connectorId} of the charge point is Faulted`,
    details: {
      faulted_since: since,
      ...(fault !== undefined && {
        error_code: fault.error_code,
        ...(fault.info !== null && { info: fault.info }),
        ...(fault.vendor_error_code !== undefined && { vendor_error_code: fault.vendor_error_code }),
      }),
    },
  }),
  watch: {
    time: 'beginning',
    dueMs: (minutes) => minutes * minuteMs,
    facts: ({ row, at, connectorId }: WatchedCause<{ readonly connectors: readonly Fault[] }>): FaultFacts => ({
      since: at,
      connectorId,
      fault: row.connectors.find(({ connector_id }) => connector_id === connectorId),
    }),
  },
})
