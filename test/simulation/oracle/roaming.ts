// What a roaming partner is told: CDRs that are on the disk, once each, and that sum to what their sessions cost; sessions and locations in the
// order in which they change, and in the end as they are.

import type { RoamingObject, RoamingPartnerObserver } from '../roaming-partner.js'
import type { DiskWatch, Row, RowChange } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface RoamingOracle extends RoamingPartnerObserver {
  /** Some actors begin anew from the disk: what they had under way is sent again. */
  forgotten(): void
  /** After a group of commits. */
  written(sessions: readonly RowChange[]): void
  /** `clockSet`: retries are kept by the wall clock, so nothing can be said of their time. */
  settled(run: number, clockSet: boolean): void
}

export const roamingTables = ['ocpi_cdrs', 'ocpi_cdr_pushes', 'ocpi_location_objects']

export interface RoamingOracleOptions {
  /** Undefined in a world without one. */
  readonly partnerId: string | undefined
  /** Wall ms. */
  readonly now: () => number
  /** The wall clock may be set back: times of changes may be too. */
  readonly clockIsSet: boolean
}

type Cost = { readonly incl_vat?: number; readonly excl_vat: number }
interface Dated {
  readonly last_updated: string
}
interface Part extends Dated {
  readonly uid: string
  readonly status: string
}
type Known = Row & Dated & { readonly evses?: readonly Part[] }

/** What an attempt under way, a pause of the service and a busy store may add, ms. */
const slackMs = 60_000
/** What is rounded to cents is within one of them. */
const centsSlack = 0.011

/** What OCPI calls what a charge point says of a connector, where there is no doubt. */
const statusOf: Readonly<Record<string, string>> = {
  Available: 'AVAILABLE',
  Charging: 'CHARGING',
  Faulted: 'OUTOFORDER',
}

