// What charge points were promised about their charges, held against the disk at the moment in which the promise leaves.

import type { Charge } from '../charge-point/charges.js'
import type { Line } from '../network.js'
import type { DiskWatch, Row, RowChange } from './disk-watch.js'
import { checkEnergy } from './energy.js'
import type { Verdict } from './verdict.js'

interface Known {
  readonly charge: Charge
  sessionId: string | undefined
  acknowledgedId: number | undefined
}

interface Asked {
  readonly action: string
  readonly payload: Row
  readonly at: number
}

interface StatusSpan {
  readonly status: unknown
  until: number
}

export interface TransactionOracle {
  began(charge: Charge): void
  /** What a session is of. */
  chargeOf(session: Row): Charge | undefined
  /** A CALL that the edge has taken in. */
  asked(line: Line, messageId: string, action: string, payload: Row): void
  /** A CALLRESULT that the edge gives out. */
  answered(line: Line, messageId: string, payload: Row): void
  closed(line: Line): void
  /** After a group of commits: how its sessions, the states of its charge points and its unmatched transactions have changed. */
  written(sessions: readonly RowChange[], states: readonly RowChange[], unmatched: readonly RowChange[]): void
  /** When everything should have come to rest. */
  settled(run: number): void
}

export const transactionTables = ['sessions', 'meter_values', 'charge_point_states', 'unmatched_transactions']

