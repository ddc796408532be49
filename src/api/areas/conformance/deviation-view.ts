// A deviation as callers see it: what was done, where the standard says how it should be, and a frame of it.

import { Type } from 'typebox'
import { type ConformanceRule, conformanceRules, ruleOutcomes, standardOf } from '../../../ocpp16/index.js'
import type { StoredDeviation } from '../../../records/deviation.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { Showing } from './shown-texts.js'

export const rules = Object.keys(conformanceRules) as ConformanceRule[]

export const ruleFields = {
  rule: Type.Enum(rules),
  meaning: Type.String({ description: 'What the charge point does, and what the service makes of it.' }),
  count: Type.Integer({ minimum: 1 }),
}

export const modelFields = {
  vendor: nullable(Type.String()),
  model: nullable(Type.String()),
  firmware_version: nullable(Type.String()),
}

export const deviationFields = {
  ...ruleFields,
  action: nullable(
    Type.String({
      description:
        'Of the message; null where it names none. Without the scope `read:messages`, one that OCPP 1.6 does not have is `(action 1)`, with a number that tells it apart in this answer.',
    }),
  ),
  path: nullable(
    Type.String({
      description:
        'Where in the payload, as a JSON pointer with `*` for any element of an array; null where it is the whole message. Without the scope `read:messages`, what OCPP 1.6 has no field for is `(name 1)`.',
    }),
  ),
  outcome: Type.Enum([...ruleOutcomes], {
    description:
      '`repaired`: what was meant was taken. `refused`: it was answered with an error. `ignored`: it had no effect.',
  }),
  standard: Type.Object({
    section: Type.String({
      description:
        'Where the standard says how it should be: edition 2 of OCPP 1.6, OCPP-J 1.6, or the whitepaper on security.',
    }),
    expects: nullable(Type.String({ description: 'What it expects there, in words.' })),
  }),
}

export const exampleFields = {
  at: timestamp(),
  message_id: nullable(
    Type.String({
      description:
        'Of OCPP, as `GET /chargepoints/{charge_point_id}/messages` takes it. null without the scope `read:messages`, as the message itself.',
    }),
  ),
  received: Type.Unknown({
    description:
      'What was sent there, shortened and without secrets and id tags; null where it was not a single value.',
  }),
  frame: nullable(
    Type.String({
      description:
        'The message, shortened. Secrets, id tags and texts in fields that OCPP 1.6 does not have are masked. null without the scope `read:messages`.',
    }),
  ),
}

/** A charge point that has not booted, or has not said it. */
export function shownModel({
  vendor,
  model,
  firmware_version,
}: {
  vendor: string
  model: string
  firmware_version: string
}) {
  return { vendor: vendor || null, model: model || null, firmware_version: firmware_version || null }
}

export function deviationView({ rule, action, path, example }: StoredDeviation, count: number, showing: Showing) {
  const { section, expects = null } = standardOf(rule, action, path)
  return {
    rule,
    meaning: conformanceRules[rule].meaning,
    count,
    ...showing.texts({ action, path }),
    outcome: conformanceRules[rule].outcome,
    standard: { section, expects },
    example: { at: formatTimestamp(example.at), ...showing.example(example) },
  }
}
