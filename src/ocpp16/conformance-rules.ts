// The rules of OCPP 1.6 that charge points break and that the service gets along with, each with what breaking it means and what the service does then.
// What the repairing reader notes (violation.ts) are some of them.

/** `repaired`: what was meant was taken. `ignored`: it had no effect. */
export const ruleOutcomes = ['repaired', 'refused', 'ignored'] as const
export type RuleOutcome = (typeof ruleOutcomes)[number]

interface RuleDefinition {
  readonly outcome: RuleOutcome
  /** Where the standard has the rule, of edition 2; the others follow from the message (standard.ts). */
  readonly section?: string
  readonly meaning: string
}

const rules = {
  'text-too-long': {
    outcome: 'repaired',
    meaning: 'A text is longer than the standard allows. It was shortened.',
  },
  'wrong-type': {
    outcome: 'repaired',
    meaning: 'A value is of another type than it should be, such as a number written as text. It was converted.',
  },
  'enumeration-spelling': {
    outcome: 'repaired',
    meaning: 'A value of an enumeration is spelt in another way, or in another case.',
  },
  'enumeration-unknown': {
    outcome: 'repaired',
    meaning: 'A value is not one of the enumeration. A general one took its place.',
  },
  'unknown-field': {
    outcome: 'repaired',
    meaning: 'A field is not one of the message. It was ignored.',
  },
  'null-field': {
    outcome: 'repaired',
    meaning: 'A field is null. It was taken as absent.',
  },
  'missing-field': {
    outcome: 'repaired',
    meaning: 'A required field is missing. The service filled it in.',
  },
  'unreadable-field': {
    outcome: 'repaired',
    meaning: 'The value of a field cannot be read. It was left out, or the service filled it in.',
  },
  'not-an-array': {
    outcome: 'repaired',
    meaning: 'A single value stands where an array should. It was taken as an array of one.',
  },
  'empty-array': {
    outcome: 'repaired',
    meaning: 'An array has fewer elements than it must have.',
  },
  'unreadable-item': {
    outcome: 'repaired',
    meaning: 'An element of an array cannot be read. It was left out.',
  },
  'timestamp-format': {
    outcome: 'repaired',
    section: 'OCPP 1.6, 3.15',
    meaning: 'A time is not written as ISO 8601. It was read all the same.',
  },
  'out-of-range': {
    outcome: 'repaired',
    meaning: 'A number is outside of its range. It was taken as it is.',
  },
  'decimal-format': {
    outcome: 'repaired',
    meaning: 'A measured value is not written as a decimal number. It was read all the same.',
  },
  'broken-json': {
    outcome: 'repaired',
    section: 'OCPP-J 1.6, 4.2',
    meaning: 'A message is not valid JSON. It was repaired.',
  },
  'malformed-frame': {
    outcome: 'refused',
    section: 'OCPP-J 1.6, 4.2',
    meaning: 'A frame is not an OCPP message, and could not be repaired. It was refused or ignored.',
  },
  'unknown-message-type': {
    outcome: 'ignored',
    section: 'OCPP-J 1.6, 4.1.3',
    meaning: 'A frame has a message type that OCPP 1.6 does not have. It was ignored.',
  },
  'unknown-action': {
    outcome: 'refused',
    section: 'OCPP-J 1.6, 4.2.1',
    meaning:
      'A request has an action that OCPP 1.6 does not have, or that only a central system sends. It was refused.',
  },
  'refused-request': {
    outcome: 'refused',
    meaning: 'A request has content that cannot be used. It was refused with an error.',
  },
  'implausible-connector': {
    outcome: 'ignored',
    section: 'OCPP 1.6, 3.8',
    meaning: 'A message names a connector that the charge point cannot have. It was answered and not stored.',
  },
} as const satisfies Readonly<Record<string, RuleDefinition>>

export type ConformanceRule = keyof typeof rules

export const conformanceRules: Readonly<Record<ConformanceRule, RuleDefinition>> = rules
