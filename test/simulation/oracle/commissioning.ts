// Commissionings: one at a time at each charge point, nothing that it sends twice must not be, and its evidence and its results are what the
// charge point has done.

import { type Box, isBox } from '../boxes.js'
import type { Charge } from '../charge-point/charges.js'
import type { Line } from '../network.js'
import type { DiskWatch, Row, RowChange } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface CommissioningOracle {
  charged(charge: Charge): void
  /** A CALL that the edge gives out. */
  sent(line: Line, messageId: string, action: string, payload: Row): void
  /** An answer that the edge has taken in: the payload of a result, or the code of an error. */
  answered(line: Line, messageId: string, answer: Row | string): void
  closed(line: Line): void
  /** An installer was told that this was done with a commissioning. */
  told(chargePointId: string, change: string, sessionId: string): void
  /** After a group of commits: how its sessions have changed, and the events that it has added. */
  written(sessions: readonly RowChange[], events: readonly RowChange[]): void
  /** `now`, wall ms; `ends`: deadlines of the wall clock have come, or have not moved. */
  settled(now: number, ends: boolean): void
}

export const commissioningTables = ['commissioning_sessions', 'configuration_applications']

interface Call {
  readonly action: string
  readonly payload: Row
  readonly at: number
}

interface Exchange extends Row {
  readonly sent: string
  readonly outcome: string
  readonly answer?: string
}

interface Step extends Row {
  readonly name: string
  readonly status: string
  readonly detail?: string
  readonly evidence: readonly Exchange[]
}

interface Clock {
  monotonic(): number
  /** Wall time, ms. */
  now(): number
}

/** What the service knows of a key by now. */
interface KnownKey {
  /** As it was reported last, and not changed since. */
  reported?: unknown
  /** It was changed, and not asked for since. */
  isChanged?: true
}

/** A test transaction that was asked for may begin so long after it was given up. */
const lateStartMs = 900_000
/** A later answer is nobody's any more. */
const answeredWithinMs = 25_000
const clockMovesMs = 1_000
const stepsOf = (row: Row | undefined): readonly Step[] => (row?.steps ?? []) as readonly Step[]
const isClosedByOperator = (session: Row | undefined): boolean =>
  (session?.flags as readonly string[] | undefined)?.includes('closed_by_operator') === true
const isOpen = ({ status }: Row): boolean => status === 'running' || status === 'paused'

