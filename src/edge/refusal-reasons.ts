// Why connections of charge points are refused: the reasons as they are listed and counted, each declared once. The manual's table follows.

/** What each means, and what to do about it. */
export const refusalReasons = {
  wrong_path:
    'The address does not end in `/ocpp16/<charge_point_id>`. Correct the address that is set in the charge point.',
  bad_escape: 'The id in the address has a broken percent escape. Write the id as it is registered.',
  bad_identity:
    'The id in the address is not 1 to 48 letters, digits and hyphens. Give the charge point an id that is.',
  unknown_charge_point:
    'Nobody has registered this id. Register it, or correct the id that is set in the charge point.',
  reserved_identity: 'The id is a word that the API uses itself. Give the charge point another one.',
  too_many_self_registered:
    'As many charge points as may have registered themselves. Register this one, set `connector_count` of those that are yours, or raise `--self-registered-charge-points`.',
  too_many_self_registrations:
    'Many charge points have registered themselves within an hour. Register this one, wait, or raise `--self-registrations-per-hour`.',
  too_many_self_registrations_of_address:
    'Many charge points have registered themselves from this address within an hour: one address has a quarter of `--self-registrations-per-hour`. Register this one, wait, or raise the setting.',
  wrong_subprotocol: 'The charge point offers subprotocols, but not `ocpp1.6`. Set it to OCPP 1.6-J.',
  no_subprotocol: 'The charge point offers no subprotocol, and `--require-subprotocol` is set.',
  two_authorizations: 'The connection brings two `Authorization` headers. See which of them a proxy has added.',
  no_password:
    'The charge point has a password, but has sent none with its id as the user name. Set the password in the charge point.',
  wrong_password: 'The password is not the one that was set. Make a new one, and set it in the charge point.',
  no_certificate:
    'The charge point has to present a client certificate, because it has done so before or `certificate_required` is true.',
  wrong_certificate: 'The common name of the certificate is not the id or the serial number of the charge point.',
  revoked_certificate:
    'The certificate was revoked, or was issued for an earlier registration of the charge point. Issue a new one.',
  superseded_certificate:
    'The charge point has connected with a newer certificate, which has taken the place of this one. Let it use the newer one, or issue another.',
  wrong_organization: 'The organization (O) of the certificate does not contain the name in `--cpo-name`.',
  foreign_origin:
    'A web page of another host connects as a charge point without a password. Set a password, or allow the page with `--allowed-origins`.',
  flapping:
    'The charge point has connected more often than `--flap-connects-per-minute`. Check its link and its power supply.',
  flooding: 'The charge point has sent more than it may, and has to wait for `--flap-wait-seconds`.',
  too_many_connects:
    'More connections came within a second than `--connects-per-second`. The charge point comes back by itself.',
  overloaded: 'The service has more work than it can do. The charge point comes back by itself.',
  shutting_down: 'The service is stopping. The charge point comes back when it runs again.',
  too_many_refusals:
    'Too many connections from this address were refused (`--refusals-per-second`), so this one was not looked at. All are counted, and one an hour is listed for each address.',
  too_many_open_files:
    'The process has nearly as many open files as it may, so the connection was closed at once. Raise the limit (`ulimit -n`). It is counted, but not listed.',
} as const

export type RefusalReason = keyof typeof refusalReasons
