// Every kind of alert, declared once: what it means, how much it matters, whether it ends, and the setting that rules it. A new
// one is an entry here, and whoever finds its cause.

export const alertSeverities = ['critical', 'warning'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

/** What an organization may set: whole numbers, or null for an alert that it does not want. */
export const alertThresholds = {
  charge_point_offline_minutes: {
    fallback: 15,
    minimum: 1,
    maximum: 10_080,
    meaning: 'time without a connection after which a charge point that was connected before is offline',
  },
  connector_faulted_minutes: {
    fallback: 1,
    minimum: 0,
    maximum: 1_440,
    meaning: 'time for which a connector has to be Faulted',
  },
  refused_connections_per_hour: {
    fallback: 100,
    minimum: 2,
    maximum: 10_000,
    meaning: 'refused connections within an hour, over all charge points',
  },
  webhook_failing_minutes: {
    fallback: 60,
    minimum: 1,
    maximum: 7_200,
    meaning: 'time for which every delivery to a webhook endpoint has to fail',
  },
  certificate_days: {
    fallback: 30,
    minimum: 1,
    maximum: 365,
    meaning: 'time before the end of a certificate',
  },
  clock_skew_seconds: {
    fallback: 300,
    minimum: 30,
    maximum: 86_400,
    meaning: 'how far the clock of a charge point has to be off',
  },
} as const

export type ThresholdName = keyof typeof alertThresholds
export type AlertThresholds = Readonly<Record<ThresholdName, number | null>>

interface KindDeclaration {
  readonly severity: AlertSeverity
  readonly meaning: string
  /** False for a notice: it tells of something that has happened, and nothing resolves it. */
  readonly lasts: boolean
  /** Absent where an organization has no say. */
  readonly threshold?: ThresholdName
  /** What is told when its cause is gone. */
  readonly resolution?: string
  /** What whoever is woken by its mail does first. */
  readonly nextStep: string
  /** Where the API shows more of it; what is in braces is of the alert, or of its details. */
  readonly look?: string
}

function defineKinds<const Name extends string>(
  kinds: Readonly<Record<Name, KindDeclaration>>,
): Readonly<Record<Name, KindDeclaration>> {
  return kinds
}

export const alertKinds = defineKinds({
  charge_point_offline: {
    severity: 'warning',
    meaning: 'A charge point has been offline for longer than the threshold.',
    lasts: true,
    threshold: 'charge_point_offline_minutes',
    resolution: 'the charge point is connected again',
    nextStep:
      'Check the power and the network of the charge point. If it tries to connect and is refused, the refused attempts say why.',
    look: '/api/v1/cpo/connection-attempts?charge_point_id={charge_point_id}',
  },
  connector_faulted: {
    severity: 'warning',
    meaning: 'A connector, or with connector 0 the whole charge point, has been Faulted for longer than the threshold.',
    lasts: true,
    threshold: 'connector_faulted_minutes',
    resolution: 'the connector is not Faulted any more',
    nextStep:
      'Look up the error codes in the manual of the charge point. A reset may clear the fault; if it comes back, somebody has to go there.',
    look: '/api/v1/chargepoints/{charge_point_id}',
  },
  charge_point_clock_off: {
    severity: 'warning',
    meaning:
      "A charge point's clock is off by more than the threshold: three messages or more have shown it over five minutes, and none between them a right clock.",
    lasts: true,
    threshold: 'clock_skew_seconds',
    resolution: 'the clock of the charge point is right again',
    nextStep: 'Check the time source of the charge point; a restart usually makes it take the time of the service.',
  },
  connections_refused: {
    severity: 'warning',
    meaning:
      "More connections than the threshold were refused within an hour. Those of ids that nobody has registered count for the installation's own organization; those that are only told to come later do not count.",
    lasts: true,
    threshold: 'refused_connections_per_hour',
    resolution: 'few connections are refused again',
    nextStep: 'See which ids are refused and why: a wrong password and an unregistered id are the usual reasons.',
    look: '/api/v1/cpo/connection-attempts',
  },
  webhook_endpoint_failing: {
    severity: 'warning',
    meaning: 'Every delivery to a webhook endpoint has failed for longer than the threshold.',
    lasts: true,
    threshold: 'webhook_failing_minutes',
    resolution: 'the webhook endpoint takes deliveries again',
    nextStep:
      'Check the receiver. Events are kept and sent again; after five days of failures the endpoint is switched off.',
    look: '/api/v1/webhooks/endpoints/{webhook_endpoint_id}/deliveries',
  },
  certificate_expiring: {
    severity: 'warning',
    meaning:
      "The client certificate of a charge point ends soon; or, for the installation's own organization, that of the listener or of the authority of client certificates.",
    lasts: true,
    threshold: 'certificate_days',
    resolution: 'the certificate has been replaced',
    nextStep: 'Replace the certificate before it ends; from then on, connections that need it fail.',
  },
  storage_space_low: {
    severity: 'critical',
    meaning: "The disk of the store has little free space. It is told the installation's own organization.",
    lasts: true,
    resolution: 'the disk of the store has free space again',
    nextStep:
      'Free or add disk space. When less is left, the service refuses changes, and at last takes transactions only.',
  },
  webhook_endpoint_disabled: {
    severity: 'critical',
    meaning: 'A webhook endpoint was switched off, because its deliveries have only failed for days.',
    lasts: false,
    nextStep: 'Repair the receiver, and switch the endpoint on again; then replay what it has missed.',
    look: '/api/v1/webhooks/endpoints/{webhook_endpoint_id}',
  },
  security_event: {
    severity: 'warning',
    meaning: 'A charge point reports a security event (security whitepaper, A04).',
    lasts: false,
    nextStep: "Check with the manufacturer's documentation whether somebody has tampered with the charge point.",
  },
  certificate_request_refused: {
    severity: 'warning',
    meaning:
      'The service has not signed a certificate request of a charge point; the message says why. Told once an hour at most for each charge point.',
    lasts: false,
    nextStep:
      'Correct what the reason names; the charge point asks again by itself or after an ExtendedTriggerMessage.',
  },
  certificate_not_installed: {
    severity: 'warning',
    meaning:
      'A charge point has refused the certificate that it had asked for and the service has signed, or has not answered within two minutes; the message says why. Sent once an hour at most for each charge point.',
    lasts: false,
    nextStep:
      'Check that the charge point trusts the authority that signs, and takes a chain of its length. It can ask again after an ExtendedTriggerMessage with SignChargePointCertificate.',
  },
  guest_payment: {
    severity: 'warning',
    meaning: 'The payment of a guest session has failed, or does not cover its cost.',
    lasts: false,
    nextStep: 'Settle the payment with the guest, or with your payment provider.',
  },
  session_closed_after_silence: {
    severity: 'warning',
    meaning:
      "A running session was closed by estimate, because its charge point has been offline for the organization's `session_silence_hours`.",
    lasts: false,
    nextStep: 'Nothing, unless the charge point has been decommissioned: a late StopTransaction corrects the estimate.',
    look: '/api/v1/sessions/{session_id}',
  },
  session_implausible: {
    severity: 'warning',
    meaning:
      'A session has ended with more energy than its connector can have delivered, and is billed as the charge point tells it: it has the flag `energy_implausible`. Sent once an hour at most for each charge point.',
    lasts: false,
    nextStep: 'Check the meter of the charge point, and its max_power_kw, before the session is invoiced.',
    look: '/api/v1/sessions/{session_id}',
  },
  charging_without_tariff: {
    severity: 'warning',
    meaning:
      "A session has started at a charge point that has no tariff, and costs nothing. Told once for each charge point, and not at all with the organization's setting `free_charging`.",
    lasts: false,
    nextStep:
      'Assign a tariff to the charge point, set a default tariff, or set free_charging if charging is meant to be free.',
    look: '/api/v1/chargepoints/{charge_point_id}/tariff',
  },
  guest_charge_not_stopped: {
    severity: 'critical',
    meaning:
      'A guest charges on although what was set aside is used up, because the charge point has not stopped the charge. It is asked again until it does.',
    lasts: true,
    resolution: 'the charge has ended, or costs less than was foreseen',
    nextStep:
      'Have the charge point stop the session, or have somebody unplug it: what it delivers from now on is not covered.',
  },
  charge_point_quarantined: {
    severity: 'critical',
    meaning:
      'Messages of a charge point failed in the service again and again; they are refused for a minute each time, and for ten minutes or more where they have ended a thread of the service. Told once an hour at most.',
    lasts: false,
    nextStep: 'Read the log of the service for the message that fails, and report it to its developers.',
  },
  commands_quarantined: {
    severity: 'critical',
    meaning:
      'Commands to a charge point, or bulk commands, failed in the service again and again. These alone are refused, for a minute each time, and for ten minutes or more where they have ended a thread of the service. Told once an hour at most.',
    lasts: false,
    nextStep: 'Read the log of the service for the command that fails, and report it to its developers.',
  },
  invoices_quarantined: {
    severity: 'critical',
    meaning: 'A month could not be invoiced; it is tried again. Told once an hour at most.',
    lasts: false,
    nextStep: 'Read the log of the service for the reason, and report it to its developers.',
  },
})

export type AlertKind = keyof typeof alertKinds

export const alertKindNames = Object.keys(alertKinds) as readonly AlertKind[]

/** Whether this version has such alerts: a store may hold what a later version has noted. */
export function isAlertKind(name: string): name is AlertKind {
  return Object.hasOwn(alertKinds, name)
}

export function isCritical(name: string): boolean {
  return isAlertKind(name) && alertKinds[name].severity === 'critical'
}

/** Null: it is not wanted. Undefined: an organization has no say. */
export function thresholdOf(set: Partial<AlertThresholds> | undefined, kind: AlertKind): number | null | undefined {
  const name = alertKinds[kind].threshold
  if (name === undefined) return undefined
  const chosen = set?.[name]
  return chosen === undefined ? alertThresholds[name].fallback : chosen
}
