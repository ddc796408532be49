// Bounds of the area: commissioning.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Models that a template is for. */
  compatibleModels: 100,
  /** How long an answer waits for a configuration that is being applied. */
  templateWaitsMs: 30_000,
  /** Applications that one installer waits for at a time, at each front: each is looked at four times a second. */
  templateWaitsOfInstaller: 5,
  /** Issues of a charge point, of an installer, and of all: anybody can sign up as an installer. They are kept for two years. */
  issuesOfChargePoint: 100,
  issuesOfInstaller: 2_000,
  issuesInAll: 100_000,
  descriptionLength: 2_000,
  photos: 5,
  photoUrlLength: 500,
})
