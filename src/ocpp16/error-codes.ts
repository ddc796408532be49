// The CALLERROR codes of OCPP-J 1.6 (4.2.3), spelled as the standard spells them, typos included.
// Sends only those spellings; reads every spelling that peers are known to use.

export const ocppErrorCodes = [
  'NotImplemented',
  'NotSupported',
  'InternalError',
  'ProtocolError',
  'SecurityError',
  'FormationViolation',
  'PropertyConstraintViolation',
  'OccurenceConstraintViolation',
  'TypeConstraintViolation',
  'GenericError',
] as const

export type OcppErrorCode = (typeof ocppErrorCodes)[number]

const codeBySpelling = new Map<string, OcppErrorCode>([
  ...ocppErrorCodes.map((code): [string, OcppErrorCode] => [code.toLowerCase(), code]),
  // The corrected spellings, which other implementations send for 1.6 as well.
  ['formatviolation', 'FormationViolation'],
  ['occurrenceconstraintviolation', 'OccurenceConstraintViolation'],
  // OCPP 2.x codes that have a 1.6 equivalent.
  ['messagetypenotsupported', 'NotSupported'],
  ['rpcframeworkerror', 'ProtocolError'],
])

/** The code that a peer meant, in any case and known spelling; what no one knows is a GenericError. Never throws. */
export function readErrorCode(received: unknown): OcppErrorCode {
  if (typeof received !== 'string') return 'GenericError'
  return codeBySpelling.get(received.trim().toLowerCase()) ?? 'GenericError'
}
