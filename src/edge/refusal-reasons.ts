// Why connections of charge points are refused: the reasons as they are listed and counted, each declared once. The manual's table follows.

/** What has to hold for a charge point to come online, in the order in which it is looked at (door.ts). */
export const checks = [
  'reaches',
  'admitted',
  'path',
  'registered',
  'subprotocol',
  'certificate',
  'password',
  'flapping',
  'online',
] as const
export type Check = (typeof checks)[number]

export interface ReasonWords {
  /** Which did not hold. */
  readonly check: Check
  readonly cause: string
  readonly remedy: string
  /** What an installer can do, where that is something else. */
  readonly installerRemedy?: string
}

const askForPassword =
  'The organization that has claimed the charge point makes its password: ask it for one, and set that in the charge point.'

const issueAnother =
  'Issue a certificate for it (POST /api/v1/installer/charge-points/{charge_point_id}/certificates/generate); once an organization has claimed the charge point, ask that for one.'

/** What each means, and what to do about it. */
export const refusalReasons = {
  wrong_path: {
    check: 'path',
    cause: 'The address does not end in `/ocpp16/<charge_point_id>`.',
    remedy: 'Correct the address that is set in the charge point.',
  },
  bad_escape: {
    check: 'path',
    cause: 'The id in the address has a broken percent escape.',
    remedy: 'Write the id as it is registered.',
  },
  bad_identity: {
    check: 'path',
    cause: 'The id in the address is not 1 to 48 letters, digits and hyphens.',
    remedy: 'Give the charge point an id that is.',
  },
  unknown_charge_point: {
    check: 'registered',
    cause: 'Nobody has registered this id.',
    remedy: 'Register it, or correct the id that is set in the charge point.',
  },
  reserved_identity: {
    check: 'registered',
    cause: 'The id is a word that the API uses itself.',
    remedy: 'Give the charge point another one.',
  },
  too_many_self_registered: {
    check: 'registered',
    cause: 'As many charge points as may have registered themselves.',
    remedy:
      'Register this one, set `connector_count` of those that are yours, or raise `--self-registered-charge-points`.',
    installerRemedy: 'Register it.',
  },
  too_many_self_registrations: {
    check: 'registered',
    cause: 'Many charge points have registered themselves within an hour.',
    remedy: 'Register this one, wait, or raise `--self-registrations-per-hour`.',
    installerRemedy: 'Register it.',
  },
  too_many_self_registrations_of_address: {
    check: 'registered',
    cause:
      'Many charge points have registered themselves from this address within an hour: one address has a quarter of `--self-registrations-per-hour`.',
    remedy: 'Register this one, wait, or raise the setting.',
    installerRemedy: 'Register it.',
  },
  wrong_subprotocol: {
    check: 'subprotocol',
    cause: 'The charge point offers subprotocols, but not `ocpp1.6`.',
    remedy: 'Set it to OCPP 1.6-J.',
  },
  no_subprotocol: {
    check: 'subprotocol',
    cause: 'The charge point offers no subprotocol, and `--require-subprotocol` is set.',
    remedy: 'Set it to OCPP 1.6-J.',
  },
  two_authorizations: {
    check: 'password',
    cause: 'The connection brings two `Authorization` headers.',
    remedy: 'See which of them a proxy has added.',
  },
  no_password: {
    check: 'password',
    cause: 'The charge point has a password, but has sent none with its id as the user name.',
    remedy: 'Set the password in the charge point.',
    installerRemedy: askForPassword,
  },
  wrong_password: {
    check: 'password',
    cause: 'The password is not the one that was set.',
    remedy: 'Make a new one, and set it in the charge point.',
    installerRemedy: askForPassword,
  },
  no_certificate: {
    check: 'certificate',
    cause:
      'The charge point has to present a client certificate, because it has done so before or `certificate_required` is true.',
    remedy: 'Give it a certificate, or see why it no longer sends its own.',
    installerRemedy: `See why it no longer sends its own. ${issueAnother}`,
  },
  wrong_certificate: {
    check: 'certificate',
    cause: 'The common name of the certificate is not the id or the serial number of the charge point.',
    remedy: 'Issue one in that name, or correct the serial number of the charge point.',
    installerRemedy: issueAnother,
  },
  expired_certificate: {
    check: 'certificate',
    cause:
      'The certificate has expired, or is not valid yet. It was good when the TLS session began that the charge point resumes.',
    remedy: 'Issue a new one.',
    installerRemedy: issueAnother,
  },
  revoked_certificate: {
    check: 'certificate',
    cause: 'The certificate was revoked, or was issued for an earlier registration of the charge point.',
    remedy: 'Issue a new one.',
    installerRemedy: issueAnother,
  },
  superseded_certificate: {
    check: 'certificate',
    cause: 'The charge point has connected with a newer certificate, which has taken the place of this one.',
    remedy: 'Let it use the newer one, or issue another.',
    installerRemedy: `Let it use the newer one. ${issueAnother}`,
  },
  wrong_organization: {
    check: 'certificate',
    cause: 'The organization (O) of the certificate does not contain the name in `--cpo-name`.',
    remedy: 'Issue one with that organization.',
  },
  foreign_origin: {
    check: 'password',
    cause: 'A web page of another host connects as a charge point without a password.',
    remedy: 'Set a password, or allow the page with `--allowed-origins`.',
    installerRemedy: 'Ask the operator of the installation to allow the page.',
  },
  flapping: {
    check: 'flapping',
    cause: 'The charge point has connected more often than `--flap-connects-per-minute`.',
    remedy: 'Check its link and its power supply.',
  },
  flooding: {
    check: 'flapping',
    cause: 'The charge point has sent more than it may, and has to wait for `--flap-wait-seconds`.',
    remedy: 'Check what it sends; it comes back by itself.',
  },
  too_many_connects: {
    check: 'admitted',
    cause: 'More connections came within a second than `--connects-per-second`.',
    remedy: 'The charge point comes back by itself.',
  },
  overloaded: {
    check: 'admitted',
    cause: 'The service has more work than it can do.',
    remedy: 'The charge point comes back by itself.',
  },
  shutting_down: {
    check: 'admitted',
    cause: 'The service is stopping.',
    remedy: 'The charge point comes back when it runs again.',
  },
  too_many_refusals: {
    check: 'admitted',
    cause:
      'Too many connections from this address were refused (`--refusals-per-second`), so this one was not looked at.',
    remedy: 'All are counted, and one an hour is listed for each address.',
  },
  too_many_open_files: {
    check: 'admitted',
    cause: 'The process has nearly as many open files as it may, so the connection was closed at once.',
    remedy: 'Raise the limit (`ulimit -n`). It is counted, but not listed.',
  },
} as const satisfies Readonly<Record<string, ReasonWords>>

export type RefusalReason = keyof typeof refusalReasons

export const isRefusalReason = (reason: string): reason is RefusalReason => Object.hasOwn(refusalReasons, reason)
