// POST /api/v1/sessions/{session_id}/what-if: what a session would have cost under other terms. Priced by the function that prices
// sessions, from what is stored of it; nothing is stored.

import { type Static, Type } from 'typebox'
import { energyDeliveredWh } from '../../../actors/charge-point/energy-delivered.js'
import { totalBeforeAgreement } from '../../../pricing/agreed-total.js'
import { amountText, Exact, minorOf } from '../../../pricing/money.js'
import { type PricedSession, priceSession } from '../../../pricing/price-session.js'
import type { TariffSnapshot } from '../../../pricing/tariff-terms.js'
import { type BillingRule, billingRulesTable } from '../../../records/billing-rule.js'
import { factsOfSession } from '../../../records/facts-of-session.js'
import type { Session } from '../../../records/session.js'
import { sessionCostsTable } from '../../../records/session-cost.js'
import { tariffSnapshotsTable } from '../../../records/tariff-snapshot.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nameText, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { givenRulesFields, rulesOf } from '../billing-rules/given-rules.js'
import { givenTariffFields, tariffOf } from '../tariffs/given-tariff.js'
import { area, sessions } from './area.js'
import { breakdownFields } from './cost-breakdown.js'
import { limits } from './limits.js'
import { sessionPrice } from './session-price.js'

const variantSchema = named('PriceVariant', {
  name: Type.Optional(nameText()),
  ...givenTariffFields,
  ...givenRulesFields,
})

const whatIfBody = Type.Object({
  variants: Type.Array(variantSchema, {
    minItems: 1,
    maxItems: limits.variants,
    description:
      'Each has another tariff (`tariff_id` or `tariff`), other rules (`rules`, `rule_ids`), or both. What a variant does not name stays as it was.',
  }),
})

const decimal = (description: string) => Type.String({ description: `${description} A decimal number.` })

const pricedVariant = Type.Object({
  name: nullable(Type.String()),
  total: decimal('The cost including tax.'),
  difference: nullable(
    decimal(
      'What it would have cost more; negative for less. null if the session has no cost, or one in another currency.',
    ),
  ),
  tariff_name: Type.String(),
  band: nullable(Type.String({ description: 'The rate band that the schedule would have named.' })),
  matched_rules: Type.Array(Type.String(), {
    description: 'The ids of the rules that matched; for a rule without an id its position, such as `rules/0`.',
  }),
  breakdown: Type.Object(breakdownFields),
})

const whatIfSchema = named('SessionWhatIf', {
  session_id: Type.String(),
  final: Type.Boolean({ description: 'false while the session is running.' }),
  priced_at: timestamp(),
  total: nullable(
    decimal('What the session was priced at, before a total that was agreed in a dispute. null without a tariff.'),
  ),
  agreed_total: nullable(
    decimal(
      'What the session costs since a dispute was accepted; the variants are not compared with it. null without one.',
    ),
  ),
  currency: nullable(Type.String()),
  variants: Type.Array(pricedVariant, { description: 'In the order of the request.' }),
})

interface Terms {
  readonly snapshot: TariffSnapshot | undefined
  readonly rules: readonly BillingRule[]
}

/** What the session was priced by, or is being. */
function ownTerms(view: ReadView, session: Session): Terms {
  const hash = session.tariff_snapshot
  const snapshot = hash === undefined ? undefined : view.get(tariffSnapshotsTable, [hash])?.snapshot
  const rules =
    view.get(sessionCostsTable, [session.session_id])?.rules ??
    view.listBy(billingRulesTable, 'byActive', [session.organization_id, 1])
  return { snapshot, rules }
}

function totalText({ trace }: PricedSession, total: number): string {
  const { minor_units: minorUnits } = trace.rounding
  return amountText(minorOf(total, minorUnits), minorUnits)
}

/** What the session costs: by its terms, and as it was agreed where it was. */
function ownTotals(priced: PricedSession | undefined) {
  if (priced === undefined) return { total: null, agreed_total: null }
  const before = totalBeforeAgreement(priced)
  const agreed = before === priced.total ? null : totalText(priced, priced.total)
  return { total: totalText(priced, before), agreed_total: agreed }
}

