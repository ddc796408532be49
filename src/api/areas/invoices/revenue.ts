// What charging brought in over a period: sums of the sessions that ended in it, by day, charge point, site, tariff or roaming partner.

import { Type } from 'typebox'
import { addAmounts, amountsOf, type CostSums, newSums, pricedAmounts } from '../../../pricing/cost-sums.js'
import { dateOf, localTimeOf } from '../../../pricing/local-time.js'
import { defaultTimeZone } from '../../../records/organization.js'
import { sessionsTable } from '../../../records/session.js'
import { type SessionCost, sessionCostsTable } from '../../../records/session-cost.js'
import { type AmpshardError, validationError } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { datesWithoutTime, pageOf, walkList } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { amounts, inKwh } from './amounts.js'
import { area } from './area.js'
import { guestAmounts, guestAmountsSchema } from './guest-amounts.js'
import { limits } from './limits.js'

const groupings = ['day', 'charge_point', 'site', 'tariff', 'partner'] as const
type Grouping = (typeof groupings)[number]

const dayMs = 86_400_000
const defaultPeriodDays = 30

const sums = {
  currency: Type.String(),
  count: Type.Integer({ description: 'The number of sessions.' }),
  ...amounts,
}

interface Group {
  readonly key: string | null
  readonly currency: string
  readonly sums: CostSums
}

/** The roaming partner whose driver charged; null for any other driver. */
function partnerOf({ session_id }: SessionCost, view: ReadView): string | null {
  return view.get(sessionsTable, [session_id])?.roaming?.partner_id ?? null
}

function keyOf(cost: SessionCost, grouping: Grouping, timeZone: string, view: ReadView): string | null {
  switch (grouping) {
    case 'day':
      return dateOf(localTimeOf(Date.parse(cost.ended_at), timeZone).day)
    case 'charge_point':
      return cost.charge_point_id
    case 'site':
      return cost.site_id ?? null
    case 'tariff':
      return cost.priced.tariff_id
    case 'partner':
      return partnerOf(cost, view)
  }
}

function groupIn(groups: Map<string, Group>, key: string | null, currency: string): Group {
  const name = JSON.stringify([key, currency])
  let group = groups.get(name)
  if (group === undefined) {
    group = { key, currency, sums: newSums() }
    groups.set(name, group)
  }
  return group
}

function inOrder(groups: Map<string, Group>): Group[] {
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return [...groups.values()].sort((a, b) => byText(a.key ?? '', b.key ?? '') || byText(a.currency, b.currency))
}

function amountsView({ currency, sums }: Group) {
  return { currency, count: sums.count, ...inKwh(amountsOf(sums)) }
}

/** Throws `validation_error` for a period that is empty, or longer than can be summed. */
function periodOf(query: { readonly from?: string; readonly to?: string }, now: number): { from: number; to: number } {
  const to = query.to === undefined ? now : (parseTimestamp(query.to) ?? now)
  const from = query.from === undefined ? to - defaultPeriodDays * dayMs : (parseTimestamp(query.from) ?? to)
  const invalid = (path: string, message: string): AmpshardError =>
    validationError(`${path} ${message}`, { details: [{ path, message }] })
  if (from >= to) throw invalid('from', 'must be before to')
  if (to - from > limits.revenueDays * dayMs)
    throw invalid('from', `must be at most ${limits.revenueDays} days before to`)
  return { from, to }
}

const getRevenue = area.list('/revenue', {
  operationId: 'getRevenue',
  summary: 'Get the revenue of a period',
  description:
    `Sums the sessions that ended from \`from\` (inclusive; by default ${defaultPeriodDays} days before \`to\`) to \`to\` (exclusive; by default ` +
    `now), in groups of one currency each. A period has at most ${limits.revenueDays} days. Days are those of the organization's time zone. ` +
    'Sessions without a cost are not counted.',
  filters: {
    from: Type.Optional(
      Type.String({ format: 'date-time', description: `The beginning of the period, inclusive. ${datesWithoutTime}` }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date-time', description: `The end of the period, exclusive. ${datesWithoutTime}` }),
    ),
    group_by: Type.Enum([...groupings], {
      default: 'day',
      description: 'What the sessions of one group have in common.',
    }),
    site_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Only sessions that started at this site.' }),
    ),
    partner_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Only sessions of drivers of this roaming partner.' }),
    ),
  },
  name: 'groups',
  row: named('RevenueGroup', {
    key: nullable(
      Type.String({
        description: 'The day (YYYY-MM-DD) or the id. null for sessions outside any site, or of no roaming driver.',
      }),
    ),
    ...sums,
  }),
  fields: {
    from: timestamp(),
    to: timestamp(),
    group_by: Type.Enum([...groupings]),
    time_zone: Type.String(),
    totals: Type.Array(Type.Object(sums), {
      description: 'The totals of the whole period, one entry for each currency.',
    }),
    guest_payments: guestAmountsSchema,
  },
  perPage: 400,
  maximum: 1_000,
  async read({ principal, query }, services) {
    const { organization } = principal
    const { from, to } = periodOf(query, services.clock.now())
    const timeZone = organization.time_zone ?? defaultTimeZone
    const groups = new Map<string, Group>()
    const totals = new Map<string, Group>()
    const list = { index: 'byEnd', group: [organization.organization_id] }
    const view = services.view()
    const begin = services.longReads.of(organization.organization_id)
    const between = { from: [from], to: [to] }
    for await (const costs of walkList({ view, begin, table: sessionCostsTable, list, between, newestFirst: true })) {
      for (const cost of costs) {
        if (query.site_id !== undefined && cost.site_id !== query.site_id) continue
        if (query.partner_id !== undefined && partnerOf(cost, view) !== query.partner_id) continue
        const amounts = pricedAmounts(cost.priced)
        const { currency } = cost.priced
        addAmounts(groupIn(groups, keyOf(cost, query.group_by, timeZone, view), currency).sums, amounts)
        addAmounts(groupIn(totals, null, currency).sums, amounts)
      }
    }
    return {
      from: formatTimestamp(from),
      to: formatTimestamp(to),
      group_by: query.group_by,
      time_zone: timeZone,
      rows: pageOf(inOrder(groups), query).map((group) => ({ key: group.key, ...amountsView(group) })),
      totals: inOrder(totals).map(amountsView),
      // A guest is no partner's driver.
      guest_payments:
        query.partner_id === undefined
          ? await guestAmounts({ view, begin }, organization.organization_id, from, to, query.site_id)
          : [],
      total: groups.size,
    }
  },
})

export const revenueRoutes = [getRevenue]
