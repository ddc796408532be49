// What the repairing reader notes while it reads, and what each of its steps gives back.

import type { ConformanceRule } from './conformance-rules.js'
import type { OcppErrorCode } from './error-codes.js'
import { limits } from './limits.js'
import { isSingle, type Single } from './pointer.js'

/** The kinds of faults that are mended, as they are counted in conformance reports. */
export type ViolationRule = Exclude<
  ConformanceRule,
  | 'broken-json'
  | 'malformed-frame'
  | 'unknown-message-type'
  | 'unknown-action'
  | 'refused-request'
  | 'implausible-connector'
>

/** One thing that a charge point did against the standard, and that was mended. */
export interface Violation {
  readonly rule: ViolationRule
  /** A JSON pointer into the payload as it was received. */
  readonly path: string
  /** What was sent, shortened, where it was a single value. */
  readonly received?: Single
}

/** Why a payload, or a part of it, cannot be read. */
export interface Unreadable {
  readonly code: OcppErrorCode
  readonly description: string
  /** A JSON pointer into the payload as it was received. */
  readonly path: string
}

export interface RepairContext {
  readonly receivedAtMs: number
  readonly violations: Violation[]
}

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: Unreadable }
export type RepairFunction = (value: unknown, path: string, context: RepairContext) => Outcome

export function note(context: RepairContext, rule: ViolationRule, path: string, received: unknown): void {
  if (context.violations.length >= limits.violationsPerPayload) return
  context.violations.push({ rule, path, ...keptOf(received) })
}

/** Of what was sent, what is listed with the rule that it breaks. */
export function keptOf(received: unknown): { readonly received?: Single } {
  if (typeof received === 'string') return { received: received.slice(0, limits.violationReceivedLength) }
  return isSingle(received) ? { received } : {}
}

export function wrongType(wanted: string, path: string): Outcome {
  return { ok: false, why: { code: 'TypeConstraintViolation', description: `${path} is not ${wanted}`, path } }
}

export function wrongValue(wrong: string, path: string): Outcome {
  return { ok: false, why: { code: 'PropertyConstraintViolation', description: `${path} ${wrong}`, path } }
}