export function createCommissioningOracle(
  { check }: Verdict,
  disk: DiskWatch,
  clock: Clock,
  boxes: readonly Box[],
): CommissioningOracle {
  const sessions = new Map<unknown, Row>()
  const open = new Map<unknown, Set<unknown>>()
  /** Of the commissionings of charge points that an organization has claimed. */
  const eventsOf = new Map<unknown, Set<unknown>>()
  /** Tags of test transactions that were on disk, and how often each was sent. */
  const tags = new Map<unknown, number>()
  /** Since when a test transaction of a tag is to be stopped should it begin, monotonic ms. */
  const owedSince = new Map<unknown, number>()
  const charges = new Map<string, Charge[]>()
  /**
   * Tags of charges that nobody has to stop: an operator has closed the session, and looks after the charge; or the clock was set between the
   * decision to start it and the charge, so that it begins when nobody expects it any more.
   */
  const leftAlone = new Set<unknown>()
  const wallOffsets = new Map<unknown, number>()
  const now = clock.monotonic
  const wallOffset = (): number => clock.now() - clock.monotonic()
  const calls = new Map<string, Call>()
  const keys = new Map<string, KnownKey>()
  /** Answers that were taken in, less those that are evidence. */
  const answers = new Map<string, number>()
  const keyOf = (line: Line, messageId: string): string => `${line.id}/${messageId}`
  const answerOf = (chargePointId: unknown, action: string, answer: unknown): string =>
    `${chargePointId} answered ${action} with ${answer}`

  function keyAt(chargePointId: string, key: unknown): KnownKey {
    const name = `${chargePointId} ${String(key).toLowerCase()}`
    const known = keys.get(name) ?? {}
    keys.set(name, known)
    return known
  }

  function startSent(chargePointId: string, { idTag }: Row): void {
    const times = tags.get(idTag)
    check('commissioning-once', times !== undefined, () => `${chargePointId} is to start ${idTag}, which no disk has`)
    check('commissioning-once', (times ?? 0) === 0, () => `${chargePointId} was asked to start ${idTag} before`)
    tags.set(idTag, (times ?? 0) + 1)
  }

  function changeSent(chargePointId: string, { key, value }: Row): void {
    const known = keyAt(chargePointId, key)
    const isRight = String(known.reported).toLowerCase() === String(value).toLowerCase()
    check('commissioning-once', !isRight, () => `${key} of ${chargePointId} is ${value} already, and is changed`)
    check(
      'commissioning-once',
      known.isChanged !== true,
      () => `${key} of ${chargePointId} is changed again before anybody has looked at it`,
    )
    known.isChanged = true
    known.reported = undefined
  }

  function evidence(chargePointId: unknown, { sent, outcome, answer }: Exchange): void {
    // Those of a configuration are held against its application.
    if (sent === 'Ping' || sent === 'Configuration' || (outcome !== 'answered' && outcome !== 'error')) return
    const heard = answerOf(chargePointId, sent, answer)
    const left = (answers.get(heard) ?? 0) - 1
    answers.set(heard, left)
    check('commissioning-honest', left >= 0, () => `a commissioning has it that ${heard}, which it has not`)
  }

  function passed(row: Row, { name, detail = '', evidence }: Step): void {
    const accepted = evidence.filter(({ answer }) => answer === 'Accepted')
    const fits =
      (name !== 'connectivity' || !detail.includes('answered a ping') || evidence.at(-1)?.outcome === 'answered') &&
      (name !== 'heartbeat' || !detail.includes('accepted') || accepted.length > 0) &&
      (name !== 'configuration' || detail.startsWith('No template') || evidence.at(-1)?.sent === 'Configuration') &&
      (name !== 'test_transaction' || evidence.some(wasCharged))
    check('commissioning-honest', fits, () => `${name} of ${row.charge_point_id} has passed: ${detail}`)
  }

  /** Whether the charge that was asked for has happened from start to stop. */
  function wasCharged({ sent, parameters }: Exchange): boolean {
    if (sent !== 'RemoteStartTransaction') return false
    const idTag = String((parameters as Row).idTag)
    return (charges.get(idTag) ?? []).some(({ metered, meterStop }) => metered.length > 0 && meterStop !== undefined)
  }

  function sessionChanged(before: Row | undefined, after: Row | undefined): void {
    const { session_id: id, charge_point_id } = (after ?? before) as Row
    const others = open.get(charge_point_id) ?? new Set()
    open.set(charge_point_id, others)
    if (after !== undefined && isOpen(after)) others.add(id)
    else others.delete(id)
    const isKept = after !== undefined || (before !== undefined && !isOpen(before))
    check('commissioning-kept', isKept, () => `${id} of ${charge_point_id} is gone, and was ${before?.status}`)
    if (after === undefined) return
    sessions.set(id, after)
    const owed = (after.owed_stop as Row | undefined)?.id_tag
    if (owed !== undefined && !owedSince.has(owed)) owedSince.set(owed, now())
    const isFinal = before !== undefined && !isOpen(before)
    const same = !isFinal || (before.status === after.status && before.result === after.result)
    check('commissioning-kept', same, () => `${id} of ${charge_point_id} was ${before?.status} and is ${after.status}`)
    const tag = (after.test as Row | undefined)?.id_tag
    if (tag !== undefined && !tags.has(tag)) {
      tags.set(tag, 0)
      wallOffsets.set(tag, wallOffset())
    }
    for (const step of stepsOf(after)) {
      const earlier = stepsOf(before).find(({ name }) => name === step.name)
      for (const exchange of step.evidence.slice(earlier?.evidence.length ?? 0)) evidence(charge_point_id, exchange)
      if (step.status === 'passed' && earlier?.status !== 'passed') passed(after, step)
    }
    const isComplete = after.status !== 'completed' || stepsOf(after).every(({ status }) => status === 'passed')
    check('commissioning-honest', isComplete, () => `${id} of ${charge_point_id} is completed without all its steps`)
  }

  function oneAtATime(chargePointId: unknown): void {
    const ids = open.get(chargePointId) ?? new Set()
    check('commissioning-kept', ids.size <= 1, () => `${[...ids].join()} are open at ${chargePointId}`)
  }

  function announced({ event, data }: Row): void {
    const { session_id: id, status } = data as Row
    const told = eventsOf.get(id) ?? new Set()
    eventsOf.set(id, told)
    check('event-once', !told.has(event), () => `${event} of ${id} is told twice`)
    told.add(event)
    const is = sessions.get(id)?.status
    check('event-once', is === status, () => `${id} is ${is}, ${event} says ${status}`)
  }

  /** What is said to be applied, the charge point has. */
  function applied({ charge_point_id, status, keys: ofRow }: Row): void {
    if (status !== 'completed') return
    const box = boxes.find(({ id }) => id === charge_point_id)
    for (const { key, value, outcome } of ofRow as readonly Row[]) {
      if (outcome !== 'applied') continue
      const has = box?.keys.get(String(key))
      const is = has?.toLowerCase() === String(value).toLowerCase()
      check('commissioning-honest', is, () => `${key} of ${charge_point_id} is said to be ${value}, and is ${has}`)
    }
  }

  return {
    charged(charge) {
      if (!isBox(charge.chargePointId)) return
      const movedMs = wallOffset() - (wallOffsets.get(charge.idTag) ?? 0)
      if (Math.abs(movedMs) > clockMovesMs) leftAlone.add(charge.idTag)
      charges.set(charge.idTag, [...(charges.get(charge.idTag) ?? []), charge])
    },
    sent(line, messageId, action, payload) {
      const { chargePointId } = line
      if (!isBox(chargePointId)) return
      calls.set(keyOf(line, messageId), { action, payload, at: now() })
      if (action === 'RemoteStartTransaction') startSent(chargePointId, payload)
      else if (action === 'ChangeConfiguration') changeSent(chargePointId, payload)
      else if (action === 'GetConfiguration')
        for (const key of (payload.key ?? []) as readonly unknown[]) delete keyAt(chargePointId, key).isChanged
    },
    answered(line, messageId, answer) {
      const call = calls.get(keyOf(line, messageId))
      if (call === undefined) return
      calls.delete(keyOf(line, messageId))
      const { chargePointId } = line
      const said = typeof answer === 'string' ? answer : (answer.status ?? 'nothing')
      const heard = answerOf(chargePointId, call.action, said)
      answers.set(heard, (answers.get(heard) ?? 0) + 1)
      if (call.action !== 'GetConfiguration' || typeof answer === 'string') return
      if (now() - call.at > answeredWithinMs) return
      for (const { key, value } of (answer.configurationKey ?? []) as readonly Row[]) {
        const known = keyAt(chargePointId, key)
        if (known.isChanged === undefined) known.reported = value
      }
    },
    closed(line) {
      for (const key of calls.keys()) if (key.startsWith(`${line.id}/`)) calls.delete(key)
    },
    told(chargePointId, change, sessionId) {
      const row = sessions.get(sessionId)
      check(
        'commissioning-kept',
        row !== undefined,
        () => `${change} of ${sessionId} at ${chargePointId} is not on disk`,
      )
    },
    written(ofCharges, events) {
      for (const { after } of ofCharges) if (isClosedByOperator(after)) leftAlone.add(after?.id_tag)
      const changes = disk.changes('commissioning_sessions')
      for (const { before, after } of changes) sessionChanged(before, after)
      for (const { before, after } of changes) oneAtATime((after ?? before)?.charge_point_id)
      for (const { after } of events) if (String(after?.event).startsWith('commissioning.')) announced(after as Row)
      for (const { after } of disk.changes('configuration_applications')) if (after !== undefined) applied(after)
    },
    settled(at, ends) {
      for (const [id, row] of sessions) {
        const { charge_point_id, status, owed_stop } = row
        // An earlier test transaction may still begin.
        const { until, id_tag } = (owed_stop ?? {}) as Row
        const isOwedLately = now() - (owedSince.get(id_tag) ?? Number.NEGATIVE_INFINITY) < lateStartMs
        const waits = status === 'running' && (Number(until) > at || isOwedLately)
        check('commissioning-ends', !isOpen(row) || !ends || waits, () => `${id} of ${charge_point_id} is ${status}`)
      }
      for (const [id, told] of eventsOf) {
        const status = String(sessions.get(id)?.status)
        const ends = ['completed', 'failed'].filter((end) => told.has(`commissioning.${end}`)).join()
        const isTold = status === 'completed' || status === 'failed' ? ends === status : ends === ''
        check('event-once', isTold, () => `${id} is ${status}, its events say that it is ${ends}`)
      }
      for (const [tag, ofTag] of charges)
        for (const { chargePointId, transactionId, meterStop, abandoned } of ofTag) {
          const runs = meterStop === undefined && !leftAlone.has(tag) && transactionId !== undefined && !abandoned
          check('commissioning-ends', !runs || !ends, () => `${chargePointId} still charges with ${tag}`)
        }
    },
  }
}
