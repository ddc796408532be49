// The details of alerts, in words.

import type { AlertDetails } from '../../../records/alert-details.js'
import { numberText } from '../../documents/words.js'
import { timeText } from '../layout.js'

type Fact = readonly [name: string, value: string]

/** Undefined: told as the time since when the alert's cause holds. */
const labels: Readonly<Record<keyof AlertDetails, string | undefined>> = {
  error_code: 'Error code',
  vendor_error_code: 'Vendor error code',
  info: 'Info',
  offset_seconds: 'Clock behind by, seconds',
  refused_connections: 'Refused connections within an hour, at least',
  certificate: 'Certificate',
  expires_at: 'Ends at',
  free_bytes: 'Free space, bytes',
  low_bytes: 'Low from, bytes',
  guest_session_id: 'Guest session',
  session_id: 'Session',
  security_event: 'Security event',
  tech_info: 'Technical information',
  reported_at: 'Reported at',
  offline_since: undefined,
  faulted_since: undefined,
  failing_since: undefined,
}

const times: ReadonlySet<string> = new Set<keyof AlertDetails>(['expires_at', 'reported_at'])

export function detailFacts(details: AlertDetails | undefined, timeZone: string | undefined): readonly Fact[] {
  // What a later version has stored beside these stays unsaid.
  return (Object.entries(labels) as [keyof AlertDetails, string | undefined][]).flatMap(([name, label]) => {
    const value = details?.[name]
    if (label === undefined || value === undefined || value === '') return []
    if (typeof value === 'number') return [[label, numberText(value, 0)] as const]
    return [[label, times.has(name) ? timeText(value, timeZone) : value] as const]
  })
}
