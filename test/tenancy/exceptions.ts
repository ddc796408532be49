// What only looks like an identifier, and identifiers by which an operation may tell another organization's thing from an absent one: each with the reason.

/** What only looks like an identifier of something that organizations have, and why it is none. */
export const notIdentifiers: Readonly<Record<string, string>> = {
  connector_id: 'a number on a charge point',
  unknown_id_tags: 'a choice among words',
  parent_id_tag: 'a group of tags that the organization names as it likes',
  payment_method_id: "the payment provider's",
  group_by: 'the way in which a report is grouped',
  vat_id: "the tax authority's, printed as the organization gives it",
  token: 'that of an invitation is good for whoever has it, whatever their organization',
  cursor: "a place in the caller's own list, which finds nothing by itself",
  'registerInstallerChargePoint.project_id': 'a name that the installer chooses, which stands for nothing here',
  'listInstallerChargePoints.project_id': "a name of the installer's own",
  'updateInstallerChargePoint.project_id': "a name of the installer's own",
  'startCommissioning.template_id': 'that of a template of the installation, which all installers share',
  'restartCommissioning.template_id': 'that of a template of the installation, which all installers share',
  'applyCommissioningTemplate.template_id': 'that of a template of the installation, which all installers share',
  'getCommissioningLogs.session_id': 'a commissioning of the charge point in the path, and of no other',
  'getCommissioningReport.session_id': 'a commissioning of the charge point in the path, and of no other',
  'getChargePointCommissioningReport.session_id': 'a commissioning of the charge point in the path, and of no other',
  issue_id: 'an issue of the charge point in the path, and of no other',
  'listMessages.message_id': 'an id that OCPP gives to a message of the charge point in the path',
  'streamMessages.message_id': 'an id that OCPP gives to a message of the charge point in the path',
  evse_id: 'a name that the organization gives to a connector of its own charge point',
  realtime_unknown_tokens: 'a choice',
  party_id: 'a name that an office gives out, which stands for an organization everywhere',
  location_ids: 'of the locations that a partner sees, which are those of its organization in any case',
  tariff_ids: 'of the tariffs that a partner sees, which are those of its organization in any case',
  model_id: 'that of a vendor, model and firmware version, the same for everybody',
  chargingProfileId: 'a number that the caller gives to a profile on its own charge point',
  'addPasskey.id': 'what an authenticator calls its key, which only its owner can use',
  'clearChargingProfile.id': 'a number that the caller gave to a profile on its own charge point',
  transactionId: "in a charging profile, sent to the caller's own charge point as it is",
  'reserveNow.reservation_id': 'a number that the caller gives to a reservation on its own charge point',
  'cancelOcppReservation.reservation_id': 'a number that the caller gave to a reservation on its own charge point',
}

export interface Exception {
  readonly why: string
  /** It becomes the identifier of what the request makes: each request has a new one. */
  readonly chosen?: true
  /** Another's identifier may be told from an absent one. */
  readonly tells?: true
  /** The caller's own is answered as an absent one is. */
  readonly indifferent?: true
}

export const exceptions: Readonly<Record<string, Exception>> = {
  'removePasskey.passkey_id': {
    why: 'passkeys are of members who have signed in, and tenants here call with keys',
    indifferent: true,
  },
  'registerChargePoint.charge_point_id': {
    why: 'charge points connect under their ids, so no two organizations can have one: 409 charge_point_exists',
    chosen: true,
    tells: true,
  },
  'registerInstallerChargePoint.charge_point_id': {
    why: 'it is the same set of ids: 409 charge_point_exists',
    chosen: true,
    tells: true,
  },
  'getWaitingCommands.charge_point_id': { why: 'no command waits for an answer', indifferent: true },
  'endInstallation.charge_point_id': { why: 'no installer has registered the charge point', indifferent: true },
  'closeChargePointIssue.charge_point_id': { why: 'no installer has registered the charge point', indifferent: true },
  'getRevenue.site_id': { why: 'the session at the site is older than the period that is summed', indifferent: true },
  'getRevenue.partner_id': { why: 'the drivers of the partner have no session in the period', indifferent: true },
  'streamEvents.site_id': { why: 'nothing happens at the site while the stream is read', indifferent: true },
  'streamMessages.transaction_id': { why: 'nothing is said while the stream is read', indifferent: true },
  'createIdTag.id_tag': { why: 'every organization has its own tags', chosen: true },
  'inviteSiteOwner.project_id': { why: 'it is answered as it was sent', indifferent: true },
  'remoteStartTransaction.id_tag': { why: 'the charge point decides about the tag', indifferent: true },
  'reserveNow.id_tag': { why: 'the charge point decides about the tag', indifferent: true },
}
