// What an operator can do about a charge point that has failed in a rollout: the second half of its `detail`.

import type { UpdateError } from '../../records/firmware-rollout.js'

const again = 'then put the charge point into another rollout'

export const adviceOn: Readonly<Record<UpdateError, string>> = {
  signed_firmware_required:
    'A charge point with the security extension takes signed firmware only: make a rollout with signing_certificate and signature. One that has no firmware management at all (see its key SupportedFeatureProfiles) answers alike, and can only be updated by its maker.',
  not_supported: 'It cannot be updated by OCPP: update it as its maker says.',
  refused: `See in its manual or its diagnostics why it refuses; ${again}.`,
  invalid_certificate: `Check that signing_certificate is the one of its maker for this firmware; ${again}.`,
  revoked_certificate: 'Ask its maker for firmware that is signed with another certificate.',
  no_answer: `See whether its connection is stable and other commands reach it; ${again}.`,
  download_failed: `Check that the file is there, and that the charge point can reach its address; ${again}.`,
  invalid_signature: `Check that the signature is the one of this file, and the certificate the one that it was signed with; ${again}.`,
  installation_failed: `Check that the firmware is meant for this model and for the version that it runs; ${again}.`,
  install_verification_failed: `Check that the file is complete and meant for this model; ${again}.`,
  version_unchanged: `It may have rejected the firmware, or gone back to the one before: see its diagnostics; ${again}.`,
  other_version: `Check that the file is that of target_version, and that target_version is spelled as the charge point names it; ${again}.`,
  timeout: `See its diagnostics for how far it came, restart it if it hangs; ${again}.`,
  charge_point_removed: 'If it is registered again, put it into another rollout.',
  not_sent: 'It can be put into another rollout.',
}
