// Every flag of sessions, declared once: what it says is odd. A new one is an entry here, and whoever finds it.

export const sessionFlags = {
  clock_suspect:
    'The charge point sent a time that cannot be right. The time of arrival, or that of its other messages, counts instead.',
  start_repeated:
    'The charge point repeated the StartTransaction after the session had ended, and got the same transaction id.',
  start_differs_in_meter:
    'The StartTransaction equals that of the previous session on the connector except for the meter reading. Both sessions are kept.',
  meter_start_missing: 'The StartTransaction has no meter reading.',
  unknown_connector: 'The session is on a connector that the charge point was not known to have.',
  not_authorized: 'The id tag was not accepted at the start, but the charge point charged all the same.',
  concurrent_transaction: 'The id tag was refused because it was already charging elsewhere.',
  reserved_for_another: 'The connector was reserved for another id tag.',
  tariff_unusable: 'The tariff that applied at the start could not be read. The session has no cost.',
  not_priced: 'The session could not be priced when it ended. It has no cost.',
  price_bounded: 'The session has more energy or time than can be priced. It is priced up to that bound.',
  meter_rolled_over: 'The register rolled over during the session. The energy is counted across the roll-over.',
  meter_reset: 'The register was reset during the session. The energy is counted across the reset.',
  meter_counts_per_session: 'The register counts from 0 in each session, whatever reading the StartTransaction has.',
  meter_stop_missing: 'The StopTransaction has no meter reading. The last metered value counts.',
  meter_stop_below_start:
    'The StopTransaction has a lower reading than the StartTransaction, without a reset or roll-over that explains it.',
  energy_implausible:
    'The session has more energy than its connector can have delivered in that time. It is billed as reported.',
  stop_before_start: 'The StopTransaction has an earlier time than the StartTransaction.',
  stop_differs: 'A later StopTransaction differs from the first one (`other_stops`). The first one counts.',
  reconciled: 'The StopTransaction named no transaction, or an unknown one, and was attached to this session.',
  estimated_close: 'The session was closed by estimate, without a StopTransaction.',
  closed_by_operator: 'An operator closed the session.',
  charge_point_silent:
    'The session was closed by estimate because its charge point had been offline for `session_silence_hours`.',
} as const

export type SessionFlag = keyof typeof sessionFlags

export const sessionFlagNames = Object.keys(sessionFlags) as readonly SessionFlag[]
