// The outbox: its events are in the order in which things happened to each charge point, and tell of every change once.

import { faultOfEvent } from '../../support/declared-events.js'
import type { AlertOracle } from './alerts.js'
import type { Row, RowChange } from './disk-watch.js'
import { isInstallers } from './installed.js'
import type { Verdict } from './verdict.js'

export interface EventOracle {
  /** Events that a group of commits has added. */
  written(changes: readonly RowChange[]): void
  /** When everything has come to rest: every session that the disk has, by its id and status. */
  settled(sessions: Iterable<Row>): void
}

export const eventTables = ['outbox']

export function createEventOracle(verdict: Verdict, alerts: Pick<AlertOracle, 'told'>): EventOracle {
  const { check } = verdict
  const lastId = new Map<string, string>()
  const connected = new Map<string, string>()
  const connectedAt = new Map<string, unknown>()
  const started = new Set<string>()
  const ended = new Map<string, string>()

  /** Also over the end of a process that could tell of nothing: the next one does. */
  function connection(event: string, subject: string, data: Row): void {
    const before = connected.get(subject) ?? 'charge_point.disconnected'
    connected.set(subject, event)
    check('event-once', before !== event, () => `${subject}: ${event} twice in a row`)
    if (event !== 'charge_point.connected') return
    const isTold = connectedAt.get(subject) === data.connected_at
    connectedAt.set(subject, data.connected_at)
    check('event-once', !isTold, () => `${subject}: the connection of ${data.connected_at} has begun twice`)
  }

  function session(event: string, data: Row): void {
    const id = String(data.session_id)
    if (event === 'session.started') {
      check('event-once', !started.has(id), () => `${id} has started twice`)
      started.add(id)
      return
    }
    check('event-order', started.has(id), () => `${id} has ended before it started`)
    const before = ended.get(id)
    check('event-once', before === undefined || before !== data.status, () => `${id} has ended twice as ${before}`)
    check('event-order', before !== 'completed', () => `${id} was completed, and then ${data.status}`)
    ended.set(id, String(data.status))
  }

  function costUpdated(data: Row): void {
    const id = String(data.session_id)
    const runs = started.has(id) && !ended.has(id)
    check('event-order', runs, () => `${id} costs ${data.cost} so far, and does not run`)
  }

  return {
    written(changes) {
      for (const { after } of changes) {
        if (after === undefined) continue
        const { id, event, subject, data } = after as { id: string; event: string; subject: string; data: Row }
        const before = lastId.get(subject) ?? ''
        check('event-declared', faultOfEvent(event, data) === undefined, () => faultOfEvent(event, data) ?? '')
        check('event-order', id > before, () => `${subject}: ${event} ${id} comes after ${before}`)
        lastId.set(subject, id)
        if (event.endsWith('connected')) connection(event, subject, data)
        else if (event.startsWith('alert.')) alerts.told(event, data)
        else if (event === 'session.cost_updated') costUpdated(data)
        else if (event === 'session.started' || event === 'session.ended') session(event, data)
      }
    },
    settled(sessions) {
      for (const session of sessions) {
        if (isInstallers(session)) continue
        const { session_id: id, status } = session
        check('event-once', started.has(String(id)), () => `nobody was told that ${id} has started`)
        const told = ended.get(String(id)) ?? 'active'
        check('event-once', told === status, () => `${id} is ${status}, its events say ${told}`)
      }
    },
  }
}
