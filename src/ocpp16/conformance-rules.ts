// The rules of OCPP 1.6 that charge points break and that the service gets along with, each with what breaking it means. What the
// repairing reader notes (violation.ts) are some of them.

export const conformanceRules = {
  'text-too-long': 'A text is longer than the standard allows. It was shortened.',
  'wrong-type': 'A value is of another type than it should be, such as a number written as text. It was converted.',
  'enumeration-spelling': 'A value of an enumeration is spelt in another way, or in another case.',
  'enumeration-unknown': 'A value is not one of the enumeration. A general one took its place.',
  'unknown-field': 'A field is not one of the message. It was ignored.',
  'null-field': 'A field is null. It was taken as absent.',
  'missing-field': 'A required field is missing. The service filled it in.',
  'unreadable-field': 'The value of a field cannot be read. It was left out, or the service filled it in.',
  'not-an-array': 'A single value stands where an array should. It was taken as an array of one.',
  'empty-array': 'An array has fewer elements than it must have.',
  'unreadable-item': 'An element of an array cannot be read. It was left out.',
  'timestamp-format': 'A time is not written as ISO 8601. It was read all the same.',
  'out-of-range': 'A number is outside of its range. It was taken as it is.',
  'decimal-format': 'A measured value is not written as a decimal number. It was read all the same.',
  'broken-json': 'A message is not valid JSON. It was repaired.',
  'malformed-frame': 'A frame is not an OCPP message, and could not be repaired. It was refused or ignored.',
  'unknown-message-type': 'A frame has a message type that OCPP 1.6 does not have. It was ignored.',
  'unknown-action':
    'A request has an action that OCPP 1.6 does not have, or that only a central system sends. It was refused.',
  'refused-request': 'A request has content that cannot be used. It was refused with an error.',
  'implausible-connector':
    'A message names a connector that the charge point cannot have. It was answered and not stored.',
} as const

export type ConformanceRule = keyof typeof conformanceRules
