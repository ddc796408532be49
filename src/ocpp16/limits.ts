// Bounds of OCPP messages.

import { defineLimits } from '../runtime/define-limits.js'

export const limits = defineLimits({
  /** Characters of an OCPP message id; the standard has 36, and chargers with longer ones are still answered. */
  messageIdLength: 255,
  /** What one inbound OCPP payload broke, kept with it; further violations of the same payload are not listed. */
  violationsPerPayload: 50,
  /** Characters kept of a value that a charge point should not have sent. */
  violationReceivedLength: 100,
  /** Characters of a decimal number in a sampled value; longer ones are no measurement. */
  decimalLength: 64,
  /** Faults listed for one outbound OCPP payload of an API caller. */
  callFaults: 50,
})