export function createRoamingOracle(verdict: Verdict, disk: DiskWatch, options: RoamingOracleOptions): RoamingOracle {
  const { check } = verdict
  const { partnerId, now, clockIsSet } = options
  /** As the partner has them. */
  const objects = new Map<string, Known>()
  const cdrs = new Map<string, string>()
  const underWay = new Map<string, number>()
  /** As they are on the disk, by their ids, and those of each session in their order. */
  const stored = new Map<string, string>()
  const ofSession = new Map<string, Row[]>()
  const pushes = new Map<string, Row>()
  const sessions = new Map<string, Row>()

  /** The EVSEs of a location are told of one by one. */
  function nameOf({ module, path }: RoamingObject, body: unknown): string {
    if (module === 'cdrs') return `cdrs/${(body as Row).id}`
    return `${module}/${path.split('/').slice(0, 3).join('/')}`
  }

  /** An EVSE is as old as itself, and its location as the newest of its parts. */
  function patched({ path }: RoamingObject, name: string, body: Known): Known {
    const before = objects.get(name)
    const evseUid = path.split('/')[3]
    if (before === undefined || evseUid === undefined) return { ...before, ...body }
    const evse = before.evses?.find(({ uid }) => uid === evseUid)
    check('partner-order', evse !== undefined, () => `${name}: a part of ${evseUid} is sent, which the partner lacks`)
    if (evse !== undefined) isNewer(`${name}/${evseUid}`, evse, body)
    const evses = before.evses?.map((one) => (one === evse ? { ...one, ...(body as Row) } : one)) as readonly Part[]
    const [last_updated = ''] = [before.last_updated, body.last_updated].sort().reverse()
    return { ...before, evses, last_updated }
  }

  function isNewer(name: string, before: Dated, next: Dated): void {
    const holds = clockIsSet || before.last_updated <= next.last_updated
    check('partner-order', holds, () => `${name} of ${before.last_updated} is told as of ${next.last_updated}`)
  }

  function costOf(chain: readonly Row[]): number {
    return chain.reduce((sum, { cdr }) => {
      const { incl_vat, excl_vat } = (cdr as { total_cost: Cost }).total_cost
      return sum + (incl_vat ?? excl_vat)
    }, 0)
  }

  function billed(id: string, session: Row, clockSet: boolean): void {
    const chain = ofSession.get(id) ?? []
    const push = pushes.get(id)
    const due = Math.min(
      ...[push?.bill_at, push?.next_attempt_at].map((at) => Number(at ?? Number.NaN)).filter(Number.isFinite),
    )
    const waits = Number.isFinite(due) && (clockSet || due > now() - slackMs)
    const newest = chain.at(-1)?.cdr as Row | undefined
    const isTold = newest !== undefined && chain.every(({ cdr_id }) => cdrs.has(String(cdr_id)))
    check('settled', isTold || waits, () => `${id} has ${chain.length} CDRs, and the partner lacks one: ${said(push)}`)
    if (newest === undefined || waits) return
    const cost = Number(session.cost ?? 0)
    const isRight = Math.abs(costOf(chain) - cost) < centsSlack
    check('cdr-once', isRight, () => `${id} costs ${cost}, and the sum of its CDRs is ${costOf(chain)}`)
    const kwh = Number(session.energy_wh) / 1_000
    const isWhole = Math.abs(Number(newest.total_energy) - kwh) < 0.0001
    check('cdr-once', isWhole, () => `${id} took ${kwh} kWh, and its CDR says ${newest.total_energy}`)
  }

  function sessionKnown(id: string, session: Row): void {
    const known = [...objects].find(([name]) => name.startsWith('sessions/') && name.endsWith(`/${id}`))?.[1]
    const kwh = Number(session.energy_wh) / 1_000
    const isKnown = known?.status === 'COMPLETED' && Math.abs(Number(known.kwh) - kwh) < 0.0001
    check('partner-knows', isKnown, () => `${id} has ended with ${kwh} kWh, and the partner has ${said(known)}`)
  }

  function locationKnown({ location_id, object }: Row): void {
    const known = [...objects].find(([name]) => name.startsWith('locations/') && name.endsWith(`/${location_id}`))?.[1]
    const differing = Object.entries(object as Row).flatMap(([field, is]) => {
      const [here, there] = [sorted(is), sorted(known?.[field])]
      return here === there ? [] : `${field} is ${here}, and the partner has ${there}`
    })
    check('partner-knows', differing.length === 0, () => `${location_id}: ${differing.join('; ')}`)
  }

  /** What charge points that are connected have said of their connectors, in the words of OCPI. */
  function statusesKnown(row: Row, states: ReadonlyMap<unknown, Row>, run: number): void {
    const { evses = [] } = row.object as Known
    for (const { uid, charge_point_id, connector_id } of row.outlets as readonly Row[]) {
      const state = states.get(charge_point_id)
      if (state?.connected !== true || state.run !== run) continue
      const connectors = state.connectors as readonly Row[]
      const said = connectors.find((one) => one.connector_id === connector_id)?.status
      const expected = statusOf[String(said)]
      const is = evses.find((evse) => evse.uid === uid)?.status
      if (expected === undefined || is === 'REMOVED') continue
      check(
        'partner-knows',
        is === expected,
        () => `${charge_point_id}/${connector_id} is ${said}, and ${uid} is ${is}`,
      )
    }
  }

  return {
    sent(object, _method, body, call) {
      const name = nameOf(object, body)
      check('partner-order', !underWay.has(name), () => `${name} is sent while it is under way`)
      underWay.set(name, call)
      if (object.module !== 'cdrs') return
      const id = String((body as Row).id)
      const isStored = stored.get(id) === JSON.stringify(body)
      check('cdr-once', isStored, () => `${id} is sent as ${JSON.stringify(body)}, and on disk is ${stored.get(id)}`)
    },
    taken(object, method, body) {
      const name = nameOf(object, body)
      if (object.module === 'cdrs') {
        const text = JSON.stringify(body)
        const before = cdrs.get(name.slice('cdrs/'.length)) ?? text
        check('cdr-once', before === text, () => `${name} was ${before} and now is ${text}`)
        cdrs.set(name.slice('cdrs/'.length), text)
        return
      }
      if (method === 'DELETE') return void objects.delete(name)
      const before = objects.get(name)
      const next = method === 'PUT' ? (body as Known) : patched(object, name, body as Known)
      if (before !== undefined) isNewer(name, before, next)
      objects.set(name, JSON.parse(JSON.stringify(next)))
    },
    ended(object, call) {
      for (const [name, one] of underWay) if (one === call && name.startsWith(object.module)) underWay.delete(name)
    },
    forgotten: () => underWay.clear(),
    written(changes) {
      if (partnerId === undefined) return
      for (const { before, after } of disk.changes('ocpi_cdrs')) {
        const id = String((after ?? before)?.cdr_id)
        check('cdr-once', before === undefined && after !== undefined, () => `the CDR ${id} was changed on disk`)
        if (before !== undefined || after === undefined) continue
        check('cdr-once', !stored.has(id), () => `two CDRs are ${id}`)
        stored.set(id, JSON.stringify(after.cdr))
        const chain = ofSession.get(String(after.session_id)) ?? []
        ofSession.set(String(after.session_id), [...chain, after])
        check('cdr-once', after.number === chain.length, () => `${id} is number ${after.number} of ${chain.length}`)
        const isCredit = chain.length % 2 === 1
        check('cdr-once', (after.is_credit === true) === isCredit, () => `${id} bills what has been billed`)
      }
      for (const { before, after } of disk.changes('ocpi_cdr_pushes')) {
        if (after !== undefined) pushes.set(String(after.session_id), after)
        else if (before !== undefined) pushes.delete(String(before.session_id))
      }
      disk.changes('ocpi_location_objects')
      for (const { after } of changes)
        if ((after?.roaming as Row | undefined)?.partner_id === partnerId && after !== undefined)
          sessions.set(String(after.session_id), after)
    },
    settled(run, clockSet) {
      if (partnerId === undefined) return
      for (const [id, session] of sessions) {
        if (session.status === 'active') continue
        billed(id, session, clockSet)
        sessionKnown(id, session)
      }
      const states = new Map([...disk.rows('charge_point_states')].map((row) => [row.charge_point_id, row]))
      for (const row of disk.rows('ocpi_location_objects')) {
        locationKnown(row)
        statusesKnown(row, states, run)
      }
    },
  }
}

const said = (row: Row | undefined): string => JSON.stringify(row) ?? 'nothing'

/** The same text for the same content, in whatever order its members are. */
function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
        : member,
    ) ?? 'nothing'
  )
}
