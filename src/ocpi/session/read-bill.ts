// What a session is billed to a partner: its first CDR when it has ended, and a credit and another when what it comes to has changed since.

import type { Session } from '../../records/session.js'
import { sessionCostsTable } from '../../records/session-cost.js'
import type { ReadView } from '../../runtime/store/store.js'
import type { Cdr, CdrLocation } from '../schemas/cdr.js'
import { billsTheSame, creditOf, makeCdr } from './make-cdr.js'
import { sessionStatusOf } from './make-session.js'
import { readRoamingSession } from './read-session.js'

export type SessionBill =
  /** Those that are due beyond the ones that there are. `pricedAt` is ISO 8601. */
  { readonly cdrs: readonly Cdr[]; readonly pricedAt: string } | { readonly reason: string }

/** `before`: the CDRs that there are, in their order. `now`: wall ms. */
export function readBill(
  view: ReadView,
  session: Session,
  { place, before }: { readonly place: CdrLocation | undefined; readonly before: readonly Cdr[] },
  now: number,
): SessionBill {
  const pricedAt = view.get(sessionCostsTable, [session.session_id])?.priced_at ?? new Date(now).toISOString()
  const roaming = readRoamingSession(view, session, now)
  if (roaming === undefined || sessionStatusOf(session) !== 'COMPLETED') return { cdrs: [], pricedAt }
  if (place === undefined)
    return { reason: 'The location lacks what OCPI requires: GET of its /ocpi says what is missing.' }
  const billed = before.filter(({ credit }) => credit !== true)
  const made = makeCdr(roaming, place, billed.length + 1, now)
  if (!made.ok) return { reason: made.reason }
  const last = billed.at(-1)
  if (last === undefined) return { cdrs: [made.cdr], pricedAt }
  return { cdrs: billsTheSame(last, made.cdr) ? [] : [creditOf(last, now), made.cdr], pricedAt }
}
