// Administrators of a world at the API: they remove charge points, also in the moment in which a charge begins there, close sessions that
// run, and send commands under an Idempotency-Key, which they repeat until they know what became of them.

import { sessionsTable } from '../../src/records/session.js'
import type { Faults } from './faults.js'
import { organizationIdOf, organizations } from './organizations.js'
import type { SimulatedFront } from './service.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

export interface AdministratorObserver {
  /** A request under this key is sent, or again; what it has the charge point told names the key. */
  asked(key: string): void
  /** One of its callers got an answer. */
  answered(key: string, status: number, text: string): void
  /** One who saw the session running was told this of its close. */
  closed(sessionId: string, status: number): void
}

export interface AdministratorOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly outside: SimulatedThread
  readonly chargePoints: readonly { readonly id: string; readonly organization: number }[]
  readonly front: () => SimulatedFront | undefined
  readonly observer: AdministratorObserver
}

export interface Administrators {
  /** Sends a command under a key of its own, or closes a session. */
  act(): void
  remove(chargePointId: string): void
}

const attempts = 5
/** A client gives up on an answer after this, and asks again. */
const patienceMs = 20_000
const pauseMs = 1_500
const closesShare = 0.1
/** Of the newest sessions, as a list shows them. */
const sessionsSeen = 20

export function createAdministrators(options: AdministratorOptions): Administrators {
  const { time, faults, outside, chargePoints, front, observer } = options
  const { random } = faults
  let keys = 0

  function send(key: string, organization: number, body: unknown, attempt: number): void {
    if (attempt > attempts) return
    let over = false
    /** Whatever comes first; what comes after that is still an answer. */
    const again = (milliseconds: number): void =>
      time.after(milliseconds, outside, () => {
        if (over) return
        over = true
        send(key, organization, body, attempt + 1)
      })
    again(patienceMs)
    const through = front()
    if (through === undefined) {
      again(pauseMs)
      return
    }
    observer.asked(key)
    time.settleAfter(0, through.thread, () => {
      void through.api
        .call(organization, 'POST', '/api/v1/ocpp16/send_command', body, { 'idempotency-key': key })
        .then(({ status, text }) => {
          observer.answered(key, status, text)
          if (status >= 500 || status === 429 || status === 409) again(pauseMs * (0.5 + random()))
          else over = true
        })
    })
  }

  function closeOne(): void {
    const through = front()
    if (through === undefined) return
    const organization = Math.floor(random() * organizations.length)
    const query = { reverse: true, limit: sessionsSeen }
    const seen = through.services
      .view()
      .listBy(sessionsTable, 'byOrganization', [organizationIdOf(organization)], query)
    const running = seen.filter(({ status }) => status === 'active')
    const session = running[Math.floor(random() * running.length)]
    if (session === undefined) return
    const { session_id: id } = session
    time.settleAfter(0, through.thread, () => {
      void through.api
        .call(organization, 'POST', `/api/v1/sessions/${id}/close`)
        .then(({ status }) => observer.closed(id, status))
    })
  }

  return {
    act() {
      if (random() < closesShare) return closeOne()
      const chargePoint = chargePoints[Math.floor(random() * chargePoints.length)]
      if (chargePoint === undefined) return
      const key = `key-${++keys}`
      const body = {
        charge_point_id: chargePoint.id,
        command: 'DataTransfer',
        payload: { vendorId: 'simulation', data: key },
      }
      send(key, chargePoint.organization, body, 1)
      // Impatient ones ask twice at once.
      if (random() < 0.1) send(key, chargePoint.organization, body, attempts)
    },
    remove(chargePointId) {
      const chargePoint = chargePoints.find(({ id }) => id === chargePointId)
      const through = front()
      if (chargePoint === undefined || through === undefined) return
      time.settleAfter(0, through.thread, () => {
        void through.api.call(chargePoint.organization, 'DELETE', `/api/v1/chargepoints/${chargePointId}`)
      })
    },
  }
}
