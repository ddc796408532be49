// Every flag of sessions, declared once: what it says is odd. A new one is an entry here, and whoever finds it.

export const sessionFlags = {
  clock_suspect:
    'The charge point told a time that cannot be right; the time of arrival, or of its other messages, counts instead.',
  start_repeated: 'Its StartTransaction came again after it had ended, and got the same transaction id.',
  start_differs_in_meter:
    'Its StartTransaction is that of the session before it on the connector, but for the meter reading; both are kept.',
  meter_start_missing: 'Its StartTransaction told no meter reading.',
  unknown_connector: 'It is on a connector that the charge point was not known to have.',
  not_authorized: 'Its id tag was not accepted at the start; the charge point has charged all the same.',
  concurrent_transaction: 'Its id tag was refused because it was charging already.',
  reserved_for_another: 'Its connector was reserved for another id tag.',
  tariff_unusable: 'The tariff that was assigned at its start could not be read, so it has no cost.',
  not_priced: 'It could not be priced at its end, so it has no cost.',
  price_bounded: 'It has more energy or time than a session is priced for, and is priced up to that bound.',
  meter_rolled_over: "The charge point's register rolled over in the session; its energy is counted across.",
  meter_reset: "The charge point's register was reset in the session; its energy is counted across.",
  meter_counts_per_session: 'The register counts from 0 in each session, whatever reading its start told.',
  meter_stop_missing: 'Its StopTransaction told no meter reading; the last metered one counts.',
  meter_stop_below_start: 'Its StopTransaction told a lower reading than its start, and nothing explains why.',
  energy_implausible: 'It has more energy than its connector can have delivered in its time; it is billed as told.',
  stop_before_start: 'Its StopTransaction told a time before its start.',
  stop_differs: 'Another StopTransaction came later and says something else (`other_stops`); the first one counts.',
  reconciled: 'Its StopTransaction named no transaction or an unknown one, and was attached to it.',
  estimated_close: 'It was closed by estimate, without a StopTransaction.',
  closed_by_operator: 'An operator has closed it.',
  charge_point_silent:
    'It was closed by estimate because its charge point had been offline for `session_silence_hours`.',
} as const

export type SessionFlag = keyof typeof sessionFlags

export const sessionFlagNames = Object.keys(sessionFlags) as readonly SessionFlag[]
