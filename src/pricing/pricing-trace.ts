// Why a session costs what it costs: what was measured and from what, what grace and step_size made of it, the exact amount behind each
// line, and what every rule saw. Made for a person who doubts a bill; nothing is computed from it.

import type { BilledQuantity } from './billed-quantities.js'
import type { AppliedAction, runRule } from './evaluate-rule.js'
import { boundedInstant, type LocalTime } from './local-time.js'
import { Exact, settled } from './money.js'
import type { MeasuredSession, SessionFacts } from './session-facts.js'
import type { SnapshotComponent, TariffSnapshot } from './tariff-terms.js'

export interface TracedLine {
  readonly type: SnapshotComponent['type']
  readonly price: number
  /** Wh, seconds or sessions. */
  readonly unit: 'Wh' | 's' | 'session'
  readonly measured: number
  readonly grace: number
  readonly step_size: number
  /** Whether step_size was applied: charging time is not rounded when idle time was (OCPI 2.2.1, 11.4.2). */
  readonly step_applied: boolean
  readonly billed: number
  /** In the currency, before rounding. */
  readonly exact_amount: string
}

/** What a rule's run is explained by. Costs in the currency. */
export interface TracedRule {
  readonly rule_id: string
  readonly name: string
  readonly priority: number
  readonly matched: boolean
  readonly condition_results: ReturnType<typeof runRule>['condition_results']
  readonly applied_actions: readonly AppliedAction[]
  readonly cost_before: number
  readonly cost_after: number
}

interface TracedSample {
  readonly at: string
  readonly register_wh: number
}

export interface PricingTrace {
  readonly tariff: { readonly name: string; readonly band: string | null; readonly time_zone: string }
  readonly time: {
    readonly started_at: string
    readonly ended_at: string
    readonly started_at_local: string
    /** Priced as of `ended_at`, and not over. */
    readonly running: boolean
    readonly duration_seconds: number
    readonly idle_seconds: number
    readonly suspended_by_vehicle_seconds: number
    readonly suspended_by_charge_point_seconds: number
    readonly idle_spans: readonly { readonly from: string; readonly to: string }[]
  }
  readonly energy: {
    /** session: the session's own energy; samples: the last register less the first; none: no meter value. */
    readonly source: 'session' | 'samples' | 'none'
    readonly measured_wh: number
    readonly samples: number
    readonly first_sample: TracedSample | null
    readonly last_sample: TracedSample | null
  }
  readonly lines: readonly TracedLine[]
  /** Further components of a type, of which the first counts. */
  readonly unused_components: readonly SnapshotComponent[]
  readonly rules: readonly TracedRule[]
  readonly rounding: {
    readonly minor_units: number
    readonly mode: 'half_up'
    /** In the currency, before rounding. */
    readonly exact_subtotal: string
    readonly exact_tax: string
  }
  readonly notes: readonly string[]
}

export interface TraceMaterial {
  readonly facts: SessionFacts
  readonly snapshot: TariffSnapshot
  readonly session: MeasuredSession
  /** The start. */
  readonly local: LocalTime
  readonly quantities: readonly BilledQuantity[]
  readonly unused: readonly SnapshotComponent[]
  /** Per quantity, in minor units. */
  readonly exact: readonly Exact[]
  readonly exactTax: Exact
  readonly minorUnits: number
  readonly rules: readonly TracedRule[]
}

/** Digits behind the point of an exact amount; a third of an hour has no end. */
const tracedDecimals = 12

function isoOf(at: number): string {
  return new Date(at).toISOString()
}

function sampleOf(sample: MeasuredSession['energy']['first_sample']): TracedSample | null {
  if (sample === null) return null
  return { at: isoOf(boundedInstant(sample.at)), register_wh: sample.registerWh }
}

/** An unrounded amount of minor units, in the currency. Cut and not rounded where it goes on: half up, it comes to what the amount comes to. */
export function currencyText(minor: Exact, minorUnits: number): string {
  return settled(minor.div(10 ** minorUnits))
    .toDecimalPlaces(tracedDecimals, Exact.ROUND_DOWN)
    .toFixed()
}

function lineOf(quantity: BilledQuantity, exact: Exact, minorUnits: number): TracedLine {
  const { component } = quantity
  const scale = component.type === 'flat' ? 1 : 1000
  return {
    type: component.type,
    price: component.price,
    unit: component.type === 'energy' ? 'Wh' : component.type === 'flat' ? 'session' : 's',
    measured: quantity.measured / scale,
    grace: quantity.grace / scale,
    step_size: component.step_size,
    step_applied: quantity.rounded,
    billed: quantity.billed / scale,
    exact_amount: currencyText(exact, minorUnits),
  }
}

export function traceOf(material: TraceMaterial): PricingTrace {
  const { facts, snapshot, session, quantities, exact, minorUnits } = material
  const subtotal = exact.reduce<Exact | undefined>(
    (sum, amount) => (sum === undefined ? amount : sum.plus(amount)),
    undefined,
  )
  return {
    tariff: { name: snapshot.name, band: snapshot.band, time_zone: snapshot.time_zone },
    time: {
      started_at: isoOf(session.startedAt),
      ended_at: isoOf(session.endedAt),
      started_at_local: material.local.text,
      running: !Number.isFinite(facts.endedAt),
      duration_seconds: session.durationMs / 1000,
      idle_seconds: session.idleMs / 1000,
      suspended_by_vehicle_seconds: session.suspendedByVehicleMs / 1000,
      suspended_by_charge_point_seconds: session.suspendedByChargePointMs / 1000,
      idle_spans: session.idleSpans.map(({ from, to }) => ({ from: isoOf(from), to: isoOf(to) })),
    },
    energy: {
      source: session.energy.source,
      measured_wh: session.energy.milliwattHours / 1000,
      samples: session.energy.samples,
      first_sample: sampleOf(session.energy.first_sample),
      last_sample: sampleOf(session.energy.last_sample),
    },
    lines: quantities.map((quantity, index) => lineOf(quantity, exact[index] as Exact, minorUnits)),
    unused_components: material.unused,
    rules: material.rules,
    rounding: {
      minor_units: minorUnits,
      mode: 'half_up',
      exact_subtotal: subtotal === undefined ? '0' : currencyText(subtotal, minorUnits),
      exact_tax: currencyText(material.exactTax, minorUnits),
    },
    notes: session.notes,
  }
}
