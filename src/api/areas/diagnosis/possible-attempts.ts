// The attempts of the last 24 hours that could be of a charge point: under its own id, under one that is like it or like its serial number, and
// from its address. What it costs grows with what it finds.

import type { ChargePoint } from '../../../records/charge-point.js'
import type { ChargePointState } from '../../../records/charge-point-state.js'
import { type ConnectionAttempt, connectionAttemptsTable } from '../../../records/connection-attempt.js'
import { type Likeness, shapeOf, shapesLike } from '../../../records/id-shape.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { type BeginRead, longOncePaused } from '../../pipeline/long-reads.js'
import { limits } from './limits.js'
import { type Asker, isLikeOthers, isSharedWithOthers, registeredAs, unknownShapes } from './whose-attempt.js'

export const matches = ['id', 'spelling', 'one_character', 'longer', 'shorter', 'serial_number', 'address'] as const
export type Match = (typeof matches)[number]

export const matchOf: Readonly<Record<Likeness, Exclude<Match, 'id' | 'serial_number' | 'address'>>> = {
  same: 'spelling',
  'one-character': 'one_character',
  longer: 'longer',
  shorter: 'shorter',
}

/** Attempts that are alike, the newest of them and how many. */
export interface PossibleAttempt {
  readonly match: Match
  readonly newest: ConnectionAttempt
  readonly firstAt: string
  /** Of those that were looked at. */
  readonly count: number
  /** From where it was connected last. */
  readonly isFromItsAddress: boolean
  /** Charge points of its owner, or the asker, are known to come from there. */
  readonly isAddressKnown: boolean
}

/** The newest first, those from its own address before all others. */
export async function possibleAttempts(
  view: ReadView,
  chargePoint: ChargePoint,
  state: ChargePointState | undefined,
  asker: Asker,
  begin: BeginRead,
): Promise<readonly PossibleAttempt[]> {
  const found = new Map<string, PossibleAttempt>()
  const addresses = new Set(state?.remote_address === undefined ? [] : [state.remote_address])
  const knownAddresses = new Set([...addresses, asker.remoteAddress])
  const ids = new Set<string>()

  function add(match: Match, attempt: ConnectionAttempt): void {
    const id = match === 'address' && !asker.seesAll ? '' : attempt.charge_point_id
    const name = JSON.stringify([match, id, attempt.reason, attempt.remote_address])
    const known = found.get(name)
    const isFromItsAddress = attempt.remote_address === state?.remote_address
    const isAddressKnown = asker.seesAll || match === 'id' || knownAddresses.has(attempt.remote_address)
    const { attempted_at: firstAt, times = 1 } = attempt
    ids.add(attempt.charge_point_id)
    found.set(
      name,
      known === undefined
        ? { match, newest: attempt, firstAt, count: times, isFromItsAddress, isAddressKnown }
        : { ...known, firstAt, count: known.count + times },
    )
  }

  const read = longOncePaused(begin)
  try {
    const shape = shapeOf(chargePoint.charge_point_id)
    for (const owner of asker.owners) {
      for (const attempt of newestOf(view, owner, shape)) {
        if (registeredAs(view, attempt)?.charge_point_id !== chargePoint.charge_point_id) continue
        knownAddresses.add(attempt.remote_address)
        add('id', attempt)
      }
    }
    for (const [like, match] of likeIds(view, chargePoint)) {
      const likeness = match === 'spelling' || match === 'serial_number' ? 'same' : 'one-character'
      const isAnothers = match !== 'serial_number' && isLikeOthers(view, like, likeness, asker)
      for (const attempt of newestOf(view, '', like)) {
        const registered = registeredAs(view, attempt)
        const isOwn = registered?.charge_point_id === chargePoint.charge_point_id
        if (isOwn || (registered === undefined && !isAnothers)) {
          addresses.add(attempt.remote_address)
          add(isOwn ? 'id' : match, attempt)
        }
      }
      if (read.isOver()) await read.pause()
    }
    for (const address of [...addresses].slice(0, limits.addresses)) {
      if (!asker.seesAll && isSharedWithOthers(view, address, asker)) continue
      const others = unknownFrom(view, address).filter(({ charge_point_id }) => !ids.has(charge_point_id))
      for (const id of new Set(others.map((attempt) => attempt.charge_point_id))) {
        const attempts = others.filter((attempt) => attempt.charge_point_id === id)
        if (attempts.some((attempt) => registeredAs(view, attempt) !== undefined)) continue
        if (!asker.seesAll && isLikeOthers(view, shapeOf(id), 'one-character', asker)) continue
        for (const attempt of attempts) add('address', attempt)
        if (read.isOver()) await read.pause()
      }
    }
  } finally {
    read.end()
  }
  return [...found.values()].sort(byWeight).slice(0, limits.lines)
}

function byWeight(one: PossibleAttempt, other: PossibleAttempt): number {
  if (one.isFromItsAddress !== other.isFromItsAddress) return one.isFromItsAddress ? -1 : 1
  return one.newest.attempt_id < other.newest.attempt_id ? 1 : -1
}

/** Of attempts under ids that nobody has registered: shapes that are like those of the charge point. */
function likeIds(
  view: ReadView,
  { charge_point_id, serial_number }: ChargePoint,
): readonly (readonly [shape: string, match: Match])[] {
  const list = unknownShapes(view)
  const like: (readonly [string, Match])[] = []
  for (const [shape, likeness] of shapesLike(shapeOf(charge_point_id), list)) {
    like.push([shape, matchOf[likeness]])
    if (like.length >= limits.likeIds) break
  }
  const serial = shapeOf(serial_number ?? '')
  if (serial !== '' && list.next(serial) === serial && like.every(([shape]) => shape !== serial))
    like.push([serial, 'serial_number'])
  return like
}

function newestOf(view: ReadView, owner: string, shape: string): readonly ConnectionAttempt[] {
  const query = { from: [shape], to: [`${shape}\0`], reverse: true, limit: limits.attemptsOfOne }
  return view.listBy(connectionAttemptsTable, 'byShape', [owner], query)
}

function unknownFrom(view: ReadView, address: string): readonly ConnectionAttempt[] {
  const query = { from: [''], to: ['\0'], reverse: true, limit: limits.attemptsOfOne }
  return view.listBy(connectionAttemptsTable, 'byAddress', [address], query)
}