/** `isGone`: of a charge point that tells no more, for good. */
export function createTransactionOracle(
  verdict: Verdict,
  disk: DiskWatch,
  now: () => number,
  isGone: (chargePointId: unknown) => boolean,
): TransactionOracle {
  const { check } = verdict
  const charges = new Map<string, Known>()
  const sessions = new Map<string, Row>()
  const byTransaction = new Map<number, Row>()
  const readings = new Set<string>()
  const statuses = new Map<string, StatusSpan[]>()
  const unmatched: Row[] = []
  const asked = new Map<number, Map<string, Asked>>()
  const keyOf = (chargePointId: unknown, connectorId: unknown, meterStart: unknown): string =>
    `${chargePointId}/${connectorId} from ${meterStart} Wh`

  function sessionChanged(before: Row | undefined, after: Row | undefined): void {
    const id = String((after ?? before)?.session_id)
    check('session-stays', after !== undefined, () => `session ${id} is gone`)
    if (after === undefined) return
    const key = keyOf(after.charge_point_id, after.connector_id, after.meter_start)
    const known = charges.get(key)
    check('one-session', known !== undefined, () => `session ${id} is of no charge that happened: ${key}`)
    if (known === undefined) return
    check('one-session', known.sessionId === undefined || known.sessionId === id, () => `${key} has two sessions`)
    known.sessionId = id
    if (before !== undefined) {
      const same = before.transaction_id === after.transaction_id && before.meter_start === after.meter_start
      check('session-stays', same, () => `session ${id} has become another`)
      const opened = after.status === 'active' && before.status !== 'active'
      const reduced = before.status === 'completed' && after.status !== 'completed'
      check('session-stays', !opened && !reduced, () => `session ${id} went from ${before.status} to ${after.status}`)
    }
    checkEnergy(verdict, after, known.charge)
    sessions.set(id, after)
    byTransaction.set(after.transaction_id as number, after)
  }

  /** When a connector was shown in which status, for as long as an answer may be on its way. */
  function statesChanged(row: Row): void {
    for (const connector of row.connectors as Row[]) {
      const key = `${row.charge_point_id}/${connector.connector_id}`
      const spans = statuses.get(key) ?? []
      statuses.set(key, spans)
      const last = spans.at(-1)
      if (last?.status === connector.status) continue
      if (last !== undefined) last.until = now()
      spans.push({ status: connector.status, until: Number.POSITIVE_INFINITY })
      if (spans.length > 20) spans.shift()
    }
  }

  function startAnswered({ chargePointId }: Line, payload: Row, answer: Row): void {
    const id = answer.transactionId as number
    const row = byTransaction.get(id)
    const key = keyOf(chargePointId, payload.connectorId, payload.meterStart)
    const kept =
      row !== undefined && keyOf(row.charge_point_id, row.connector_id, row.meter_start) === key
        ? row.id_tag === payload.idTag
        : false
    check('acknowledged-transaction', kept, () => `${key} was told ${id}, which the disk does not have`)
    const known = charges.get(key)
    if (known === undefined) return
    const same = known.acknowledgedId === undefined || known.acknowledgedId === id
    check('acknowledged-transaction', same, () => `${key} was told ${known.acknowledgedId} and then ${id}`)
    known.acknowledgedId = id
  }

  function stopAnswered({ chargePointId }: Line, payload: Row): void {
    const { transactionId, meterStop } = payload as { transactionId: number; meterStop: number }
    const kept =
      transactionId > 0
        ? isCompleted(byTransaction.get(transactionId), chargePointId, meterStop)
        : isReconciled(chargePointId, meterStop)
    const apart = unmatched.some(
      (row) => row.charge_point_id === chargePointId && (row.payload as Row).meterStop === meterStop,
    )
    check('acknowledged-stop', kept || apart, () => `the stop of ${chargePointId} at ${meterStop} Wh is not on disk`)
  }

  function isCompleted(row: Row | undefined, chargePointId: string, meterStop: number): boolean {
    return row?.status === 'completed' && row.charge_point_id === chargePointId && row.meter_stop === meterStop
  }

  function isReconciled(chargePointId: string, meterStop: number): boolean {
    for (const row of sessions.values()) if (isCompleted(row, chargePointId, meterStop)) return true
    return false
  }

  function readingAnswered({ chargePointId }: Line, payload: Row): void {
    const [meterValue] = payload.meterValue as { sampledValue: { value: string }[] }[]
    const value = meterValue?.sampledValue[0]?.value
    const kept = readings.has(`${chargePointId} ${value}`)
    check('acknowledged-reading', kept, () => `the reading ${value} Wh of ${chargePointId} is not on disk`)
  }

  function statusAnswered({ chargePointId }: Line, { payload, at }: Asked): void {
    const spans = statuses.get(`${chargePointId}/${payload.connectorId}`) ?? []
    const kept = spans.some((span) => span.status === payload.status && span.until >= at)
    check('acknowledged-reading', kept, () => `${chargePointId} told ${payload.status}, which the disk never had`)
  }

  return {
    began(charge) {
      const key = keyOf(charge.chargePointId, charge.connectorId, charge.meterStart)
      charges.set(key, { charge, sessionId: undefined, acknowledgedId: undefined })
    },
    chargeOf: (session) =>
      charges.get(keyOf(session.charge_point_id, session.connector_id, session.meter_start))?.charge,
    asked(line, messageId, action, payload) {
      const ofLine = asked.get(line.id) ?? new Map<string, Asked>()
      asked.set(line.id, ofLine)
      // A repeated frame asks nothing new.
      if (!ofLine.has(messageId)) ofLine.set(messageId, { action, payload, at: now() })
    },
    answered(line, messageId, payload) {
      const question = asked.get(line.id)?.get(messageId)
      if (question === undefined) return
      if (question.action === 'StartTransaction') startAnswered(line, question.payload, payload)
      else if (question.action === 'StopTransaction') stopAnswered(line, question.payload)
      else if (question.action === 'MeterValues') readingAnswered(line, question.payload)
      else if (question.action === 'StatusNotification') statusAnswered(line, question)
    },
    closed(line) {
      asked.delete(line.id)
    },
    written(sessionChanges, stateChanges, unmatchedChanges) {
      for (const { before, after } of sessionChanges) sessionChanged(before, after)
      for (const { after } of disk.changes('meter_values')) {
        if (after === undefined) continue
        const owner = String(after.owner)
        const chargePointId = sessions.get(owner)?.charge_point_id ?? owner.slice(0, owner.lastIndexOf('/'))
        readings.add(`${chargePointId} ${after.energy_wh}`)
      }
      for (const { after } of stateChanges) if (after !== undefined) statesChanged(after)
      for (const { after } of unmatchedChanges) if (after !== undefined) unmatched.push(after)
    },
    settled(run) {
      for (const [key, { charge, sessionId, acknowledgedId }] of charges) {
        if (charge.meterStop === undefined || charge.abandoned || isGone(charge.chargePointId)) continue
        const row = sessionId === undefined ? undefined : sessions.get(sessionId)
        const complete = isCompleted(row, charge.chargePointId, charge.meterStop)
        const apart = unmatched.some(
          (one) => one.charge_point_id === charge.chargePointId && (one.payload as Row).meterStop === charge.meterStop,
        )
        const told = acknowledgedId !== undefined || charge.startGivenUp
        check('settled', complete || (charge.startGivenUp && apart), () => `${key} is ${row?.status ?? 'nowhere'}`)
        check('settled', told, () => `${key} was never answered`)
      }
      for (const row of disk.rows('charge_point_states')) {
        const online = row.connected === true && row.run === run
        check(
          'settled',
          online !== isGone(row.charge_point_id),
          () => `${row.charge_point_id} is connected, the disk says that it is not`,
        )
      }
    },
  }
}