function differenceText(priced: PricedSession, before: PricedSession | undefined): string | null {
  if (before === undefined || before.currency !== priced.currency) return null
  return new Exact(priced.total).minus(totalBeforeAgreement(before)).toFixed(priced.trace.rounding.minor_units)
}

function variantView(
  { name }: Static<typeof variantSchema>,
  { trace, session_id: _, ...breakdown }: PricedSession,
): Omit<Static<typeof pricedVariant>, 'total' | 'difference'> {
  return {
    name: name ?? null,
    tariff_name: trace.tariff.name,
    band: trace.tariff.band,
    matched_rules: trace.rules.filter(({ matched }) => matched).map(({ rule_id }) => rule_id),
    breakdown: {
      ...breakdown,
      lines: [...breakdown.lines],
      adjustments: [...breakdown.adjustments],
    },
  }
}

const whatIf = area.route({
  method: 'POST',
  path: '/{session_id}/what-if',
  operationId: 'priceSessionOtherwise',
  changesNothing: true,
  summary: 'Get what a session would have cost under other terms',
  description:
    'Nothing is created or changed. The session is priced again from what is stored of it, once for each variant, and compared with what it ' +
    'was priced at: an unchanged tariff changes nothing, also after an accepted dispute. A running session is priced as of now.',
  scopes: ['read:billing'],
  of: sessions,
  body: whatIfBody,
  responses: { 200: whatIfSchema },
  sheddable: 'list',
  examples: {
    dearer: {
      variants: [
        {
          name: 'Dearer',
          tariff: { name: 'Public', currency: 'EUR', components: [{ type: 'energy', price: 0.55 }] },
        },
        {
          name: 'Without rules',
          tariff: { name: 'Public', currency: 'EUR', components: [{ type: 'flat', price: 9 }] },
          rules: [],
        },
      ],
    },
  },
  async handle({ row, principal, body }, services) {
    const view = services.view()
    const now = services.clock.now()
    const own = ownTerms(view, row)
    const faults: ErrorDetail[] = []
    const terms = body.variants.map((variant, at): Terms => {
      const path = `/variants/${at}`
      const { tariff_id, tariff, rules, rule_ids } = variant
      const hasTariff = tariff_id !== undefined || tariff !== undefined
      const hasRules = rules !== undefined || rule_ids !== undefined
      if (!hasTariff && !hasRules) faults.push({ path, message: 'needs a tariff_id, a tariff, rules or rule_ids' })
      else if (!hasTariff && own.snapshot === undefined)
        faults.push({ path, message: 'needs a tariff_id or a tariff, as the session has no tariff' })
      const snapshotAt = tariffOf(variant, { view, principal }, faults, path)
      const given = rulesOf(variant, { view, principal, now }, faults, path)
      return {
        snapshot: snapshotAt?.(Date.parse(row.started_at)) ?? own.snapshot,
        rules: hasRules ? given : own.rules,
      }
    })
    if (faults.length > 0) throw invalid(faults)
    const price = sessionPrice(view, row, now)
    const facts = factsOfSession(
      row,
      row.ended_at === undefined ? { asOf: now, energyWh: energyDeliveredWh(view, row) } : {},
    )
    const variants = body.variants.flatMap((variant, at) => {
      const { snapshot, rules = [] } = terms[at] ?? {}
      if (snapshot === undefined) return []
      const priced = priceSession(facts, snapshot, rules)
      const difference = differenceText(priced, price?.priced)
      return [{ ...variantView(variant, priced), total: totalText(priced, priced.total), difference }]
    })
    return {
      status: 200,
      body: {
        session_id: row.session_id,
        final: row.ended_at !== undefined,
        priced_at: price?.pricedAt ?? new Date(now).toISOString(),
        ...ownTotals(price?.priced),
        currency: price?.priced.currency ?? null,
        variants,
      },
    }
  },
})

export const whatIfRoutes = [whatIf]
