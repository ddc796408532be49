// Bounds of OCPP messages.

import { defineLimits } from '../runtime/define-limits.js'

export const limits = defineLimits({
  /** Characters of an OCPP message id; the standard has 36, and chargers with longer ones are still answered. */
  messageIdLength: 255,
  /** What one inbound OCPP payload broke, kept with it; further violations of the same payload are not listed. */
  violationsPerPayload: 50,
  /** Elements of an array that are read of a payload that breaks its schema: more than a frame holds of elements that say something. */
  repairedItems: 2_000,
  /** Characters kept of a value that a charge point should not have sent. */
  violationReceivedLength: 100,
  /** Characters of a decimal number in a sampled value; longer ones are no measurement. */
  decimalLength: 64,
  /** Faults listed for one outbound OCPP payload of an API caller. */
  callFaults: 50,
  /** Characters of a frame that is kept as a sample of what a charge point sends wrong, as sent and as shown. */
  sampledFrameCharacters: 8_192,
  sampleCharacters: 500,
  /** Of a sample: how deep it is shown, how many elements of an array or fields of an object, and how much of a text. */
  sampleDepth: 6,
  sampleEntries: 20,
  sampleTextCharacters: 60,
  /**
   * Values of a frame, commas in its texts included, in which secrets are looked for: four for each key of a configuration, of which few charge points have
   * a hundred. Where one with more may hold a secret, all of it is masked.
   */
  maskedValues: 2_000,
  /** Signs in the texts of a frame after which a value may follow a name, an address for ten of them; texts beyond them are masked whole. */
  maskedSigns: 2_000,
  signsOfAddress: 10,
  /** Bytes that are kept of one frame, in memory and in the log of messages; the rest of a longer one is cut. */
  keptFrameBytes: 16_384,
  /** Characters of an action, or of an error's code, that a request and its answer are listed with; and what is listed of what they break. */
  exchangeActionCharacters: 64,
  exchangeViolations: 20,
})
