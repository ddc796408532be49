// Guests of a world: they ask at a charge point that sells, plug in or walk away, and some of them stop their charge by its token. All over
// the API, as a kiosk or an app does.

import type { Faults } from './faults.js'
import { cardDeclined, cardOk } from './payments.js'
import type { SimulatedFront } from './service.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

export interface GuestOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly outside: SimulatedThread
  /** Charge points that sell, with their organization's number and how many connectors they have. */
  readonly chargePoints: readonly { readonly id: string; readonly organization: number; readonly connectors: number }[]
  /** Some front of the service that runs now, if any. */
  readonly front: () => SimulatedFront | undefined
  readonly observer: GuestObserver
}

export interface GuestObserver {
  /** The caller was told that a guest may charge; with the SHA-256 by which the store knows the token. */
  offered(token: string): void
}

export interface Guests {
  /** One guest comes. */
  come(): void
}

export function createGuests({ time, faults, outside, chargePoints, front, observer }: GuestOptions): Guests {
  const { random } = faults

  /** Asks over some front, in its thread; nobody is told of a request whose process ends. */
  function ask(organization: number, path: string, body: unknown, told: (status: number, text: string) => void): void {
    const over = front()
    if (over === undefined) return
    time.settleAfter(0, over.thread, () => {
      void over.api
        .call(organization, 'POST', `/api/v1/sessions/guest/${path}`, body)
        .then(({ status, text }) => told(status, text))
    })
  }

  return {
    come() {
      const chargePoint = chargePoints[Math.floor(random() * chargePoints.length)]
      if (chargePoint === undefined) return
      const { id, organization, connectors } = chargePoint
      const body = {
        charge_point_id: id,
        connector_id: 1 + Math.floor(random() * connectors),
        payment_method_id: random() < 0.05 ? cardDeclined : cardOk,
      }
      ask(organization, 'authorize', body, (status, text) => {
        if (status !== 201) return
        const { session_token: token } = JSON.parse(text) as { session_token: string }
        observer.offered(token)
        if (random() < 0.6)
          time.after(30_000 + random() * 150_000, outside, () =>
            ask(organization, `${token}/stop`, undefined, () => undefined),
          )
      })
    },
  }
}
