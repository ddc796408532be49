// Guests and their money: what the provider is asked was decided on disk before, nobody pays more than the charge costs, and once
// everything has come to rest, nothing is still set aside.

import { createHash } from 'node:crypto'
import type { Account } from '../payments.js'
import type { Row, RowChange } from './disk-watch.js'
import type { Verdict } from './verdict.js'

/** A request to the provider, in the words of the contract. */
interface Request {
  readonly operation: string
  readonly key: string
  readonly authorization?: string
  readonly amountMinor?: number
}

export interface GuestOracle {
  asked(request: Request): void
  /** A caller was told that the guest with this token may charge. */
  offered(token: string): void
  /** After a group of commits: how its sessions and guests have changed. */
  written(sessions: readonly RowChange[], guests: readonly RowChange[]): void
  settled(accounts: ReadonlyMap<string, Account>): void
}

export const guestTables = ['guest_sessions']

interface Payment {
  readonly status: string
  readonly authorized_minor: number
  readonly capture_minor?: number
  readonly refunds?: readonly { readonly key: string; readonly amount_minor: number }[]
}

const paymentOf = (row: Row): Payment => row.payment as Payment
const centsOf = (amount: unknown): number => Math.round(Number(amount ?? 0) * 100)
const sumOf = (amounts: ReadonlyMap<string, number>): number => [...amounts.values()].reduce((sum, one) => sum + one, 0)

export function createGuestOracle({ check }: Verdict): GuestOracle {
  const guests = new Map<string, Row>()
  /** By the SHA-256 of their token. */
  const byToken = new Map<unknown, Row>()
  /** Those that have not ended, by connector. */
  const present = new Map<string, Set<string>>()
  /** Every cost that a session ever had, in cents. */
  const costs = new Map<string, number[]>()

  function guestChanged(before: Row | undefined, after: Row | undefined): void {
    const id = String((after ?? before)?.guest_session_id)
    check('guest-ends', after !== undefined, () => `${id} is gone`)
    if (after === undefined) return
    guests.set(id, after)
    haveConnector(id, after)
    byToken.set(after.token_hash, after)
    const resumed = before?.status === 'stopped' && after.status !== 'stopped'
    check('guest-ends', !resumed, () => `${id} was stopped and is ${after.status}`)
    const { capture_minor: capture, authorized_minor: aside } = paymentOf(after)
    if (capture === undefined || (before !== undefined && paymentOf(before).capture_minor === capture)) return
    const known = costs.get(String(after.session_id)) ?? []
    const right = known.some((cost) => capture === Math.min(cost, aside))
    check(
      'guest-pays',
      right,
      () => `${id}: ${capture} of ${aside} are to be captured, the session cost ${known.join()}`,
    )
  }

  function haveConnector(id: string, { charge_point_id, connector_id, status }: Row): void {
    const place = `${charge_point_id}/${connector_id}`
    const others = present.get(place) ?? new Set()
    present.set(place, others)
    if (status === 'stopped') others.delete(id)
    else others.add(id)
    check('guest-alone', others.size <= 1, () => `${place} has the guests ${[...others].join()}`)
  }

  function isDecided({ operation, key, amountMinor }: Request, row: Row | undefined): boolean {
    if (row === undefined) return false
    const { status, capture_minor, refunds = [] } = paymentOf(row)
    if (operation === 'authorize') return true
    // An answer that came just then may have settled what is asked for again: under its key it is done once.
    if (operation === 'release') return status === 'release_pending' || status === 'released'
    if (operation === 'capture')
      return (status === 'capture_pending' || status === 'captured') && capture_minor === amountMinor
    return refunds.some((refund) => refund.key === key && refund.amount_minor === amountMinor)
  }

  /** Once everything has come to rest: what was paid is what the charge costs in the end. */
  function balanced(row: Row, { key, setAside, released, captures, refunds }: Account): void {
    const captured = sumOf(captures)
    const open = !released && captured === 0 && setAside > 0
    check('settled', !open, () => `${key}: ${setAside} are still set aside, its payment is ${paymentOf(row).status}`)
    check('guest-pays', captured <= setAside, () => `${key}: ${captured} captured of ${setAside}`)
    if (captured === 0) return
    const ofSession = costs.get(String(row.session_id)) ?? []
    const cost = ofSession.at(-1) ?? 0
    const paid = captured - sumOf(refunds)
    const final = centsOf(row.final_cost)
    check('guest-pays', final === cost, () => `${key} is told ${final}, its session cost ${ofSession.join()}`)
    // What was set aside may not suffice, and what was captured cannot be raised: the rest is written off.
    const short = paid < cost && (captured === setAside || ofSession.length > 1)
    check(
      'guest-pays',
      paid === cost || short,
      () => `${key} has paid ${paid} of ${setAside}, the session costs ${cost}`,
    )
  }

  return {
    asked(request) {
      const { operation, key, authorization } = request
      const row = guests.get(operation === 'refund' ? String(authorization).replace('auth_', '') : key)
      const decided = isDecided(request, row)
      check(
        'guest-decided',
        decided,
        () => `${operation} of ${key} is asked for, its row has ${JSON.stringify(row?.payment)}`,
      )
    },
    offered(token) {
      const row = byToken.get(createHash('sha256').update(token).digest('hex'))
      const kept = row?.offered === true
      check('guest-decided', kept, () => `a guest was told that it may charge, the disk has ${JSON.stringify(row)}`)
    },
    written(sessions, changes) {
      for (const { after } of sessions) {
        if (after?.cost === undefined) continue
        const id = String(after.session_id)
        const known = costs.get(id) ?? []
        const cents = centsOf(after.cost)
        if (known.at(-1) !== cents) costs.set(id, [...known, cents])
      }
      for (const { before, after } of changes) guestChanged(before, after)
    },
    settled(accounts) {
      for (const [id, row] of guests) {
        check('guest-ends', row.status === 'stopped', () => `${id} is ${row.status}`)
        const account = accounts.get(id)
        if (account !== undefined) balanced(row, account)
      }
      for (const key of accounts.keys())
        check('guest-decided', guests.has(key), () => `${key} has an account at the provider, and no row`)
    },
  }
}
