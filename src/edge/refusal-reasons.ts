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
  /** For the manual alone: which setting of the service decides it. Who runs the service sets it, and who reads the rest does not know it. */
  readonly setting?: string
}

const askForPassword =
  'The organization that has claimed the charge point makes its password: ask it for one, and set that in the charge point.'

const issueAnother =
  'Issue a certificate for it (POST /api/v1/installer/charge-points/{charge_point_id}/certificates/generate); once an organization has claimed the charge point, ask that for one.'

/** What each means, and what to do about it. */
export const refusalReasons = {
  no_identity: {
    check: 'path',
    cause:
      'The address that is set in the charge point lacks its id, so that nobody can tell which charge point it is.',
    remedy: 'Add a slash and the id of the charge point to the end of the address.',
  },
  wrong_path: {
    check: 'path',
    cause: 'The address that is set in the charge point is wrong: it has to end in /ocpp16/ and the id.',
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
    cause: 'The id is a word that the service uses itself.',
    remedy: 'Give the charge point another one.',
  },
  too_many_self_registered: {
    check: 'registered',
    cause: 'As many charge points as may have registered themselves.',
    remedy: 'Register this one.',
    setting:
      'Those whose `connector_count` somebody has set do not count. The bound is `--self-registered-charge-points`.',
    installerRemedy: 'Register it.',
  },
  too_many_self_registrations: {
    check: 'registered',
    cause: 'Many charge points have registered themselves within an hour.',
    remedy: 'Register this one, or wait an hour.',
    setting: 'The bound is `--self-registrations-per-hour`.',
    installerRemedy: 'Register it.',
  },
  too_many_self_registrations_of_address: {
    check: 'registered',
    cause: 'Many charge points have registered themselves from this address within an hour.',
    remedy: 'Register this one, or wait an hour.',
    setting: 'One address has a quarter of `--self-registrations-per-hour`.',
    installerRemedy: 'Register it.',
  },
  wrong_subprotocol: {
    check: 'subprotocol',
    cause: 'The charge point speaks another version of OCPP than 1.6-J, which is the one that is spoken here.',
    remedy: 'Set the charge point to OCPP 1.6-J (OCPP 1.6 with JSON). If it has no such setting, ask its manufacturer.',
    setting: 'It offers subprotocols, but not `ocpp1.6`.',
  },
  no_subprotocol: {
    check: 'subprotocol',
    cause: 'The charge point does not say which version of OCPP it speaks.',
    remedy: 'Set the charge point to OCPP 1.6-J (OCPP 1.6 with JSON). If it is set to that, update its firmware.',
    setting: 'It offers no subprotocol, and `--require-subprotocol` is set.',
  },
  two_authorizations: {
    check: 'password',
    cause: 'The connection brings two passwords (Authorization headers), so that it is not clear who connects.',
    remedy: 'See which of them a proxy has added.',
  },
  no_password: {
    check: 'password',
    cause: 'The charge point signs in without a password, or with a user name that is not its id.',
    remedy:
      'Set both in the charge point: its id as the user name, and its password. If nobody has the password any more, make a new one.',
    installerRemedy: askForPassword,
  },
  wrong_password: {
    check: 'password',
    cause: 'The charge point signs in with a wrong password.',
    remedy:
      'Set its password in the charge point again. If nobody has the password any more, make a new one, and set that.',
    installerRemedy: askForPassword,
  },
  no_certificate: {
    check: 'certificate',
    cause:
      'The charge point has to present a client certificate, because it has done so before or is registered so, and has sent none.',
    remedy: 'Give it a certificate, or see why it no longer sends its own.',
    installerRemedy: `See why it no longer sends its own. ${issueAnother}`,
    setting: 'It is registered so with `certificate_required`.',
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
    cause: 'The organization (O) of the certificate is not that of the operator.',
    remedy: 'Issue one with the name of the operator as its organization.',
    setting: 'The name is set with `--cpo-name`.',
  },
  foreign_origin: {
    check: 'password',
    cause: 'A web page of another host connects as a charge point without a password.',
    remedy: 'Make a password for the charge point, or have whoever runs the service allow the page.',
    setting: 'Pages are allowed with `--allowed-origins`.',
    installerRemedy: 'Ask the operator of the installation to allow the page.',
  },
  flapping: {
    check: 'flapping',
    cause:
      'The charge point reconnects again and again within a minute: something ends each of its connections, so that it has to wait before the next.',
    remedy:
      'Check its network link (signal, SIM card, cable, router), then its power supply. If both are good, see whether another charge point has been given the same id.',
    setting: 'How often is too often is set with `--flap-connects-per-minute`, the wait with `--flap-wait-seconds`.',
  },
  flooding: {
    check: 'flapping',
    cause: 'The charge point has sent more than it may, and has to wait a while before it may come again.',
    remedy: 'See what it sends again and again, and have it send less. It comes back by itself.',
    setting: 'The wait is set with `--flap-wait-seconds`.',
  },
  too_many_connects: {
    check: 'admitted',
    cause: 'Very many charge points connected at the same moment, so that this one has to wait.',
    remedy: 'The charge point comes back by itself.',
    setting: 'How many a second are taken is set with `--connects-per-second`.',
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
      'So many connections from the address of this charge point were refused that this one was not looked at. What is wrong may be with another charge point there.',
    remedy:
      'See which charge points from this address are refused, and correct those first. All come back by themselves.',
    setting:
      'How many a second are too many is set with `--refusals-per-second`. All are counted, and one an hour is listed for each address.',
  },
  too_many_open_files: {
    check: 'admitted',
    cause: 'The service has nearly as many open files as it may, so the connection was closed at once.',
    remedy: 'Have whoever runs the service raise that limit.',
    setting: 'The limit is `ulimit -n`. It is counted, but not listed.',
  },
} as const satisfies Readonly<Record<string, ReasonWords>>

export type RefusalReason = keyof typeof refusalReasons

export const isRefusalReason = (reason: string): reason is RefusalReason => Object.hasOwn(refusalReasons, reason)
