// Installers of a world at the API: they register charge points, customize their configuration, and commission them; they pause, resume, stop
// and begin anew. Now and then an organization claims a charge point, whatever is going on there.

import { type Box, customKey, customValueOf } from './boxes.js'
import type { Faults } from './faults.js'
import type { SimulatedFront } from './service.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

export const commissioningChanges = ['start', 'restart', 'stop', 'pause', 'resume'] as const
export type CommissioningChange = (typeof commissioningChanges)[number]

export interface InstallerObserver {
  /** Somebody was told that this was done with the commissioning. */
  told(chargePointId: string, change: CommissioningChange, sessionId: string): void
}

export interface InstallerOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly outside: SimulatedThread
  readonly boxes: readonly Box[]
  readonly front: () => SimulatedFront | undefined
  readonly observer: InstallerObserver
}

export interface Installers {
  /** One of them does what comes next with one of their charge points. */
  act(): void
  /** They leave nothing paused. */
  windDown(): void
}

/** What an installer knows of a charge point. */
interface Known {
  readonly box: Box
  isRegistered: boolean
  isCustomized: boolean
  isClaimed: boolean
  status: string | undefined
  sessions: number
}

const registry = '/api/v1/installer/charge-points'
/** As many are kept of a charge point. */
const maximumSessions = 9
const askAgainMs = 5_000
const shares = { claim: 0.04, pause: 0.2, stop: 0.05, restart: 0.1, another: 0.5 }

export function createInstallers(options: InstallerOptions): Installers {
  const { time, faults, outside, boxes, front, observer } = options
  const { random } = faults
  const all = boxes.map(
    (box): Known => ({
      box,
      isRegistered: false,
      isCustomized: false,
      isClaimed: false,
      status: undefined,
      sessions: 0,
    }),
  )

  /** Over some front, in its thread; nobody is answered whose process ends. */
  function ask(
    { box }: Known,
    method: string,
    path: string,
    body: unknown,
    answered: (status: number, body: Readonly<Record<string, unknown>>) => void,
  ): void {
    const over = front()
    if (over === undefined) return
    time.settleAfter(0, over.thread, () => {
      void over.api
        .callAsInstaller(box.installer, time.now(), method, path, body)
        .then(({ status, text }) => answered(status, text === '' ? {} : JSON.parse(text)))
    })
  }

  function register(known: Known): void {
    const { id } = known.box
    const body = { charge_point_id: id, model: 'S1', vendor: 'Sim', serial_number: `SN-${id}`, project_id: 'Quayside' }
    ask(known, 'POST', registry, body, (status) => {
      // Of one that it has registered already it was not told.
      if (status === 201 || status === 409) known.isRegistered = true
    })
  }

  function customize(known: Known): void {
    const body = { parameters: { [customKey]: customValueOf(known.box) } }
    ask(known, 'POST', `${registry}/${known.box.id}/config/customize`, body, (status) => {
      if (status === 200 || status === 409) known.isCustomized = true
    })
  }

  function change(known: Known, what: CommissioningChange): void {
    const { id } = known.box
    ask(known, 'POST', `/api/v1/installer/commissioning/${id}/${what}`, undefined, (status, body) => {
      if (status >= 300) return look(known)
      known.status = String(body.status)
      observer.told(id, what, String(body.session_id))
      if (what === 'start' || what === 'restart') known.sessions++
    })
  }

  function look(known: Known, seen: (status: string | undefined) => void = () => undefined): void {
    ask(known, 'GET', `/api/v1/installer/commissioning/${known.box.id}/status`, undefined, (status, body) => {
      known.status = status === 200 ? String(body.status) : undefined
      if (status < 500) seen(known.status)
    })
  }

  function claim(known: Known): void {
    const { id, organization, connectors } = known.box
    const over = front()
    if (over === undefined) return
    const place = { latitude: 52, longitude: 13, address: 'Example street 1' }
    const body = { charge_point_id: id, name: id, ...place, connector_count: connectors, max_power_kw: 50 }
    time.settleAfter(0, over.thread, () => {
      void over.api.call(organization, 'POST', '/api/v1/chargepoints', body).then(({ status }) => {
        if (status === 201 || status === 409) known.isClaimed = true
      })
    })
  }

  /** What comes next with one that is ready; undefined where one has a look. */
  function nextChange({ status, sessions }: Known): CommissioningChange | undefined {
    const dice = random()
    const isAnother = sessions < maximumSessions
    switch (status) {
      case undefined:
        return 'start'
      case 'paused':
        return 'resume'
      case 'running':
        if (dice < shares.pause) return 'pause'
        if (dice < shares.pause + shares.stop) return 'stop'
        return isAnother && dice < shares.pause + shares.stop + shares.restart ? 'restart' : undefined
      default:
        return isAnother && dice < shares.another ? 'start' : undefined
    }
  }

  function commission(known: Known): void {
    const next = nextChange(known)
    if (!known.isClaimed && random() < shares.claim) claim(known)
    else if (next === undefined) look(known)
    else change(known, next)
  }

  /** Until it is seen that nothing is paused. They only look: what runs has to go on by itself. */
  function finish(known: Known): void {
    let over = false
    time.after(askAgainMs, outside, () => {
      if (!over) finish(known)
    })
    look(known, (status) => {
      if (status === 'paused') change(known, 'resume')
      else over = true
    })
  }

  return {
    act() {
      const known = all[Math.floor(random() * all.length)] as Known
      if (!known.isRegistered) register(known)
      else if (!known.isCustomized) customize(known)
      else commission(known)
    },
    windDown() {
      for (const known of all) finish(known)
    },
  }
}
